import { expect, test } from 'vitest';
import { BencodeError, readBencoded, UNCLEAR, writeBencoded, type Bencoded } from './bencode.ts';

const read = (text: string): Bencoded => readBencoded(Buffer.from(text, 'latin1'));

test('numbers, strings, lists and dictionaries are parsed', () => {
  expect(read('i-42e')).toBe(-42);
  expect(Buffer.from(read('4:spam') as Uint8Array).toString()).toBe('spam');
  expect(read('li0ei9007199254740991ee')).toEqual([0, Number.MAX_SAFE_INTEGER]);
  expect([...(read('d1:ai1e1:bld1:ci2eeee') as Map<string, Bencoded>).keys()]).toEqual(['a', 'b']);
});

test('ambiguous values are marked as unclear, and are an error only when they are needed', () => {
  for (const number of ['i03e', 'i-0e', 'i9007199254740992e', 'ie', 'i1.5e'])
    expect(read(number), number).toBe(UNCLEAR);
  const twice = read('d1:ai1e1:ai2e1:bi3ee') as Map<string, Bencoded>;
  expect(twice.get('a')).toBe(UNCLEAR);
  expect(twice.get('b')).toBe(3);
});

test.each(['', 'i1', '5:spam', '04:spam', 'l', 'd1:a', 'di1ei2ee', '9999999999:x', 'l'.repeat(1000)])(
  '%j is rejected',
  (text) => {
    expect(() => read(text)).toThrow(BencodeError);
  },
);

test('the byte range of each value is returned', () => {
  const spans = new Map<string, [number, number]>();
  readBencoded(Buffer.from('d1:ai1e4:infod1:xi2eeeTRAIL'), spans);
  expect(spans.get('a')).toEqual([4, 7]);
  expect(spans.get('info')).toEqual([13, 21]);
  expect(spans.get('')).toEqual([0, 22]);
});

test('written values are parsed again unchanged', () => {
  const bytes = writeBencoded(
    new Map<string, never>([
      ['a', 'ü' as never],
      ['b', [1, 2] as never],
    ]),
  );
  expect(bytes.toString()).toBe('d1:a2:ü1:bli1ei2eee');
});
