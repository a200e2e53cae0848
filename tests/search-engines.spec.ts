import { expect, test } from '@playwright/test';
import { LOCALES } from '@bowerbird/contract';
import { ask } from './support/answers.ts';

// Information of the whole site for search engines; that of each page is tested by crawl.spec.ts.

test('a text has one canonical address, wherever it is read', async ({ request }) => {
  const own = async (path: string): Promise<string | undefined> => {
    const html = await (await request.get(path)).text();
    const [, address] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
    return address && new URL(address).pathname;
  };
  expect(await own('/policy/privacy-policy')).toBe('/policy/privacy-policy');
  expect(await own('/policy/privacy-policy/')).toBe('/policy/privacy-policy');
  expect(await own('/policy/privacy-policy/2023-11-06')).toBe('/policy/privacy-policy');
  expect(await own('/policy/privacy-policy/2023-10-14')).toBe('/policy/privacy-policy/2023-10-14');
  expect(await own('/ru/policy/user-agreement/user-agreement')).toBe('/ru/policy/user-agreement');
  expect(await own('/policy/anti-abuse/anti-abuse')).toBe('/policy/anti-abuse');
  expect(await own('/help-center/start/sign-in/')).toBe('/help-center/start/sign-in');
});

test('the sitemap lists every public page in every language with its alternates, and all of them exist', async ({
  request,
  baseURL,
}) => {
  const reply = await request.get('/sitemap.xml');
  expect(reply.headers()['content-type']).toContain('xml');
  const entries = [...(await reply.text()).matchAll(/<url>(.*?)<\/url>/gs)].map(([, entry]) => entry!);
  const languages = [...LOCALES, 'x-default'];
  const places = new Set<string>();
  for (const entry of entries) {
    const [, place = ''] = /<loc>(.*?)<\/loc>/.exec(entry) ?? [];
    places.add(place);
    const siblings = [...entry.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)];
    expect(
      siblings.map(([, language]) => language),
      place,
    ).toEqual(languages);
    const addresses = siblings.map(([, , href]) => href!);
    expect(addresses).toContain(place);
    expect(addresses.filter((address) => new URL(address).origin !== baseURL)).toEqual([]);
  }
  expect(places.size).toBe(entries.length);
  for (const path of ['/', '/faq', '/policy/privacy-policy', '/help-center/start/sign-in'])
    expect((await ask(request, path)).status(), path).toBe(200);
});

test('robots.txt excludes drives and names the sitemap', async ({ request, baseURL }) => {
  const reply = await request.get('/robots.txt');
  expect(reply.headers()['content-type']).toContain('text/plain');
  const lines = (await reply.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'User-agent: *',
      'Disallow: /drive/',
      'Disallow: /*/drive/',
      `Sitemap: ${baseURL}/sitemap.xml`,
    ]),
  );
  expect(lines).not.toContain('Disallow: /');
});
