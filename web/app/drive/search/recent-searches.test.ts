import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the last ten searches of a member are kept, the most recent first, each once', () => {
  for (let n = 1; n <= 12; n++) rememberSearch('ann', `search ${n}`);
  rememberSearch('ann', ' search 5 ');
  expect(recentSearches('ann')).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((n) => `search ${n}`));
  expect(recentSearches('bob')).toEqual([]);
});

test('one search can be forgotten, or all of them', () => {
  for (const text of ['a', 'b', 'c']) rememberSearch('ann', text);
  rememberSearch('bob', 'x');
  forgetSearch('ann', 'b');
  expect(recentSearches('ann')).toEqual(['c', 'a']);
  forgetSearches('ann');
  expect(recentSearches('ann')).toEqual([]);
  expect(stored.size).toBe(1);
});

test('nothing is kept of empty and very long texts', () => {
  rememberSearch('ann', '   ');
  rememberSearch('ann', 'x'.repeat(201));
  expect(recentSearches('ann')).toEqual([]);
});

test('broken and forbidden storage contains no searches', () => {
  for (const text of ['{', '{"a":1}', '[1,"a",null,""]', 'null']) {
    stored.set('pp_searches_ann', text);
    expect(recentSearches('ann')).toEqual(text.includes('"a",') ? ['a'] : []);
  }
  vi.stubGlobal('localStorage', undefined);
  expect(() => rememberSearch('ann', 'a')).not.toThrow();
  expect(recentSearches('ann')).toEqual([]);
});
