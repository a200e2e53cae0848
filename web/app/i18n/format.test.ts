import type { Locale } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  createFormat,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatFullDate,
  formatRelative,
  knownTimeZone,
} from './format.ts';

const KB = 1024;

describe('sizes', () => {
  test('change unit every 1024 and show at most three digits', () => {
    const sizes = [
      0,
      1,
      1023,
      KB,
      1536,
      10.5 * KB,
      100.4 * KB,
      KB ** 2,
      4.2 * KB ** 3,
      3 * KB ** 4,
      5 * KB ** 5,
      5000 * KB ** 5,
    ];
    expect(sizes.map((size) => formatBytes('en-US', size))).toEqual([
      '0 B',
      '1 B',
      '1,023 B',
      '1 KB',
      '1.5 KB',
      '10.5 KB',
      '100 KB',
      '1 MB',
      '4.2 GB',
      '3 TB',
      '5 PB',
      '5,000 PB',
    ]);
  });

  test('do not round up to 1,024 of a unit', () => {
    expect(formatBytes('en-US', KB ** 2 - 1)).toBe('1 MB');
    expect(formatBytes('en-US', 1023.96 * KB ** 2)).toBe('1 GB');
    expect(formatBytes('en-US', 1023.4 * KB ** 2)).toBe('1,023 MB');
  });

  test('use the numbers and units of the language', () => {
    expect(formatBytes('ru', 1536)).toBe('1,5 КБ');
    expect(formatBytes('uk', 10 * KB ** 3)).toBe('10 ГБ');
    expect(formatBytes('es', 1536)).toBe('1,5 KB');
    expect(formatBytes('ja', 700)).toBe('700 B');
  });

  test('are read from decimal strings; invalid ones are a dash', () => {
    const format = createFormat(
      'en-US',
      () => 'UTC',
      () => 0,
    );
    expect(format.bytes('1536')).toBe('1.5 KB');
    expect(format.bytes('x')).toBe('—');
    expect(format.bytes(-1)).toBe('—');
  });
});

describe('times', () => {
  test('have one format in every language, in the reader’s time zone', () => {
    expect(formatDateTime('2026-11-24T23:12:00.000Z', 'UTC', true)).toBe('26-11-24 23:12');
    expect(formatDateTime('2026-11-24T23:12:00.000Z', 'Asia/Tokyo', true)).toBe('26-11-25 08:12');
    expect(formatDateTime('2026-11-24T23:12:00.000Z', 'America/Sao_Paulo', false)).toBe('26-11-24');
    expect(formatDateTime('2026-11-24T00:00:00.000Z', 'UTC', true)).toBe('26-11-24 00:00');
  });

  test.each(['UTC', 'Asia/Tokyo', 'America/Sao_Paulo', 'Pacific/Kiritimati'])(
    'without a time of day keep their date in %s',
    (zone) => {
      expect(formatDateTime('2023-11-06', zone, false)).toBe('23-11-06');
    },
  );

  test('in full use the format of the language, with the time zone', () => {
    const full = (locale: Locale, zone = 'Europe/Moscow') =>
      formatFullDate(locale, '2026-11-24T23:12:00.000Z', zone, true).replaceAll('\u202f', ' ');
    expect(full('en-US')).toBe('November 25, 2026 at 2:12 AM GMT+3');
    expect(full('ru')).toBe('25 ноября 2026 г. в 02:12 GMT+3');
    expect(full('ja')).toBe('2026年11月25日 2:12 GMT+3');
    expect(full('en-US', 'UTC')).toBe('November 24, 2026 at 11:12 PM UTC');
    expect(formatFullDate('es', '2026-11-24T23:12:00.000Z', 'UTC', false)).toBe('24 de noviembre de 2026');
  });

  test('in full, without a time of day, keep their date in every time zone', () => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Sao_Paulo'])
      expect(formatFullDate('en-US', '2023-11-06', zone, true)).toBe('November 6, 2023');
  });

  test('that are invalid are a dash', () => {
    expect(formatFullDate('en-US', '', 'UTC', true)).toBe('—');

    expect(formatDateTime('', 'UTC', true)).toBe('—');
    expect(formatDateTime('soon', 'UTC', true)).toBe('—');
  });

  test('are shown relative to now', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    expect(formatRelative('en-US', '2026-11-21T11:00:00Z', now)).toBe('3 days ago');
    expect(formatRelative('ja', '2026-11-23T11:00:00Z', now)).toBe('昨日');
  });

  test('in the future are rounded, so that a just-set time reads as it was set', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    const inSeconds = (seconds: number, locale: 'en-US' | 'ru' = 'en-US') =>
      formatRelative(locale, new Date(now + seconds * 1000).toISOString(), now);
    const day = 86_400;
    expect([1, 7, 14, 30].map((days) => inSeconds(days * day - 3))).toEqual([
      'in 24 hours',
      'in 7 days',
      'in 14 days',
      'in 30 days',
    ]);
    expect([20, 90, 3599, 7199, 7201].map((seconds) => inSeconds(seconds))).toEqual([
      'now',
      'in 2 minutes',
      'in 60 minutes',
      'in 2 hours',
      'in 2 hours',
    ]);
    expect([47.4 * 3600, 47.6 * 3600, 59 * day, 61 * day, 3 * 365 * day].map((s) => inSeconds(s))).toEqual([
      'in 47 hours',
      'in 2 days',
      'in 59 days',
      'in 2 months',
      'in 3 years',
    ]);
    expect(inSeconds(2 * day, 'ru')).toBe('через 2 дня');
    expect(inSeconds(0)).toBe('now');
  });

  test('in a made-up time zone of a cookie are not used', () => {
    expect(knownTimeZone('Europe/Kyiv')).toBeDefined();
    for (const name of [undefined, '', 'Mars/Olympus', 'x'.repeat(500), '<script>'])
      expect(knownTimeZone(name)).toBeUndefined();
  });

  test('as durations are shown as in a player', () => {
    expect([0, 5, 65, 3723].map(formatDuration)).toEqual(['0:00', '0:05', '1:05', '1:02:03']);
  });
});
