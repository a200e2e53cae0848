import { expect, test } from 'vitest';
import { segmentsOf } from './archive-names.ts';

test('path segments that lead outside the folder are removed from a name', () => {
  expect(segmentsOf('../a/./b\\..\\c//d/')).toEqual(['a', 'b', 'c', 'd']);
  expect(segmentsOf('C:\\windows\\x')).toEqual(['windows', 'x']);
  expect(segmentsOf('/etc/passwd')).toEqual(['etc', 'passwd']);
  expect(segmentsOf('..')).toEqual([]);
});
