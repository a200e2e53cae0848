import { describe, expect, test } from 'vitest';
import { matchLocale, negotiateLocale } from './locales.ts';

describe('a Chinese language tag', () => {
  test.each([
    'zh-Hant',
    'zh-HK',
    'zh-MO',
    'zh-TW',
    'zh_mo',
    'zh-Hant-MO',
    'zh-Hant-CN',
    'yue',
    'yue-HK',
    'zh-yue',
    'yue-Hant-CN',
    'nan-TW',
    'hak-TW',
    'cmn-Hant',
    'cmn-TW',
  ])('is Traditional for %s', (tag) => {
    expect(matchLocale(tag)).toBe('zh-TW');
  });

  test.each([
    'zh',
    'zh-CN',
    'zh-SG',
    'zh-Hans',
    'zh-Hans-HK',
    'zh-Hans-MO',
    'yue-Hans',
    'yue-CN',
    'cmn',
    'wuu',
    'nan',
  ])('is Simplified for %s', (tag) => {
    expect(matchLocale(tag)).toBe('zh-CN');
  });
});

describe('an Accept-Language header selects', () => {
  test.each([
    ['ko;q=0.5, pt-BR', 'pt'],
    ['ja ; q=0.1 , ko ; q=0.9', 'ko'],
    ['ja\t;\tq=0.1\t,\tko;Q=0.9', 'ko'],
    ['in', 'id'],
    ['in-ID, en;q=0.5', 'id'],
    ['iw, ru;q=0.2', 'ru'],
    ['ji', 'en-US'],
    ['*;q=0.5, ja;q=0.4', 'en-US'],
    ['*;q=0.5, ja;q=0.6', 'ja'],
    ['ja;q=0.5, *;q=0.5', 'ja'],
    ['*, en;q=0', 'es'],
    ['en;q=0, *;q=0.1, es;q=0, id;q=0', 'ja'],
    ['en;q=0', 'es'],
    ['en;q=0, en-US', 'en-US'],
    ['en-GB, en;q=0, ru;q=0.1', 'ru'],
    ['en-GB;q=0, en-US;q=0.5, ru;q=0.4', 'en-US'],
    ['zh;q=0, zh-TW;q=0.5', 'zh-TW'],
    ['zh-Hant;q=0, zh-HK, ko;q=0.1', 'ko'],
    ['zh-CN;q=0, zh-TW;q=0.1', 'zh-TW'],
    ['zh-Hans-HK, zh-HK;q=0.8', 'zh-CN'],
    ['ja;q=0.5;level=1, ko;q=0.4', 'ja'],
    ['ja;q=2, ko;q=0.4', 'ko'],
    ['ja;q=0.1234, ko;q=0.1', 'ko'],
    ['ja;q=, ko;q=0.1', 'ko'],
    ['ja;q=-1, ko;q=0.1', 'ko'],
    ['ja;q=1.000, ko', 'ja'],
    ['ja x, ko;q=0.1', 'ko'],
    ['', 'en-US'],
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
