import type { Library, Locale, PageServices } from '@bowerbird/contract';
import { excerptAround, foldedWith, type Excerpt, type Folded } from './excerpt.ts';
import { helpTree, type HelpArticle } from './help-tree.server.ts';
import { articleAt } from './render.server.ts';

/** An article in which everything was found that was asked for. */
export interface FoundArticle extends HelpArticle {
  /** The title of its category. */
  readonly category: string;
  /** The place in its text; absent where the words stand in its title or description. */
  readonly excerpt: Excerpt | undefined;
}

interface Known {
  readonly article: Omit<FoundArticle, 'excerpt'>;
  /** What is looked through, from what says most to what says least. */
  readonly fields: readonly Folded[];
}

/** What a word weighs that stands in the title, the description, a heading, anywhere. */
const WEIGHTS = [8, 4, 2, 1] as const;
const LONGEST_QUERY = 200;
const MOST_WORDS = 12;

/** The texts of an installation stay as they are while it runs, so that each language is read once. */
const known = new WeakMap<Library, Map<Locale, readonly Known[]>>();

/** The help articles that mention every word, those first that are about them. */
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

/** 0 where one of the words is missing. */
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

/** The words of a query, also where a language puts no spaces between them. */
function wordsOf(query: string, locale: Locale): string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  segmenters.set(locale, segmenter);
  const words = [...segmenter.segment(foldedWith(query).folded)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Others put spaces where one puts none, and the other way round: "공유링크" stands in "공유 링크". */
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

/** What a rendered text says, a line for each of its paragraphs. */
const plainText = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/(?:p|h\d|li|t[dh]|pre)> ?/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
