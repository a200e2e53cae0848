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
  test('without a locale stays unchanged', () => {
    expect(visit('/drive/all?view=list')).toEqual({ to: undefined, kept: {} });
  });

  test('with a locale does not change the chosen language', () => {
    expect(visit('/ru/drive/all')).toEqual({ to: undefined, kept: {} });
  });

  test('with a locale parameter sets the language, also without a locale in the path', () => {
    expect(visit('/faq?locale=ja')).toEqual({ to: undefined, kept: { pp_locale: 'ja' } });
    expect(visit('/faq?locale=ja', { pp_locale: 'ja' })).toEqual({ to: undefined, kept: {} });
  });

  test('with different locales in parameter and path is redirected to that of the parameter', () => {
    expect(visit('/ru/faq?locale=ja&view=list')).toEqual({
      to: '/ja/faq?view=list',
      kept: { pp_locale: 'ja' },
    });
  });

  test.each(['/manifest.webmanifest', '/offline', '/blog/feed.xml', '/ru/blog/feed.xml', '/sitemap.xml'])(
    '%s is requested by programs: its parameter does not set the language',
    (path) => {
      expect(visit(`${path}?locale=ja`).kept).toEqual({});
    },
  );

  test('with an unknown locale parameter stays unchanged', () => {
    expect(visit('/ru/faq?locale=xx')).toEqual({ to: undefined, kept: {} });
  });
});

describe('a share under a locale', () => {
  test('is redirected without the locale, which is stored', () => {
    expect(visit('/ru/s/abc/def?s_code=k7pm')).toEqual({
      to: '/s/abc/def?s_code=k7pm',
      kept: { pp_locale: 'ru' },
    });
    expect(visit('/zh-TW/auth')).toEqual({ to: '/auth', kept: { pp_locale: 'zh-TW' } });
    expect(visit('/ru/loading?x=1')).toEqual({ to: '/loading?x=1', kept: { pp_locale: 'ru' } });
  });

  test('uses the language of the parameter if there is one', () => {
    expect(visit('/ru/s/abc?locale=ja')).toEqual({ to: '/s/abc', kept: { pp_locale: 'ja' } });
  });

  test('never redirects to another site', () => {
    expect(visit('/ru//s/evil').to).toBeUndefined();
    expect(visit('/ru//evil.example?locale=ja').to).toBe('/ja/evil.example');
  });
});
