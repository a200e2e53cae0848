import { expect, test } from 'vitest';
import { fitting } from './fitting.ts';

const columns = ['150px', 'minmax(100px, 160px)', '100px'].map((width) => ({
  id: width,
  label: width,
  width,
  cell: () => width,
}));

test('columns that leave no room for names are left out, the last ones first', () => {
  expect(fitting(columns, 609)).toHaveLength(2);
  expect(fitting(columns, 610)).toHaveLength(3);
  const more = [...columns, ...columns];
  expect(fitting(more, 899)).toHaveLength(3);
  expect(fitting(more, 900)).toHaveLength(4);
});

test('a row with two lines shows all facts, and so does a list of unknown width', () => {
  expect(fitting(columns, 599)).toHaveLength(3);
  expect(fitting(columns, undefined)).toHaveLength(3);
});
