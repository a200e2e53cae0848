import { expect, test } from 'vitest';
import { deviceOf } from './platform.ts';

const of = (agent: string, hints: Record<string, string> = {}) =>
  deviceOf(new Headers({ 'user-agent': agent, ...hints }));

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, 'android', 'chrome', true],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${CHROME} SamsungBrowser/26.0 Mobile Safari/537.36`,
    'android',
    'samsung',
    true,
  ],
  [`Mozilla/5.0 (Linux; Android 13; Tab) ${CHROME} Safari/537.36`, 'android', 'chrome', false],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'ios',
    'safari',
    true,
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'android', 'firefox', true],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`,
    'windows',
    'edge',
    false,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'mac',
    'safari',
    false,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'linux', 'firefox', false],
  [`Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) ${CHROME} TV Safari/537.36`, 'tv', 'chrome', false],
  [`Mozilla/5.0 (Web0S; Linux/SmartTV) ${CHROME} Safari/537.36`, 'tv', 'chrome', false],
  [`Mozilla/5.0 (Linux; Android 11; AFTKA) ${CHROME} Mobile Safari/537.36`, 'tv', 'chrome', false],
  ['curl/8.5.0', 'other', 'other', false],
])('%s is recognized', (agent, platform, browser, isPhone) => {
  expect(of(agent)).toEqual({ platform, browser, isPhone });
});

test('client hints take precedence over the user agent', () => {
  const desktop = `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`;
  expect(of(desktop, { 'sec-ch-ua-platform': '"Android"', 'sec-ch-ua-mobile': '?1' })).toEqual({
    platform: 'android',
    browser: 'chrome',
    isPhone: true,
  });
  expect(of(desktop, { 'sec-ch-ua-platform': '"macOS"', 'sec-ch-ua-mobile': '?0' }).platform).toBe('mac');
});
