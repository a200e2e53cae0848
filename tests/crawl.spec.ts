import { readFileSync } from 'node:fs';
import { expect, test, type APIRequestContext } from '@playwright/test';
import { LOCALES, type Locale } from '@bowerbird/contract';
import { barriers } from './support/accessibility.ts';
import { publicPaths, sentencesOf } from './support/public-pages.ts';
import { expectNoComplaints, visitor } from './support/people.ts';

// Every public page in every language: all of them as crawlers read them, and a rotating sample as people see them.
// With CRAWL=whole (`npm run crawl`), people's view is tested for all of them, in both themes.

test.describe.configure({ mode: 'parallel' });

const isWhole = process.env['CRAWL'] === 'whole';
const NARROWEST = { width: 320, height: 640 };
/** Prefix of message keys. */
const GROUPS = new Set(
  Object.keys(JSON.parse(readFileSync('locales/en-US.json', 'utf8')) as object).map(
    (key) => key.split('.', 1)[0]!,
  ),
);
/** Texts all have the same layout, so only some of them are viewed. */
const IS_TEXT = /^\/(?:help-center|blog|policy)\/./;

const pathIn = (locale: Locale, path: string): string => `/${locale}${path === '/' ? '' : path}`;

const isIndexed = (html: string): boolean => !html.includes('noindex');

/** The canonical path that a page states; undefined if it states none. */
function ownAddress(html: string): string | undefined {
  const [, address] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
  return address && new URL(address).pathname;
}

/** The page's versions in other languages, each with its path. */
const siblingsIn = (html: string): string =>
  [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/gi)]
    .map(([, language, href]) => `${language} ${new URL(href!).pathname}`)
    .join();

const siblingsOf = (path: string): string =>
  [...LOCALES.map((locale) => `${locale} ${pathIn(locale, path)}`), `x-default ${path}`].join();

/** Returns the tags that a chat needs to show a preview card of the page and that are missing. */
function missingOfCard(html: string, locale: Locale): string[] {
  const given = new Map(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]+)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  const wanted = ['og:type', 'og:site_name', 'og:title', 'og:description', 'og:image', 'twitter:card'];
  const missing = wanted.filter((name) => !given.has(name));
  // Cards require a country for every language: `ja_JP` stands for `ja`.
  const isSpoken = given.get('og:locale')?.replace('_', '-').startsWith(locale);
  return isSpoken ? missing : [...missing, 'og:locale'];
}

async function readPage(
  request: APIRequestContext,
  address: string,
): Promise<{ status: number; html: string }> {
  const response = await request.get(address, { maxRedirects: 0 });
  return { status: response.status(), html: await response.text() };
}

test('every public page has the content of its English version in every language, translated', async ({
  request,
}) => {
  test.setTimeout(600_000);
  const faults: string[] = [];
  for (const path of await publicPaths(request)) {
    const english = await readPage(request, pathIn('en-US', path));
    const sentences = new Set(sentencesOf(english.html));
    const plain = await readPage(request, path);
    if (isIndexed(plain.html) && ownAddress(plain.html) !== path)
      faults.push(`${path}: says that it is ${ownAddress(plain.html)}`);
    for (const locale of LOCALES) {
      const address = pathIn(locale, path);
      const { status, html } = locale === 'en-US' ? english : await readPage(request, address);
      const fault = (what: string): void => void faults.push(`${address}: ${what}`);
      if (status !== 200) fault(`answers ${status}`);
      if (!html.includes(`<html lang="${locale}"`)) fault('has another language');
      if (!/<title>[^<]{3,}<\/title>/.test(html)) fault('has no title');
      if (!/<meta name="description" content="[^"]{10,}"/.test(html) && isIndexed(html))
        fault('has no description');
      if (!/<h1[ >]/.test(html)) fault('has no heading');
      if (isIndexed(html) && ownAddress(html) !== address) fault(`says that it is ${ownAddress(html)}`);
      if (isIndexed(html)) {
        if (siblingsIn(html) !== siblingsOf(path)) fault(`names ${siblingsIn(html)} as its siblings`);
        for (const missing of missingOfCard(html, locale)) fault(`shows a chat no ${missing}`);
      }
      const words = html.replace(/<(script|code|pre)[\s\S]*?<\/\1>/g, '');
      for (const [, key, group] of words.matchAll(/>(([a-z]\w+)(?:\.[a-z]\w+)+)</gi))
        if (GROUPS.has(group!)) fault(`shows ${key}`);
      if (locale === 'en-US') continue;
      const same = sentencesOf(html).filter((sentence) => sentences.has(sentence));
      if (same.length > 0) fault(`is in English: ${same.slice(0, 3).join(' | ')}`);
    }
  }
  expect(faults).toEqual([]);
});

for (const dark of [false, true])
  test(`every public page fits the narrowest phone and passes axe without errors, ${dark ? 'in dark mode' : 'in light mode'}`, async ({
    browser,
    request,
  }) => {
    test.setTimeout(isWhole ? 3_600_000 : 600_000);
    const { context, page } = await visitor(browser, { screen: 'phone', dark });
    await page.setViewportSize(NARROWEST);
    for (const address of seenIn(dark, await publicPaths(request)))
      await test.step(address, async () => {
        await page.goto(address, { waitUntil: 'load' });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width, `${address} is wider than a phone`).toBeLessThanOrEqual(NARROWEST.width);
        expect(await barriers(page), address).toEqual([]);
        expectNoComplaints(page);
      });
    await context.close();
  });

/** The pages to view in a theme: all of them in every language, or a rotating sample. */
function seenIn(dark: boolean, paths: readonly string[]): string[] {
  if (isWhole) return paths.flatMap((path) => LOCALES.map((locale) => pathIn(locale, path)));
  return paths
    .filter((path, at) => !IS_TEXT.test(path) || at % 4 === 0)
    .flatMap((path, at) => ((at % 2 === 1) === dark ? [pathIn(LOCALES[at % LOCALES.length]!, path)] : []));
}

test('an unknown path is the same 404 in every language', async ({ request }) => {
  for (const locale of LOCALES)
    for (const path of ['/no-such-page', '/help-center/no/such', '/policy/nothing', '/blog/nothing']) {
      const { status, html } = await readPage(request, pathIn(locale, path));
      expect(status, `${locale}${path}`).toBe(404);
      expect(html).toContain('noindex');
    }
});

/** Targets of redirects from pages that visitors can't access, or can't access now. */
const LED_ON: Readonly<Record<string, string>> = {
  '/activity/christmas': '/activity-end',
  '/activity/compensation': '/activity-end',
  '/activity/black-friday': '/activity-end',
  '/device': '/drive/login',
  '/drive/account': '/drive/login',
  '/drive/account/security': '/drive/login',
  '/drive/account/apps': '/drive/login',
  '/drive/account/notifications': '/drive/login',
  '/drive/all': '/drive/login',
  '/drive/recent': '/drive/login',
  '/drive/space': '/drive/login',
  '/drive/starred': '/drive/login',
  '/drive/shares': '/drive/login',
  '/drive/transfers': '/drive/login',
  '/drive/transfers/subscriptions': '/drive/login',
  '/drive/trash': '/drive/login',
  '/inapp/shop': '/drive/login',
  '/inapp/widget': '/drive/login',
};

test('pages without access redirect in the visitor’s language', async ({ request }) => {
  for (const locale of LOCALES)
    for (const [path, target] of Object.entries(LED_ON)) {
      const response = await request.get(pathIn(locale, path), { maxRedirects: 0 });
      const location = response.headers()['location'] ?? '';
      expect([response.status(), new URL(location, 'http://here').pathname], pathIn(locale, path)).toEqual([
        302,
        pathIn(locale, target),
      ]);
    }
});
