import { describe, expect, test } from 'vitest';
import { pageLocale, splitLocale } from './page-services.ts';

const at = (path: string, cookie?: string, accept?: string) =>
  pageLocale(new URL(path, 'https://drive.example'), cookie, accept);

describe('the language of a page', () => {
  test('is taken from the parameter, then the path, then the cookie, then the browser, then English', () => {
    expect(at('/ru/faq?locale=ja', 'es', 'ko')).toBe('ja');
    expect(at('/ru/faq', 'es', 'ko')).toBe('ru');
    expect(at('/faq', 'es', 'ko')).toBe('es');
    expect(at('/faq', undefined, 'ko;q=0.5, pt-BR')).toBe('pt');
    expect(at('/faq')).toBe('en-US');
  });

  test('is recognized by the first two letters of a parameter, Chinese by its script and region', () => {
    expect(at('/?locale=ru-RU')).toBe('ru');
    expect(at('/?locale=zh-Hant')).toBe('zh-TW');
    expect(at('/?locale=zh-HK')).toBe('zh-TW');
    expect(at('/?locale=zh')).toBe('zh-CN');
  });

  test('ignores languages that we do not have', () => {
    expect(at('/?locale=xx', 'nonsense', 'tlh')).toBe('en-US');
  });
});

describe('a locale segment', () => {
  test.each(['/ideas', '/blabla', '/xx-XX/faq', '/EN-us/faq', '/en/faq', '/rules', '//ru'])(
    'is absent from %s',
    (path) => {
      expect(splitLocale(path)).toEqual({ prefix: undefined, path });
    },
  );

  test.each([
    ['/ru', 'ru', '/'],
    ['/ru/', 'ru', '/'],
    ['/zh-CN/drive/all', 'zh-CN', '/drive/all'],
    ['/id/ideas', 'id', '/ideas'],
  ])('in %s is %s before %s', (pathname, prefix, path) => {
    expect(splitLocale(pathname)).toEqual({ prefix, path });
  });
});
