import { expect, test } from 'vitest';
import { scriptsLast } from './scripts-last.ts';

test('scripts get a low priority, and everything else stays as it is', () => {
  const style = '<link rel="preload" href="/a.woff2"/>';
  expect(scriptsLast(`${style}<link rel="modulepreload" href="/a.js"/><link rel="modulepreload"/>`)).toBe(
    `${style}<link rel="modulepreload" fetchpriority="low" href="/a.js"/><link rel="modulepreload" fetchpriority="low"/>`,
  );
});
