import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds, readIf, readLockToken, submittedTokens } from './if-header.ts';

const state =
  (etag: string | undefined, ...tokens: string[]) =>
  async () => ({ etag, tokens: new Set(tokens) });

test('a lock token is read with and without angle brackets', () => {
  for (const text of ['<urn:uuid:a>', 'urn:uuid:a', ' <urn:uuid:a> ', '  urn:uuid:a'])
    expect(readLockToken(text), text).toBe('urn:uuid:a');
  for (const text of [undefined, '', '<>', '<urn:uuid:a', 'urn:uuid:a>', 'urn:uuid:a urn:uuid:b', '<a><b>'])
    expect(readLockToken(text), text).toBeUndefined();
});

describe('conditions in an If header', () => {
  test.each([
    ['(<urn:a>)', true],
    ['(<urn:b>)', false],
    ['(Not <urn:b>)', true],
    ['(<urn:a> ["1"])', true],
    ['(<urn:a> ["2"])', false],
    ['(<urn:a> [W/"1"])', false],
    ['(<urn:b>) (Not <DAV:no-lock>)', true],
    ['(<urn:b>)(<urn:a>)', true],
    ['  (<urn:a>   not ["2"])  ', true],
    ['(Not <urn:a>)', false],
  ])('%s, for a resource with the lock urn:a and the tag "1": %s', async (header, expected) => {
    expect(await holds(readIf(header), state('"1"', 'urn:a'))).toBe(expected);
  });

  test('can refer to resources other than the requested one', async () => {
    const lists = readIf('</dav/a> (<urn:a>) (<urn:b>) <http://h/dav/c> (["3"])');
    expect(lists.map(({ resource }) => resource)).toEqual(['/dav/a', '/dav/a', 'http://h/dav/c']);
    const asked: (string | undefined)[] = [];
    await holds(lists, async (resource) => {
      asked.push(resource);
      return { etag: undefined, tokens: new Set() };
    });
    expect(asked).toEqual(['/dav/a', '/dav/a', 'http://h/dav/c']);
    expect(submittedTokens(lists)).toEqual(new Set(['urn:a', 'urn:b']));
  });

  test('are rejected when malformed', () => {
    for (const header of ['', '()', '(', 'x', '(<a>', '<r>', '<r> x', '(<a>) x', '([1])', '(Not)', '(<a b>)'])
      expect(() => readIf(header), header).toThrow(expect.objectContaining({ status: 400 }));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('(', ')', '<', '>', '[', ']', '"', 'a', ' ', 'Not') }),
        (text) => {
          try {
            readIf(text);
          } catch (error) {
            expect(error).toMatchObject({ status: 400 });
          }
        },
      ),
    );
  });
});
