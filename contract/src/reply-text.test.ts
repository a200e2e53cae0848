import { expect, test } from 'vitest';
import { frozenList, replyText } from './reply-text.ts';

const list = () =>
  frozenList([
    { name: 'a "b"', tags: [{ type: 0 }] },
    { name: '写真', tags: [] },
  ]);

test.each([
  ['a reply without lists', { id: '1', left: undefined, more: null }],
  ['a frozen list', { files: list(), next: '', left: undefined, own: false }],
  ['two frozen lists', { files: list(), 'a "name"': list() }],
  ['a list of replies', [{ files: list() }]],
  ['a text', 'text'],
  ['nothing', null],
])('%s becomes the same text as with JSON.stringify', (_, reply) => {
  expect(replyText(reply)).toBe(JSON.stringify(reply));
  expect(replyText(reply)).toBe(JSON.stringify(reply));
});

test('a frozen list can no longer be changed, nor can its entries', () => {
  const files = list();
  expect(() => files.push(files[0]!)).toThrow(TypeError);
  expect(() => (files[0]!.name = 'b')).toThrow(TypeError);
  expect(() => (files[0]!.tags[0]!.type = 1)).toThrow(TypeError);
});

test('a list that may still change is converted each time', () => {
  const files = [{ name: 'a' }];
  const reply = { files };
  expect(replyText(reply)).toBe('{"files":[{"name":"a"}]}');
  files[0]!.name = 'b';
  expect(replyText(reply)).toBe('{"files":[{"name":"b"}]}');
});
