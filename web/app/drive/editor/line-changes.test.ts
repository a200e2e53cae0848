import { expect, test } from 'vitest';
import { lineChanges } from './line-changes.ts';

const shown = (before: string, after: string): string[] =>
  lineChanges(before, after).map((line) =>
    line === undefined ? '…' : `${{ same: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`,
  );

test('lines that differ are shown with three lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const changed = lines.with(10, 'ten').toSpliced(12, 1);
  expect(shown(lines.join('\n'), changed.join('\n'))).toEqual([
    '…',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+ten',
    ' line 11',
    '-line 12',
    ' line 13',
    ' line 14',
    ' line 15',
    '…',
  ]);
  expect(shown('a', 'a\nb')).toEqual([' a', '+b']);
  expect(shown('same', 'same')).toEqual(['…']);
});
