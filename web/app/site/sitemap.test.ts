import { expect, test } from 'vitest';
import { LOCALES } from '@bowerbird/contract';
import { PUBLIC_PATHS, sitemap, textPaths } from './sitemap.ts';

test('the sitemap lists every public page once for each language, with its alternates', () => {
  const map = sitemap('https://drive.example', PUBLIC_PATHS);
  const places = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place);
  expect(places).toHaveLength(PUBLIC_PATHS.length * LOCALES.length);
  expect(new Set(places).size).toBe(places.length);
  expect(places).toContain('https://drive.example/zh-TW/sign-up');
  expect(map.match(/hreflang="x-default" href="https:\/\/drive\.example\/"/g)).toHaveLength(LOCALES.length);
});

test('the sitemap lists texts and collections only if there are any', () => {
  const none = { help: [], faq: [], blog: [], policy: [], page: [] };
  expect(textPaths(none)).toEqual([]);
  const some = {
    ...none,
    help: [{ category: 'start', articles: ['sign-up'] }],
    policy: [{ name: 'privacy-policy', versions: ['2023-11-06', '2023-10-14'] }],
  };
  expect(textPaths(some)).toEqual([
    '/help-center',
    '/policy/update',
    '/help-center/start/sign-up',
    '/policy/privacy-policy',
  ]);
});
