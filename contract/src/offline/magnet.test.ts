import { expect, test } from 'vitest';
import { isInfoHash, readMagnet, writeMagnet } from './magnet.ts';

const HASH = 'c9e15763f722f23e98a29decdfae341b98d53056';
const BASE32 = 'ZHQVOY7XELZD5GFCTXWN7LRUDOMNKMCW';
const BARE = { infoHash: HASH, name: '', trackers: [], webSeeds: [] };

test.each([HASH, HASH.toUpperCase(), BASE32, BASE32.toLowerCase(), `urn:btih:${HASH}`, `BTIH:${BASE32}`])(
  '%s is an info-hash, and read as a magnet link of nothing else',
  (text) => {
    expect(isInfoHash(text)).toBe(true);
    expect(readMagnet(text)).toEqual(BARE);
  },
);

test.each([
  '',
  HASH.slice(1),
  `${HASH}0`,
  `${HASH} `,
  BASE32.replace('Z', '1'),
  `magnet:?xt=urn:btih:${HASH}`,
])('"%s" is no info-hash', (text) => {
  expect(isInfoHash(text)).toBe(false);
});

test('a base 32 info-hash with leading zeros keeps all forty digits', () => {
  expect(readMagnet('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')?.infoHash).toBe(`${'0'.repeat(39)}1`);
});

test('a magnet link is read with its name, trackers and web seeds, whatever the case and numbers of their keys', () => {
  const link = `magnet:?xt.1=urn:btmh:1220ab&XT.2=urn:btih:${BASE32}&dn=A+b&dn=other&tr.1=udp://t.example:80&TR.2=wss://t.example&ws=https://s.example/a%20b&xl=5`;
  expect(readMagnet(link)).toEqual({
    infoHash: HASH,
    name: 'A b',
    trackers: ['udp://t.example:80', 'wss://t.example'],
    webSeeds: ['https://s.example/a b'],
  });
});

test('trackers and web seeds at addresses of other kinds are left out', () => {
  const link = `magnet:?xt=urn:btih:${HASH}&tr=file:///etc/passwd&tr=t.example&ws=udp://s.example&ws=javascript:1`;
  expect(readMagnet(link)).toEqual(BARE);
});

test.each([
  '',
  'magnet:',
  'magnet:?dn=a',
  'magnet:?xt=urn:btih:c9e1',
  'magnet:?xt=urn:btmh:1220abc',
  'https://a.example',
])('"%s" is no magnet link of a torrent', (text) => {
  expect(readMagnet(text)).toBeUndefined();
});

test('a written magnet link is read as it was, with each address once and no more than allowed', () => {
  const magnet = {
    infoHash: HASH,
    name: 'A & b = c',
    trackers: ['udp://t.example:80/a?b=c&d', 'http://u.example/'],
    webSeeds: ['https://s.example/%20', 'https://s.example/#x'],
  };
  expect(readMagnet(writeMagnet(magnet))).toEqual(magnet);
  const { trackers, webSeeds } = magnet;
  const twice = { ...magnet, trackers: [...trackers, ...trackers], webSeeds: [...webSeeds, ...webSeeds] };
  expect(writeMagnet(twice)).toBe(writeMagnet(magnet));
  expect(readMagnet(writeMagnet(twice, 1))).toEqual({
    ...magnet,
    trackers: trackers.slice(0, 1),
    webSeeds: webSeeds.slice(0, 1),
  });
});

test('a name with half a character is written as well', () => {
  expect(writeMagnet({ ...BARE, name: 'a\ud800' })).toBe(`magnet:?xt=urn:btih:${HASH}&dn=a%EF%BF%BD`);
});
