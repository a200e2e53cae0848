import { expect, test } from 'vitest';
import { isForeign } from './document-language.ts';

const at = (path: string): URL => new URL(path, 'https://drive.example');

test('a page needs a new document after another language was chosen, unless its address has the document’s language', () => {
  const english = { locale: 'en-US', accepted: 'en-US' } as const;
  expect(isForeign(at('/faq'), english, undefined)).toBe(false);
  expect(isForeign(at('/faq'), english, 'en-US')).toBe(false);
  expect(isForeign(at('/faq'), english, 'ru')).toBe(true);
  expect(isForeign(at('/en-US/faq'), english, 'ru')).toBe(false);
  expect(isForeign(at('/ru/faq'), english, 'en-US')).toBe(true);
});

test('without a choice, pages without a locale use the browser’s language', () => {
  const russian = { locale: 'ru', accepted: 'ja' } as const;
  expect(isForeign(at('/ru/faq'), russian, undefined)).toBe(false);
  expect(isForeign(at('/s/abc'), russian, undefined)).toBe(true);
  expect(isForeign(at('/s/abc'), { locale: 'ja', accepted: 'ja' }, 'nonsense')).toBe(false);
});
