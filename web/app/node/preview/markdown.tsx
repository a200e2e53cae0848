import { useMemo } from 'react';
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { cx } from '#app/ui/class-names.ts';
import '#app/ui/markdown.css';

/**
 * Elements allowed in untrusted text: words, lists, tables. Excludes everything that runs, sends forms, loads or
 * imitates our page.
 */
const ALLOWED = {
  ALLOWED_TAGS: [
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'dd',
    'del',
    'details',
    'dl',
    'dt',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'i',
    'ins',
    'kbd',
    'li',
    'mark',
    'ol',
    'p',
    'pre',
    's',
    'samp',
    'small',
    'strong',
    'sub',
    'summary',
    'sup',
    'table',
    'tbody',
    'td',
    'tfoot',
    'th',
    'thead',
    'tr',
    'u',
    'ul',
  ],
  ALLOWED_ATTR: ['href', 'align', 'start', 'title', 'colspan', 'rowspan', 'open'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|magnet:)/i,
};

/** Headings start below those of the page. */
const LOWER: Readonly<Record<string, string>> = { H1: 'h3', H2: 'h4', H3: 'h5', H4: 'h6', H5: 'h6' };

/**
 * Renders Markdown as safe HTML: pictures from elsewhere become links, links open in a new window. Browser only.
 */
export function harmlessHtml(source: string): string {
  const html = marked.parse(source, { async: false, gfm: true, breaks: false });
  const body = DOMPurify.sanitize(picturesAsLinks(html), { ...ALLOWED, RETURN_DOM: true });
  for (const link of body.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  }
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(LOWER[heading.tagName] ?? 'h6');
    lower.append(...heading.childNodes);
    lower.className = heading.tagName.toLowerCase();
    heading.replaceWith(lower);
  }
  for (const table of body.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'table-frame';
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  return body.innerHTML;
}

function picturesAsLinks(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const picture of body.querySelectorAll('img')) {
    const source = picture.getAttribute('src') ?? '';
    const link = document.createElement('a');
    link.textContent = picture.alt || source;
    if (/^https?:/i.test(source)) link.href = source;
    picture.replaceWith(link);
  }
  return body.innerHTML;
}

export default function Markdown({ source, className }: { source: string; className?: string }) {
  const html = useMemo(() => harmlessHtml(source), [source]);
  return <div className={cx('markdown', className)} dangerouslySetInnerHTML={{ __html: html }} />;
}
