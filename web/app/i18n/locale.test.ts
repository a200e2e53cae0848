import { expect, test } from 'vitest';
import { inLocale, withPrefix } from './locale.tsx';

test('links keep the locale of their page’s path', () => {
  expect(withPrefix('ru', '/drive/all?view=list')).toBe('/ru/drive/all?view=list');
  expect(withPrefix('ru', '/')).toBe('/ru');
  expect(withPrefix('ru', '/?a=1#b')).toBe('/ru?a=1#b');
  expect(withPrefix(undefined, '/drive/all')).toBe('/drive/all');
});

test('links to shares and to the sign-in callback have no locale', () => {
  expect(withPrefix('ru', '/s/abc')).toBe('/s/abc');
  expect(withPrefix('ru', '/auth?state=%2F')).toBe('/auth?state=%2F');
  expect(withPrefix('ru', '/sign-up')).toBe('/ru/sign-up');
});

test('a page has the same path in every language', () => {
  expect(inLocale('ja', '/ru/drive/all', '?view=list')).toBe('/ja/drive/all?view=list');
  expect(inLocale('ja', '/drive/all', '?locale=ru&view=list')).toBe('/ja/drive/all?view=list');
  expect(inLocale('ja', '/', '')).toBe('/ja');
  expect(inLocale('ja', '/s/abc/def', '?s_code=k7pm')).toBe('/s/abc/def?s_code=k7pm&locale=ja');
});
