import { expect, test } from '@playwright/test';
import { ask } from './support/answers.ts';
import { member, visitor } from './support/people.ts';
import { PLACES } from './support/routes.ts';

// Caching of responses by browsers, and by proxies between them and the site.

test.describe.configure({ mode: 'parallel' });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test.describe('caching', () => {
  /** Pages that may contain private data of their reader. */
  const isPersonal = (path: string): boolean => !/\.(?:xml|txt|webmanifest)$/.test(path);

  for (const who of ['a stranger', 'a member'] as const)
    test(`is private for pages, their data and redirects for ${who}`, async ({ browser }) => {
      const { context } = await (who === 'a member' ? member(browser) : visitor(browser));
      const faults: string[] = [];
      for (const { path } of PLACES.filter(({ path }) => isPersonal(path) && path !== '/sign-out'))
        for (const address of [path || '/', path === '' ? '/_.data' : `${path}.data`]) {
          const reply = await ask(context.request, address);
          const kept = reply.headers()['cache-control'];
          if (kept !== 'private, no-store') faults.push(`${address}: ${reply.status()} ${kept}`);
        }
      expect(faults).toEqual([]);
    });

  test('of public responses varies by what they depend on, and a client can’t inject anything into them', async ({
    request,
  }) => {
    const liar = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-for': '198.51.100.7',
      'x-original-url': '/evil.example',
      'x-rewrite-url': '/evil.example',
      'user-agent': 'evil.example',
      referer: 'https://evil.example/',
    };
    for (const path of [
      '/sitemap.xml',
      '/robots.txt',
      '/blog/feed.xml',
      '/ru/blog/feed.xml',
      '/ja/manifest.webmanifest',
    ]) {
      const honest = await ask(request, path);
      const lied = await ask(request, path, liar);
      expect(honest.headers()['cache-control'], path).toMatch(/^public\b/);
      expect(await lied.text(), path).toBe(await honest.text());
    }
    for (const path of ['/blog/feed.xml', '/manifest.webmanifest']) {
      const vary = (await ask(request, path)).headers()['vary'] ?? '';
      for (const [name, value] of [
        ['accept-language', 'ru'],
        ['cookie', 'pp_locale=ru'],
      ] as const) {
        expect(await (await ask(request, path, { [name]: value })).text()).toMatch(/\p{Script=Cyrillic}/u);
        expect(vary).toContain(name);
      }
    }
    for (const accepted of ['*', 'xx', ';q=', 'ru;q=0', 'q=1', 'ja'.repeat(2000), '<script>', '../..']) {
      const html = await (await ask(request, '/', { 'accept-language': accepted })).text();
      expect(html.slice(0, 200), accepted).toContain('<html lang="en-US"');
    }
  });
});
