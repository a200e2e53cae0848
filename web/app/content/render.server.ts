import { Marked, type Tokens } from 'marked';
import type { LibraryText, OperatorFacts, PageServices } from '@bowerbird/contract';
import { LIMITS, splitLocale, type Locale } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { escapeText } from '#app/page/escape.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** Text as pages display it. */
export interface Article extends Pick<LibraryText, 'locale' | 'title' | 'description' | 'change'> {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/**
 * Context of an article: its links keep the locale of the address, and its placeholders contain the
 * operator's name.
 */
export interface Place {
  readonly pathname: string;
  readonly origin: string;
  readonly operator: OperatorFacts;
  /** Language of the text; that of the address if absent. */
  readonly locale?: Locale | undefined;
}

/**
 * Explicit anchor of a heading, as in `## Copy a link {#copy-link}`; other anchors are made from the
 * heading's words.
 */
const NAMED = /\s*\{#([\w-]+)\}$/;

function anchor(words: string, taken: Set<string>): string {
  const base =
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
      .trim()
      .replace(/\s+/g, '-') || 'part';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  return id;
}

/** `30 days`, in the language of a text. */
function daysText(locale: Locale, days: number): string {
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
    days,
  );
  // Our Chinese texts have a space between a number and a character.
  return text.replace(/^(\d+)(?=\p{Script=Han})/u, '$1 ');
}

/** Renders the library's Markdown as HTML. */
export function renderMarkdown(
  markdown: string,
  { pathname, origin, operator, locale }: Place,
): { html: string; headings: Heading[] } {
  const { prefix } = splitLocale(pathname);
  const facts: Record<string, string> = {
    operator: operator.name,
    site: origin,
    contact: operator.contact || `${origin}/contact-us`,
    trash_days: daysText(locale ?? prefix ?? 'en-US', operator.trashDays ?? LIMITS.trashDays),
  };
  const headings: Heading[] = [];
  const taken = new Set<string>();
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const named = NAMED.exec(text)?.[1];
        const inner = this.parser.parseInline(tokens).replace(NAMED, '');
        const words = text.replace(NAMED, '').replaceAll(/[*_`]/g, '');
        if (named) taken.add(named);
        const id = named ?? anchor(words, taken);
        headings.push({ id, text: words, depth });
        return `<h${depth} id="${escapeText(id)}" class="h${depth}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        return href.startsWith('/')
          ? `<a href="${escapeText(withPrefix(prefix, href))}">${inner}</a>`
          : `<a href="${escapeText(href)}" target="_blank" rel="noopener">${inner}</a>`;
      },
      // Allows line breaks within long names.
      codespan({ text }: Tokens.Codespan) {
        return `<code>${escapeText(text).replaceAll('_', '_<wbr>')}</code>`;
      },
      // Code wider than a phone scrolls, also with the keyboard.
      code({ text, lang = '' }: Tokens.Code) {
        const language = lang === '' ? '' : ` class="language-${escapeText(lang)}"`;
        return `<pre tabindex="0"><code${language}>${escapeText(text)}\n</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="table-frame" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  // The operator's name and address are inserted as text: they can't add markup of their own.
  const filled = markdown.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    facts[name] === undefined ? whole : escapeText(facts[name]),
  );
  return { html: marked.parse(filled, { async: false }), headings };
}

/** Returns an article of the library; throws the not-found response if the library doesn't list it. */
export function articleAt(services: PageServices, path: string, pathname: string): Article {
  const text = services.library.read(path, services.locale);
  if (!text) throw pageNotFound(pathname);
  const { html, headings } = renderMarkdown(text.body, {
    pathname,
    origin: services.origin,
    operator: services.operator,
    locale: text.locale,
  });
  const { locale, title, description, change } = text;
  return { locale, title, description, change, html, headings };
}

/** Title and description of a text, for lists. */
export function cardAt(services: PageServices, path: string): { title: string; description: string } {
  const text = services.library.read(path, services.locale);
  return { title: text?.title ?? '', description: text?.description ?? '' };
}
