import { expect, test } from 'vitest';
import { staleCookies } from './share-cookies.ts';

const token = (id: string): string => `pp_share_passcode_token_${id}`;

test('the last three shares stay open, older ones are closed', () => {
  expect(staleCookies([token('a'), token('b'), token('c')], 'c')).toEqual([]);
  expect(staleCookies([token('a'), token('b'), token('c'), token('d'), token('e')], 'e')).toEqual([
    token('a'),
    token('b'),
  ]);
});

test('the share being opened is never the one that is closed', () => {
  expect(staleCookies([token('a'), token('b'), token('c'), token('d'), token('e')], 'a')).toEqual([
    token('b'),
    token('c'),
  ]);
});

test('opening a fourth share closes the first', () => {
  expect(staleCookies([token('a'), token('b'), token('c'), token('d')], 'd')).toEqual([token('a')]);
  // The gate of a share that doesn't open must not displace the cookies of another.
  expect(staleCookies([token('a'), token('b'), token('c')], 'd')).toEqual([]);
});

test('other cookies are left alone', () => {
  expect(staleCookies(['pp_locale', 'session', token('a')], 'b')).toEqual([]);
});
