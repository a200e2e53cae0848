import { expect, test } from 'vitest';
import { placeHref, searchHref, searchIn } from './search-address.ts';

const read = (address: string) => searchIn(new URL(address, 'https://drive.test').searchParams);

test.each([
  [{ text: 'beach', folder: '' }, '/drive/search?q=beach'],
  [{ text: '', folder: '' }, '/drive/search'],
  [{ text: '', folder: 'V0abc' }, '/drive/search?folder=V0abc'],
  [{ text: '100% & "a b" +?#', folder: '' }, '/drive/search?q=100%25+%26+%22a+b%22+%2B%3F%23'],
  [{ text: '海 type:image', folder: 'V0a-b_c' }, '/drive/search?q=%E6%B5%B7+type%3Aimage&folder=V0a-b_c'],
])('%j is kept in an address', (search, address) => {
  expect(searchHref(search)).toBe(address);
  expect(read(address)).toEqual(search);
});

test('spaces around a search are not part of its address, and what is no folder is ignored', () => {
  expect(searchHref({ text: '  sea ', folder: '' })).toBe('/drive/search?q=sea');
  expect(read('/drive/search?q=%20sea%20&folder=../..')).toEqual({ text: 'sea', folder: '' });
  expect(read(`/drive/search?folder=${'x'.repeat(65)}`).folder).toBe('');
});

test('an item is shown in its folder', () => {
  expect(placeHref({ id: 'f1', parent_id: '' })).toBe('/drive/all?action=highlight_files&file_ids=f1');
  expect(placeHref({ id: 'f1', parent_id: 'd1' })).toBe('/drive/all/d1?action=highlight_files&file_ids=f1');
});
