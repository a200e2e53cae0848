import { expect, test } from 'vitest';
import { staleCookies } from './share-cookies.ts';

const token = (id: string): string => `pp_share_passcode_token_${id}`;

test('the last three shares stay open, older ones are forgotten', () => {
  expect(staleCookies([token('a'), token('b'), token('c')], 'c')).toEqual([]);
  expect(staleCookies([token('a'), token('b'), token('c'), token('d'), token('e')], 'e')).toEqual([
    token('a'),
    token('b'),
  ]);
});

test('the share that is being opened is never the one that is forgotten', () => {
  expect(staleCookies([token('a'), token('b'), token('c'), token('d'), token('e')], 'a')).toEqual([
    token('b'),
    token('c'),
  ]);
});

test('a fourth share that opens takes the place of the first', () => {
  expect(staleCookies([token('a'), token('b'), token('c'), token('d')], 'd')).toEqual([token('a')]);
  // The gate of one that does not open takes nobody's place.
  expect(staleCookies([token('a'), token('b'), token('c')], 'd')).toEqual([]);
});

test('cookies of other kinds are nobody’s business', () => {
  expect(staleCookies(['pp_locale', 'session', token('a')], 'b')).toEqual([]);
});
