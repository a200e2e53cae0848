import { expect, test } from 'vitest';
import { openLogBook } from './log-book.ts';

function open() {
  const heard: unknown[][] = [];
  const hear = (...said: unknown[]): void => void heard.push(said);
  const console = { log: hear, info: hear, warn: hear, error: hear };
  const target = new EventTarget();
  return { book: openLogBook(target, console), console, target, heard, hear };
}

test('console messages are recorded, and still printed', () => {
  const { book, console, heard } = open();
  console.warn('a', { b: 1 }, 2n);
  expect(book.entries()).toMatchObject([{ level: 'warn', text: 'a {"b":1} 2' }]);
  expect(heard).toEqual([['a', { b: 1 }, 2n]]);
});

test('uncaught errors are recorded as errors', () => {
  const { book, target } = open();
  target.dispatchEvent(Object.assign(new Event('error'), { error: new Error('broken') }));
  target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'refused' }));
  expect(book.entries().map(({ level, text }) => [level, text.split('\n', 1)[0]])).toEqual([
    ['error', 'Error: broken'],
    ['error', 'refused'],
  ]);
});

test('the last five hundred entries are kept', () => {
  const { book, console } = open();
  for (let line = 1; line <= 620; line++) console.log(String(line));
  expect([book.entries().length, book.entries()[0]?.text]).toEqual([500, '121']);
});

test('closing the log restores the console', () => {
  const { book, console, hear } = open();
  book.close();
  expect(console.log).toBe(hear);
  console.log('more');
  expect(book.entries()).toEqual([]);
});
