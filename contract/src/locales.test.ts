import { describe, expect, test } from 'vitest';
import { matchLocale, negotiateLocale } from './locales.ts';

describe('Chinese', () => {
  test.each(['zh-Hant', 'zh-HK', 'zh-MO', 'zh-TW', 'zh_mo', 'zh-Hant-MO', 'zh-Hant-CN'])(
    '%s reads Traditional',
    (tag) => {
      expect(matchLocale(tag)).toBe('zh-TW');
    },
  );

  test.each(['zh', 'zh-CN', 'zh-SG', 'zh-Hans', 'zh-Hans-HK', 'zh-Hans-MO'])('%s reads Simplified', (tag) => {
    expect(matchLocale(tag)).toBe('zh-CN');
  });
});

describe('what a browser accepts', () => {
  test.each([
    ['ko;q=0.5, pt-BR', 'pt'],
    ['zh-MO,zh;q=0.9', 'zh-TW'],
    ['*', 'en-US'],
    ['ru;q=0, ja;q=0.1', 'ja'],
    ['ru;q=1.2.3, ja', 'ja'],
    [';;;,,=', 'en-US'],
    ['ideas, rules', 'en-US'],
    ['x'.repeat(10_000), 'en-US'],
    [undefined, 'en-US'],
  ])('%s', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale);
  });
});
