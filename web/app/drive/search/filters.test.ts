import { expect, test } from 'vitest';
import { formatSearch, parseSearch } from '@bowerbird/contract';
import { createFormat } from '#app/i18n/format.ts';
import { createT, type T } from '#app/i18n/t.ts';
import catalogue from '../../../../locales/en-US.json' with { type: 'json' };
import {
  changedFilters,
  dayAfter,
  daysOf,
  modifiedText,
  sizeText,
  toggled,
  typesText,
  type FilterChanges,
} from './filters.ts';

const t: T = createT('en-US', catalogue as never);
const format = createFormat(
  'en-US',
  () => 'America/New_York',
  () => 0,
);

function after(text: string, changes: FilterChanges): string {
  const query = parseSearch(text);
  return formatSearch({ ...query, filters: changedFilters(query.filters, changes) });
}

test('a filter writes its text into the search, and removes it', () => {
  expect(after('beach', { types: ['video'] })).toBe('beach type:video');
  expect(after('type:video beach', { types: undefined })).toBe('beach');
  expect(after('beach type:video', { types: toggled(['video'], 'video') })).toBe('beach');
  expect(after('beach type:video', { types: toggled(['video'], 'pdf') })).toBe('beach type:video,pdf');
  expect(after('size:1mb..2mb x', { maxSize: undefined, minSize: 1024 ** 3 })).toBe('x >1gb');
  expect(after('x after:2026-01-01', { modified: 'week', after: undefined })).toBe('x modified:week');
  expect(after('is:starred x', { is: toggled(['starred'], 'shared') })).toBe('x is:starred,shared');
});

test('typed filters are shown in words', () => {
  const shown = (text: string) => {
    const { filters } = parseSearch(text);
    return [typesText(t, filters), sizeText(t, format, filters), modifiedText(t, format, filters)].filter(
      Boolean,
    );
  };
  expect(shown('type:video,pdf')).toEqual(['Videos, PDFs']);
  expect(shown('>1gb')).toEqual(['Larger than 1 GB']);
  expect(shown('<500kb')).toEqual(['Smaller than 500 KB']);
  expect(shown('size:1mb..2mb')).toEqual(['1 MB – 2 MB']);
  expect(shown('modified:today')).toEqual(['Today']);
  expect(shown('modified:week')).toEqual(['Last 7 days']);
  expect(shown('modified:1d')).toEqual(['Today']);
  // Days are those that were typed, whatever the time zone is.
  expect(shown('after:2026-01-31 before:2027')).toEqual(['Since 26-01-31, Before 27-01-01']);
  expect(shown('beach')).toEqual([]);
});

test('periods that mean the same have the same number of days', () => {
  expect(['today', '7d', 'week', 'month', '365d', 'year'].map(daysOf)).toEqual([1, 7, 7, 30, 365, 365]);
  expect(daysOf('')).toBeUndefined();
});

test('the day after or before another is right at the ends of months and years', () => {
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  expect(dayAfter('2028-03-01', -1)).toBe('2028-02-29');
});
