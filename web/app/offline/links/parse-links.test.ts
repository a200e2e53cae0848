import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '@bowerbird/contract/testing/cpu-time.ts';
import { parseLinks, withoutLink } from './parse-links.ts';

const SITE = 'https://drive.example';
const HASH = 'c12fe1c06bba254a9dc9f519b335aa7c1367a88a';
/** The same info-hash in base32. */
const BASE32 = 'YEX6DQDLXISUVHOJ6UM3GNNKPQJWPKEK';

const urls = (text: string): string[] => parseLinks(text, SITE).links.map(({ url }) => url);

describe('pasted text', () => {
  test('yields one link for each line that is a link', () => {
    const parsed = parseLinks(`https://a.example/one.zip\n  http://b.example/two.iso \r\n\n`, SITE);
    expect(parsed.links.map(({ url, kind, name }) => [url, kind, name])).toEqual([
      ['https://a.example/one.zip', 'web', 'one.zip'],
      ['http://b.example/two.iso', 'web', 'two.iso'],
    ]);
    expect(parsed).toMatchObject({ duplicates: 0, unread: [] });
  });

  test('yields links in whatever form they were copied', () => {
    const magnet = `magnet:?xt=urn:btih:${HASH}&dn=Film`;
    for (const copied of [
      magnet.replace('&', '&amp;'),
      encodeURIComponent(magnet),
      encodeURIComponent(encodeURIComponent(magnet)),
      magnet.replace('magnet:?xt', 'MAGNET:?XT'),
      `"${magnet}"`,
      `<${magnet}>`,
      `[Film](${magnet})`,
      `\u200b${magnet}\u200b`,
      `see ${encodeURIComponent(magnet)}, it is good`,
    ])
      expect(urls(copied), copied).toEqual([magnet]);
    expect(urls(`${BASE32}\n`)).toEqual([`magnet:?xt=urn:btih:${HASH}`]);
    expect(urls('https%3A%2F%2Fa.example%2Fone.zip')).toEqual(['https://a.example/one.zip']);
    expect(urls('https://a.example/?a=1&amp;b=2')).toEqual(['https://a.example/?a=1&b=2']);
    expect(urls('https://a.example/?to=https%3A%2F%2Fb.example')).toEqual([
      'https://a.example/?to=https%3A%2F%2Fb.example',
    ]);
  });

  test('reports lines without a link, with their number and reason', () => {
    const parsed = parseLinks(
      'hello\n\n  ftp://old.example/a,\ned2k://|file|a|1|\njavascript:alert(1)\nmagnet:?xt=urn:btmh:12\nhttp://',
      SITE,
    );
    expect(parsed.links).toEqual([]);
    expect(parsed.unread.map(({ line, text, reason, scheme }) => [line, text, reason, scheme])).toEqual([
      [1, 'hello', 'none', ''],
      [3, 'ftp://old.example/a', 'unsupported', 'ftp'],
      [4, 'ed2k://|file|a|1|', 'unsupported', 'ed2k'],
      [5, 'javascript:alert(1)', 'unsupported', 'javascript'],
      [6, 'magnet:?xt=urn:btmh:12', 'broken', 'magnet'],
      [7, 'http://', 'broken', 'http'],
    ]);
  });

  test('reports the position of unreadable parts in the text', () => {
    const text = 'https://a.example/x\n  see sftp://host/y.';
    const [line] = parseLinks(text, SITE).unread;
    expect(text.slice(line!.start, line!.end)).toBe('sftp://host/y');
  });

  test('reports an unsupported address beside a supported one, but not inside one', () => {
    const read = (text: string) => parseLinks(text, SITE).unread.map((one) => one.text);
    expect(read('https://a.example/x or ftp://b.example/x')).toEqual(['ftp://b.example/x']);
    expect(
      read(`https://a.example/?from=ftp://b.example/x\nmagnet:?xt=urn:btih:${HASH}&tr=udp://t.example`),
    ).toEqual([]);
    expect(read('See https://a.example/x, note: it is large')).toEqual([]);
  });

  test('yields links from running text without the surrounding punctuation', () => {
    expect(
      urls(
        'See https://a.example/x_(1).zip, then (https://b.example/y.zip). Or "http://c.example/z?a=1&b=2"!',
      ),
    ).toEqual(['https://a.example/x_(1).zip', 'https://b.example/y.zip', 'http://c.example/z?a=1&b=2']);
    expect(urls('<a href="https://a.example/x">https://b.example/y</a>')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
    ]);
    expect(urls('<https://a.example/q>，https://b.example/文件.zip。')).toEqual([
      'https://a.example/q',
      'https://b.example/%E6%96%87%E4%BB%B6.zip',
    ]);
  });

  test('yields addresses written without their scheme', () => {
    expect(urls('www.example.org/file.zip')).toEqual(['https://www.example.org/file.zip']);
    expect(parseLinks('www.\nexample', SITE).unread).toHaveLength(2);
  });

  test('yields the same address once, ignoring its fragment', () => {
    const parsed = parseLinks('https://A.example/x\nhttps://a.example/x#part\nhttps://a.example/X', SITE);
    expect(parsed.links).toHaveLength(2);
    expect(parsed.duplicates).toBe(1);
  });

  test('reports malformed addresses as unreadable', () => {
    expect(parseLinks('http://\nhttps://exa mple\nhttp://[::1', SITE)).toMatchObject({
      links: [{ url: 'https://exa/' }],
      unread: [{ reason: 'broken' }, { reason: 'broken' }],
    });
  });
});

describe('torrents', () => {
  test('keep their name, trackers and web seeds from a magnet link, and nothing else', () => {
    expect(
      urls(
        `magnet:?xt=urn:btih:${HASH.toUpperCase()}&dn=A%20film&tr=udp%3A%2F%2Ft.example%3A80&tr=udp://t.example:80&tr=file:///etc&ws=https://w.example/a&xl=12&so=1&x.pe=10.0.0.1:80`,
      ),
    ).toEqual([
      `magnet:?xt=urn:btih:${HASH}&dn=A%20film&tr=udp%3A%2F%2Ft.example%3A80&ws=https%3A%2F%2Fw.example%2Fa`,
    ]);
  });

  test('with the same info-hash are one link, in either notation, and so is the bare info-hash', () => {
    const parsed = parseLinks(
      `magnet:?xt=urn:btih:${HASH}&dn=one\nMAGNET:?xt=urn:btih:${BASE32}\n${HASH.toUpperCase()}\n`,
      SITE,
    );
    expect(parsed.links).toMatchObject([{ kind: 'magnet', key: `btih:${HASH}`, name: 'one' }]);
    expect(parsed.duplicates).toBe(2);
  });

  test('are recognized from a bare info-hash, but not from a longer number', () => {
    expect(urls(HASH)).toEqual([`magnet:?xt=urn:btih:${HASH}`]);
    expect(parseLinks(`${HASH}0\nx${HASH}`, SITE)).toMatchObject({ links: [], unread: { length: 2 } });
  });

  test('are not recognized from an info-hash within an address', () => {
    expect(urls(`https://a.example/${HASH}.torrent`)).toEqual([`https://a.example/${HASH}.torrent`]);
  });

  test('may have a name with spaces in their magnet link', () => {
    const [link] = parseLinks(
      `magnet:?xt=urn:btih:${HASH}&dn=A film (2020)&tr=udp://t.example:80`,
      SITE,
    ).links;
    expect(link?.name).toBe('A film (2020)');
    expect(link?.url).toContain('tr=udp');
  });

  test('in several magnet links on one line are several', () => {
    const other = HASH.replace('c', 'd');
    expect(urls(`magnet:?xt=urn:btih:${HASH} magnet:?xt=urn:btih:${other}&dn=x`)).toHaveLength(2);
  });

  test('of other networks are unreadable', () => {
    expect(
      parseLinks(`magnet:?xt=urn:ed2k:${HASH}\nmagnet:?xt=urn:btmh:1220${HASH}\nmagnet:?dn=x`, SITE),
    ).toMatchObject({ links: [], unread: { length: 3 } });
  });
});

test('a share of this site is recognized by its id in every language; one of another site is a web address', () => {
  const parsed = parseLinks(
    `${SITE}/s/abc123?s_code=x1y2\n${SITE}/ru/s/abc123/folder\nhttps://other.example/s/abc123`,
    SITE,
  );
  expect(parsed.links.map(({ kind, key }) => [kind, key])).toEqual([
    ['share', 'share:abc123'],
    ['web', 'https://other.example/s/abc123'],
  ]);
  expect(parsed.links[0]?.url).toBe(`${SITE}/s/abc123?s_code=x1y2`);
  expect(parsed.duplicates).toBe(1);
});

test('a link is removed from the text, with its line if nothing else is on it', () => {
  const text = 'https://a.example/1\nsee https://a.example/2 now\nhttps://a.example/3';
  const without = (at: number): string => withoutLink(text, parseLinks(text, SITE).links[at]!);
  expect(without(0)).toBe('see https://a.example/2 now\nhttps://a.example/3');
  expect(without(1)).toBe('https://a.example/1\nsee  now\nhttps://a.example/3');
  expect(without(2)).toBe('https://a.example/1\nsee https://a.example/2 now');
});

test('many links and long lines without any are parsed in linear time', () => {
  const cpuFor = (count: number): number => {
    const many = Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join('\n');
    const long = `${'magnet:?'.repeat(count * 2)}${' a'.repeat(count * 10)}`;
    return cpuTimeOf(() => {
      expect(parseLinks(many, SITE).links).toHaveLength(count);
      expect(parseLinks(long, SITE).unread).toHaveLength(1);
      expect(parseLinks(`https://${')'.repeat(count * 10)}`, SITE).unread).toHaveLength(1);
    });
  };
  // Ten times as many; work that grows quadratically would take a hundred times as long.
  expect(cpuFor(10_000) / cpuFor(1000)).toBeLessThan(50);
});
