import { describe, expect, test } from 'vitest';
import { followLocaleRule } from './locale-rule.ts';

function visit(path: string, cookies: Record<string, string> = {}) {
  const kept: Record<string, string> = {};
  const response = followLocaleRule(new URL(path, 'https://drive.example'), {
    cookies,
    setCookie: (name, value) => {
      kept[name] = value;
    },
  });
  return { to: response?.headers.get('location'), kept };
}

describe('the address of a page', () => {
  test('without a locale stays as it is', () => {
    expect(visit('/drive/all?view=list')).toEqual({ to: undefined, kept: {} });
  });

  test('with a locale is not kept as a choice: a link from elsewhere decides for its own page only', () => {
    expect(visit('/ru/drive/all')).toEqual({ to: undefined, kept: {} });
  });

  test('with a locale parameter sets the language, also without a segment', () => {
    expect(visit('/faq?locale=ja')).toEqual({ to: undefined, kept: { pp_locale: 'ja' } });
    expect(visit('/faq?locale=ja', { pp_locale: 'ja' })).toEqual({ to: undefined, kept: {} });
  });

  test('whose parameter and segment differ becomes that of the parameter', () => {
    expect(visit('/ru/faq?locale=ja&view=list')).toEqual({
      to: '/ja/faq?view=list',
      kept: { pp_locale: 'ja' },
    });
  });

  test.each(['/manifest.webmanifest', '/offline', '/blog/feed.xml', '/ru/blog/feed.xml', '/sitemap.xml'])(
    '%s is fetched by programs: its parameter is nobody’s choice',
    (path) => {
      expect(visit(`${path}?locale=ja`).kept).toEqual({});
    },
  );

  test('with a parameter that is no language is left alone', () => {
    expect(visit('/ru/faq?locale=xx')).toEqual({ to: undefined, kept: {} });
  });
});

describe('a share behind a locale', () => {
  test('loses the locale, which is kept', () => {
    expect(visit('/ru/s/abc/def?s_code=k7pm')).toEqual({
      to: '/s/abc/def?s_code=k7pm',
      kept: { pp_locale: 'ru' },
    });
    expect(visit('/zh-TW/auth')).toEqual({ to: '/auth', kept: { pp_locale: 'zh-TW' } });
    expect(visit('/ru/loading?x=1')).toEqual({ to: '/loading?x=1', kept: { pp_locale: 'ru' } });
  });

  test('takes the language of the parameter where there is one', () => {
    expect(visit('/ru/s/abc?locale=ja')).toEqual({ to: '/s/abc', kept: { pp_locale: 'ja' } });
  });

  test('is no way to another site', () => {
    expect(visit('/ru//s/evil').to).toBeUndefined();
    expect(visit('/ru//evil.example?locale=ja').to).toBe('/ja/evil.example');
  });
});
