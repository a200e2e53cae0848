import { describe, expect, test } from 'vitest';
import { readShared, textFile, type SharedFields } from './shared-text.ts';

const shared = (fields: Partial<SharedFields>, hasFiles = false) =>
  readShared({ url: '', text: '', title: '', ...fields }, 'https://drive.test', hasFiles);
const linksOf = (fields: Partial<SharedFields>) => shared(fields).links;

describe('content shared by another app', () => {
  test('yields a link from wherever the app put it: the address, the text or the title', () => {
    expect(linksOf({ url: 'https://a.test/film.mkv' })).toEqual(['https://a.test/film.mkv']);
    expect(linksOf({ text: 'Look at this: https://a.test/s/1 (great)' })).toEqual(['https://a.test/s/1']);
    const hash = 'a'.repeat(40);
    expect(linksOf({ title: `magnet:?xt=urn:btih:${hash}&dn=x` })[0]).toContain(hash);
    expect(shared({ text: 'Look: https://a.test/', title: 'A' }).words).toBe('');
  });

  test('yields the address itself before one mentioned in the text', () => {
    expect(linksOf({ url: 'https://a.test/', text: 'from https://b.test/' })).toEqual(['https://a.test/']);
  });

  test('yields every link of a text', () => {
    expect(linksOf({ text: 'https://a.test/1\nhttps://a.test/2' })).toEqual([
      'https://a.test/1',
      'https://a.test/2',
    ]);
  });

  test.each([
    ['(https://x.test/y)', 'https://x.test/y'],
    ['See https://x.test/y.', 'https://x.test/y'],
    ['“https://x.test/y”, he said', 'https://x.test/y'],
    ['https://en.wikipedia.org/wiki/Bower_(bird)', 'https://en.wikipedia.org/wiki/Bower_(bird)'],
    ['(https://en.wikipedia.org/wiki/Bower_(bird)).', 'https://en.wikipedia.org/wiki/Bower_(bird)'],
  ])('%s yields the link without surrounding punctuation', (text, link) => {
    expect(linksOf({ text })).toEqual([link]);
  });

  test('without a link yields all of its words once', () => {
    expect(shared({ title: 'Milk', text: 'and eggs' })).toEqual({ links: [], words: 'Milk\n\nand eggs' });
    expect(shared({ title: 'Milk', text: 'Milk' }).words).toBe('Milk');
    expect(shared({ url: 'javascript:alert(1)' })).toEqual({ links: [], words: 'javascript:alert(1)' });
    expect(shared({ text: '  ' }).words).toBe('');
  });

  test('beside files yields the text, but not the title', () => {
    expect(shared({ title: 'Two notes', text: 'For Vera' }, true).words).toBe('For Vera');
    expect(shared({ title: 'Two notes' }, true).words).toBe('');
  });
});

test('words become a file named after the first of them', async () => {
  const nameOf = (words: string): string => textFile(words).name;
  expect(nameOf('Milk and eggs\nand bread')).toBe('Milk and eggs.txt');
  expect(nameOf('1/2 of it\tgone')).toBe('1-2 of it-gone.txt');
  expect(nameOf(`${'word '.repeat(20)}end`)).toBe(`${'word '.repeat(9).trim()}.txt`);
  expect(nameOf('語'.repeat(100))).toBe(`${'語'.repeat(48)}.txt`);
  expect(nameOf('..')).toBe('...txt');
  expect(await textFile('Milk\nand eggs').text()).toBe('Milk\nand eggs');
});
