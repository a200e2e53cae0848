import { expect, test } from 'vitest';
import { cellsOf, columnsOf, MOST_COLUMNS, readTable, rowCount } from './delimited.ts';

const rowsOf = (text: string) => {
  const table = readTable(text);
  return Array.from({ length: rowCount(table) }, (_, row) => cellsOf(table, row));
};

test.each([
  ['commas', 'a,b\n1,2\n', ','],
  ['semicolons, with decimal commas', 'name;price\nx;1,5\ny;2,25\n', ';'],
  ['tabs', 'a\tb, c\td\n1\t2, 3\t4\n', '\t'],
  ['bars', 'a|b|c\n1|2|3', '|'],
  ['the line for Excel', 'sep=;\na,b;c\n', ';'],
  ['one column', 'a\nb\n', ','],
])('cells are divided by %s', (_, text, delimiter) => {
  expect(readTable(text).delimiter).toBe(delimiter);
});

test('quoted cells contain delimiters, line ends and quotation marks', () => {
  expect(rowsOf('a,"b, ""c""\nd"\r\n"",e')).toEqual([
    ['a', 'b, "c"\nd'],
    ['', 'e'],
  ]);
});

test('a quotation mark that is never closed, or inside a cell, is text', () => {
  expect(rowsOf('size,name\n"5 inch,x\n2,y')).toEqual([
    ['size', 'name'],
    ['"5 inch', 'x'],
    ['2', 'y'],
  ]);
  expect(rowsOf('5" tube,x\n')).toEqual([['5" tube', 'x']]);
});

test('line ends of every system end a row, and empty cells remain', () => {
  expect(rowsOf('a,b\rc,\r\n,d\n')).toEqual([
    ['a', 'b'],
    ['c', ''],
    ['', 'd'],
  ]);
  expect(rowsOf('')).toEqual([]);
});

test('tables made to exhaust a browser are cut', () => {
  const wide = rowsOf(`${'x,'.repeat(100_000)}\n`);
  expect(wide[0]).toHaveLength(MOST_COLUMNS + 1);
  expect(rowsOf(`"${'x'.repeat(1e6)}",b`)[0]![0]!.length).toBeLessThan(1100);
  expect(rowCount(readTable('\n'.repeat(2e6)))).toBe(500_000);
  expect(columnsOf(readTable(`${'x'.repeat(1e6)},1\n`), false)[0]!.letters).toBe(40);
});

test('columns of numbers are recognized below the header', () => {
  const columns = columnsOf(readTable('name;sum;share\na;1.234,5;7 %\nb;−2;12%\nc;;3 %'), true);
  expect(columns.map(({ isNumeric }) => isNumeric)).toEqual([false, true, true]);
});
