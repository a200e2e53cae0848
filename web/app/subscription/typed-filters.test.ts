import { LOCALES } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { filtersOf, sizeOf, typed } from './typed-filters.ts';

test('filters are separated by the commas of any language', () => {
  const filters = filtersOf({ include: 'blue, bower bird ,blue，鸟、羽', exclude: ' ', min: '', max: '' });
  expect(filters).toEqual({
    include: ['blue', 'bower bird', '鸟', '羽'],
    exclude: [],
    min_size: '',
    max_size: '',
  });
});

test.each([
  ['700 MB', 700 * 2 ** 20],
  ['700', 700 * 2 ** 20],
  ['1,5 gb', 1.5 * 2 ** 30],
  ['2GiB', 2 * 2 ** 30],
  ['１０ MB', 10 * 2 ** 20],
  ['1,5 ГБ', 1610612736],
  ['700 мб', 734003200],
])('the size “%s” is parsed', (text, bytes) => {
  expect(sizeOf(text)).toBe(String(bytes));
});

test.each(['much', '-1 MB', '5 XB', '1.5.2 GB'])('“%s” is rejected as a size', (text) => {
  expect(sizeOf(text)).toBeUndefined();
  expect(filtersOf({ include: '', exclude: '', min: text, max: '' })).toBeUndefined();
});

test('saved filters are shown as they can be typed', () => {
  const filters = { include: ['a', 'b c'], exclude: ['d'], min_size: '1048576', max_size: '1610612736' };
  expect(typed(filters, 'en-US')).toEqual({ include: 'a, b c', exclude: 'd', min: '1 MB', max: '1.5 GB' });
  expect(typed(filters, 'uk')).toMatchObject({ min: '1 МБ', max: '1.5 ГБ' });
  for (const locale of LOCALES) expect(filtersOf(typed(filters, locale))).toEqual(filters);
});
