import type { Library, Locale, PageServices } from '@bowerbird/contract';
import { excerptAround, foldedWith, type Excerpt, type Folded } from './excerpt.ts';
import { helpTree, type HelpArticle } from './help-tree.server.ts';
import { articleAt } from './render.server.ts';

/** Article that contains all search terms. */
export interface FoundArticle extends HelpArticle {
  /** Title of its category. */
  readonly category: string;
  /** Matching part of its text; absent if the words occur in its title or description. */
  readonly excerpt: Excerpt | undefined;
}

interface Known {
  readonly article: Omit<FoundArticle, 'excerpt'>;
  /** Searched fields, from the most to the least relevant. */
  readonly fields: readonly Folded[];
}

/** Weight of a match in the title, the description, a heading, or elsewhere. */
const WEIGHTS = [8, 4, 2, 1] as const;
const LONGEST_QUERY = 200;
const MOST_WORDS = 12;

/**
 * Index of each language. The texts of an installation don't change while it runs, so each language is read
 * once.
 */
const known = new WeakMap<Library, Map<Locale, readonly Known[]>>();

/** Returns the help articles that contain every word, the most relevant first. */
export function searchHelp(services: PageServices, query: string): FoundArticle[] {
  const { locale } = services;
  const words = wordsOf(query.slice(0, LONGEST_QUERY), locale).map(patternOf);
  if (words.length === 0) return [];
  return articlesOf(services)
    .map(({ article, fields }) => ({ article, fields, weight: weightOf(fields, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ article, fields }) => ({ ...article, excerpt: excerptOf(fields, words) }));
}

/** Weight of an article; 0 if one of the words is missing. */
function weightOf(fields: readonly Folded[], words: readonly RegExp[]): number {
  const weights = words.map((word) => {
    const at = fields.findIndex(({ folded }) => word.test(folded));
    return at < 0 ? 0 : WEIGHTS[at]!;
  });
  return weights.includes(0) ? 0 : weights.reduce<number>((sum, weight) => sum + weight, 0);
}

function excerptOf([title, description, , text]: readonly Folded[], words: readonly RegExp[]) {
  const missing = words.filter((word) => ![title!, description!].some(({ folded }) => word.test(folded)));
  return missing.length === 0 ? undefined : excerptAround(text!, missing, words);
}

function articlesOf(services: PageServices): readonly Known[] {
  const { library, locale } = services;
  const languages = known.get(library) ?? new Map<Locale, readonly Known[]>();
  known.set(library, languages);
  const articles = languages.get(locale) ?? read(services);
  languages.set(locale, articles);
  return articles;
}

const read = (services: PageServices): Known[] =>
  helpTree(services).flatMap(({ title: category, articles }) =>
    articles.map((article) => {
      const { html, headings } = articleAt(services, article.path.replace('/help-center', 'help'), '/');
      const texts = [
        article.title,
        article.description,
        headings.map(({ text }) => text).join('\n'),
        plainText(html),
      ];
      return { article: { ...article, category }, fields: texts.map(foldedWith) };
    }),
  );

const segmenters = new Map<Locale, Intl.Segmenter>();

/** Words of a query, also in languages that put no spaces between them. */
function wordsOf(query: string, locale: Locale): string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  segmenters.set(locale, segmenter);
  const words = [...segmenter.segment(foldedWith(query).folded)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Pattern of a word that also matches different spacing: "공유링크" matches "공유 링크". */
function patternOf(word: string): RegExp {
  const letters = [...word].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(letters.join(UNSPACED.test(word) ? '\\s?' : ''), 'u');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Plain text of rendered HTML, with one line per paragraph. */
const plainText = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/(?:p|h\d|li|t[dh]|pre)> ?/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
