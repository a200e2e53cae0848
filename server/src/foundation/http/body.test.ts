import { expect, test } from 'vitest';
import { parseBody, splitBytes } from './body.ts';

const parsed = (text: string): unknown => parseBody(Buffer.from(text));

test.each([
  ['', {}],
  [' \n', {}],
  ['{"a":1,"b":["x"]}', { a: 1, b: ['x'] }],
  ['\ufeff {"a":1}', { a: 1 }],
  ['a=1&b=two%20words', { a: '1', b: 'two words' }],
  ['\ufeffa=1', { a: '1' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['a=1&b=x&a=2&a=3', { a: ['1', '2', '3'], b: 'x' }],
])('%j is parsed by its content', (text, fields) => {
  expect(parsed(text)).toEqual(fields);
});

test.each(['{', '{"a":1', '[1]', '[]'])('%j is rejected', (text) => {
  expect(() => parsed(text)).toThrow('invalid_argument');
});

test('no form field reaches the prototype of the parsed object', () => {
  const fields = parsed('toString=x&__proto__=y') as Record<string, unknown>;
  expect(fields['toString']).toBe('x');
  expect(Object.getPrototypeOf(fields) === Object.prototype || fields['__proto__'] === 'y').toBe(true);
});

test.each([
  ['{"a":1}\nx\ny', { a: 1 }, 'x\ny'],
  ['{"a":1}\n', { a: 1 }, ''],
  ['{"a":1}', { a: 1 }, ''],
  ['\nx', {}, 'x'],
])('%j is a body in the first line, and bytes', (request, fields, bytes) => {
  const { body, bytes: found } = splitBytes(Buffer.from(request));
  expect(body).toEqual(fields);
  expect(Buffer.from(found).toString()).toBe(bytes);
});
