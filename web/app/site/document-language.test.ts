import { expect, test } from 'vitest';
import { isForeign } from './document-language.ts';

const at = (path: string): URL => new URL(path, 'https://drive.example');

test('a page is foreign to the document once a language was chosen elsewhere, unless its address names the document’s', () => {
  const english = { locale: 'en-US', accepted: 'en-US' } as const;
  expect(isForeign(at('/faq'), english, undefined)).toBe(false);
  expect(isForeign(at('/faq'), english, 'en-US')).toBe(false);
  expect(isForeign(at('/faq'), english, 'ru')).toBe(true);
  expect(isForeign(at('/en-US/faq'), english, 'ru')).toBe(false);
  expect(isForeign(at('/ru/faq'), english, 'en-US')).toBe(true);
});

test('without a choice the language that the browser accepts is the one of pages that name none', () => {
  const russian = { locale: 'ru', accepted: 'ja' } as const;
  expect(isForeign(at('/ru/faq'), russian, undefined)).toBe(false);
  expect(isForeign(at('/s/abc'), russian, undefined)).toBe(true);
  expect(isForeign(at('/s/abc'), { locale: 'ja', accepted: 'ja' }, 'nonsense')).toBe(false);
});
