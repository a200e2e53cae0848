import type { APIRequestContext } from '@playwright/test';

/** Every page in the sitemap, without its language, and those that aren't in it. */
export async function publicPaths(request: APIRequestContext): Promise<string[]> {
  const map = await (await request.get('/sitemap.xml')).text();
  const paths = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, address]) => new URL(address!).pathname)
    .filter((path) => path === '/en-US' || path.startsWith('/en-US/'))
    .map((path) => path.slice('/en-US'.length) || '/');
  return [...new Set([...paths, ...UNMAPPED])];
}

const UNMAPPED = [
  '/drive/login',
  '/forgot-password',
  '/reset-password',
  '/auth-success',
  '/unsubscribe',
  '/setup/a-link-that-is-over',
  '/activity-end',
  '/download-limit',
  '/policy/privacy-policy/compare',
];

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
};

/**
 * The text of a page, in pieces of five words or more, without names and code, which are the same in every language.
 */
export function sentencesOf(html: string): string[] {
  return (
    html
      .replaceAll(/<(script|style|code|pre|svg)[\s\S]*?<\/\1>/g, ' ')
      .replaceAll(/<\/?(?:p|li|h[1-6]|td|th|div|section|button|a|summary|title)\b[^>]*>/g, '\n')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
      .split('\n')
      .map((line) => line.trim())
      // File names are the same in every language.
      .filter((line) => !/\.(?:flac|mkv|pdf|png)/.test(line))
      .filter((line) => line.split(/\s+/).filter((word) => /^\p{L}{2,}/u.test(word)).length >= 5)
  );
}
