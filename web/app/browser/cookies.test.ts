import { describe, expect, test } from 'vitest';
import { cookieText, parseCookies } from './cookies.ts';

describe('a cookie', () => {
  test('is SameSite=Strict, for the whole site, and Secure on HTTPS pages', () => {
    expect(cookieText('pp_locale', 'ja', {}, true)).toBe('pp_locale=ja; Path=/; SameSite=Strict; Secure');
    expect(cookieText('pp_theme', 'dark', { maxAge: 60, sameSite: 'lax' }, false)).toBe(
      'pp_theme=dark; Path=/; SameSite=Lax; Max-Age=60',
    );
  });

  test('carries any value without adding attributes', () => {
    expect(cookieText('a', 'x; Domain=evil\r\nb=日', {}, false)).toBe(
      'a=x%3B%20Domain%3Devil%0D%0Ab%3D%E6%97%A5; Path=/; SameSite=Strict',
    );
  });

  test.each([
    ['a b', {}],
    ['', {}],
    ['a;b', {}],
    ['a', { path: '/;Secure' }],
    ['a', { maxAge: 1.5 }],
    ['a', { maxAge: Number.NaN }],
  ])('named %j with %j is rejected', (name, options) => {
    expect(() => cookieText(name, '', options, false)).toThrow(TypeError);
  });
});

test('a cookie header is parsed without trusting its values', () => {
  expect(parseCookies('pp_locale=ja; bad=%E0%A4%A; =x; flag; pp_locale=ru; a=%3B=')).toEqual({
    pp_locale: 'ja',
    a: ';=',
  });
  expect(parseCookies('')).toEqual({});
});
