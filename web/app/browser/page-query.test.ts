import { expect, test } from 'vitest';
import { idsSaid, originSaid, portSaid, programSaid } from './page-query.ts';

test('empty ids are removed from a list', () => {
  expect(idsSaid(new URLSearchParams('file_ids=a,,b,'), 'file_ids')).toEqual(['a', 'b']);
  expect(idsSaid(new URLSearchParams(''), 'task_id')).toEqual([]);
});

test.each([
  ['port=1f90', 8080],
  ['port=1F90', 8080],
  ['port=ffff', 65535],
  ['port=80', 128],
])('%s is a hexadecimal port', (query, port) => {
  expect(portSaid(new URLSearchParams(query))).toBe(port);
});

test.each(['', 'port=', 'port=0', 'port=10000', 'port=0x50', 'port=-1', 'port=80g', 'port=1.5'])(
  '“%s” is not a port',
  (query) => {
    expect(portSaid(new URLSearchParams(query))).toBeUndefined();
  },
);

test('only known programs are accepted', () => {
  expect(programSaid(new URLSearchParams('from_source=pc_client'))).toBe('pc_client');
  expect(programSaid(new URLSearchParams('from_source=pp_browser_extension'))).toBe('pp_browser_extension');
  for (const query of ['', 'from_source=', 'from_source=PC_CLIENT', 'from_source=toString'])
    expect(programSaid(new URLSearchParams(query))).toBeUndefined();
});

test('the parent page is identified by its origin only', () => {
  expect(originSaid(new URLSearchParams('origin=https://portal.test/page?x=1'))).toBe('https://portal.test');
  for (const origin of ['', 'portal.test', 'javascript:alert(1)', 'file:///etc', '*'])
    expect(originSaid(new URLSearchParams({ origin }))).toBeUndefined();
});
