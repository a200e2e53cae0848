import { expect, test } from 'vitest';
import { LOCALES } from '@bowerbird/contract';
import { PUBLIC_PATHS, sitemap } from './sitemap.ts';

test('every public page stands in the map once for each language, with its siblings', () => {
  const map = sitemap('https://drive.example');
  const places = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place);
  expect(places).toHaveLength(PUBLIC_PATHS.length * LOCALES.length);
  expect(new Set(places).size).toBe(places.length);
  expect(places).toContain('https://drive.example/zh-TW/sign-up');
  expect(map.match(/hreflang="x-default" href="https:\/\/drive\.example\/"/g)).toHaveLength(LOCALES.length);
});
