import { expect, test } from 'vitest';
import { createWeightedCache } from './weighted-cache.ts';

const texts = () => createWeightedCache<string>({ most: 10, weightOf: (text) => text.length });

test('the oldest values are forgotten when newer ones need their place', () => {
  const cache = texts();
  cache.set('a', 'xxxx');
  cache.set('b', 'xxxx');
  cache.set('c', 'xx');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['xxxx', 'xxxx', 'xx']);
  cache.set('d', 'x');
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([
    undefined,
    'xxxx',
    'xx',
    'x',
  ]);
});

test('a value that is replaced frees its place, and is the newest', () => {
  const cache = texts();
  cache.set('a', 'xxxxxxxx');
  cache.set('b', 'x');
  for (let times = 0; times < 5; times++) cache.set('a', 'yyyyyyyyy');
  expect([cache.get('a'), cache.get('b')]).toEqual(['yyyyyyyyy', 'x']);
  cache.set('c', 'x');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['yyyyyyyyy', undefined, 'x']);
});

test('a value that is too heavy is not remembered', () => {
  const cache = texts();
  cache.set('a', 'x'.repeat(11));
  expect(cache.get('a')).toBeUndefined();
  cache.set('b', 'xx');
  expect(cache.get('b')).toBe('xx');
});
