import { expect, test } from 'vitest';
import { frozenList } from '@bowerbird/contract';
import { isSameReply, knownReply } from './known-reply.ts';

const files = () => frozenList([{ name: 'a.txt', size: '1' }]);

test('a reply is the same with the same list, and with an equal one', () => {
  const list = files();
  const known = knownReply({ files: list, title: 'Finds', token: 'one' }, ['one']);
  expect(isSameReply({ files: list, title: 'Finds', token: 'two' }, known, ['two'])).toBe(true);
  const equal = files();
  expect(isSameReply({ files: equal, title: 'Finds', token: 'two' }, known, ['two'])).toBe(true);
  expect(known.lists.get('files')).toBe(equal);
});

test.each([
  ['another list', { files: frozenList([{ name: 'b.txt', size: '1' }]), title: 'Finds' }],
  ['another field', { files: files(), title: 'Lost' }],
  ['a field more', { files: files(), title: 'Finds', own: true }],
  ['a field less', { files: files() }],
  ['no list', { title: 'Finds' }],
  ['a list more', { files: files(), title: 'Finds', ancestors: frozenList([]) }],
  ['a list that may change', { files: [...files()], title: 'Finds' }],
  ['0 in place of the list', { files: 0, title: 'Finds' }],
  ['null', null],
])('a reply with %s is another', (_, reply) => {
  const known = knownReply({ files: files(), title: 'Finds' }, []);
  expect(isSameReply(reply, known, [])).toBe(false);
});

test('what only one visitor has may differ only where it belongs', () => {
  const known = knownReply({ title: 'one', token: 'one' }, ['one']);
  expect(isSameReply({ title: 'two', token: 'two' }, known, ['two'])).toBe(true);
  expect(isSameReply({ title: 'one', token: 'two' }, known, ['two'])).toBe(false);
});
