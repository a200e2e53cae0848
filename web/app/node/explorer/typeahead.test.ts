import { expect, it } from 'vitest';
import { findTyped, isTyping, NOTHING_TYPED, typedMore } from './typeahead.ts';

const NAMES = ['Alpha', 'beta', 'Bébé', 'brook', 'delta', 'Übung'];
const nameAt = (index: number) => NAMES[index];

it('repeating one letter cycles through the names that start with it', () => {
  expect(findTyped('b', 6, 0, nameAt)).toBe(1);
  expect(findTyped('b', 6, 1, nameAt)).toBe(2);
  expect(findTyped('bb', 6, 2, nameAt)).toBe(3);
  expect(findTyped('bbb', 6, 3, nameAt)).toBe(1);
});

it('several letters stay on a name that still matches, ignoring accents and case', () => {
  expect(findTyped('be', 6, 1, nameAt)).toBe(1);
  expect(findTyped('beb', 6, 1, nameAt)).toBe(2);
  expect(findTyped('u', 6, 0, nameAt)).toBe(5);
  expect(findTyped('zz', 6, 0, nameAt)).toBeUndefined();
});

it('rows that are not loaded are skipped', () => {
  expect(findTyped('d', 6, 0, (index) => (index === 4 ? undefined : NAMES[index]))).toBeUndefined();
});

it('letters after a pause start a new search', () => {
  const first = typedMore(NOTHING_TYPED, 'a', 1000);
  expect(typedMore(first, 'b', 1400).text).toBe('ab');
  expect(typedMore(first, 'b', 2000).text).toBe('b');
  expect(isTyping(first, 1700)).toBe(true);
  expect(isTyping(NOTHING_TYPED, 0)).toBe(false);
});
