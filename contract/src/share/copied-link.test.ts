import { expect, test } from 'vitest';
import { copiedLink } from './copied-link.ts';
import { readMagnet, writeMagnet } from '../offline/magnet.ts';

const HASH = 'c9e15763f722f23e98a29decdfae341b98d53056';
const BASE32 = 'ZHQVOY7XELZD5GFCTXWN7LRUDOMNKMCW';
const MAGNET = `magnet:?xt=urn:btih:${HASH}&dn=Cosmos+Laundromat&tr=udp%3A%2F%2Ft.example%3A80`;
const READ = `magnet:?xt=urn:btih:${HASH}&dn=Cosmos%20Laundromat&tr=udp%3A%2F%2Ft.example%3A80`;

test.each([
  MAGNET,
  MAGNET.replaceAll('&', '&amp;'),
  MAGNET.replaceAll('&', '&amp;amp;'),
  MAGNET.replaceAll('&', '&#38;'),
  encodeURIComponent(MAGNET),
  encodeURIComponent(encodeURIComponent(MAGNET)),
  encodeURIComponent(MAGNET).toLowerCase().replace('cosmos%2blaundromat', 'Cosmos%2BLaundromat'),
  MAGNET.replace('magnet:?xt=urn:btih', 'MAGNET:?XT=URN:BTIH'),
  MAGNET.replace('?xt=', '?xt.1='),
  MAGNET.replace('magnet:?', 'magnet://?'),
  MAGNET.replace('urn:btih:', 'urn%3Abtih%3A'),
  MAGNET.replace(HASH, BASE32),
  MAGNET.replace(HASH, HASH.toUpperCase()),
  `"${MAGNET}"`,
  `'${MAGNET}',`,
  `<${MAGNET}>`,
  `<URL:${MAGNET}>`,
  `“${MAGNET}”`,
  `「${MAGNET}」`,
  `\`${MAGNET}\``,
  `[Cosmos](${MAGNET})`,
  `[Cosmos](${MAGNET} "the film")`,
  `\ufeff\u200b${MAGNET}\u200b \n`,
  `${MAGNET};`,
])('%s is recognized as the magnet link that it is', (copied) => {
  expect(writeMagnet(readMagnet(copiedLink(copied))!)).toBe(READ);
});

test.each([
  HASH,
  HASH.toUpperCase(),
  BASE32,
  BASE32.toLowerCase(),
  `urn:btih:${HASH}`,
  `btih:${BASE32}`,
  `"${HASH}"`,
])('%s alone is recognized as a torrent', (copied) => {
  expect(readMagnet(copiedLink(copied))?.infoHash).toBe(HASH);
});

test.each([
  ['https://example.org/a?b=1&amp;c=2', 'https://example.org/a?b=1&c=2'],
  ['https%3A%2F%2Fexample.org%2Fa%20b', 'https://example.org/a b'],
  ['[file](https://example.org/a_(b).zip)', 'https://example.org/a_(b).zip'],
  ['![picture](<https://example.org/a.png>)', 'https://example.org/a.png'],
  ['https://exam\u00adple.org/\u200ba', 'https://example.org/a'],
  ['https://en.wikipedia.org/wiki/Inc.', 'https://en.wikipedia.org/wiki/Inc.'],
  ['https://example.org/a_(b)', 'https://example.org/a_(b)'],
  ['https://example.org/100%25?u=https%3A%2F%2Fx.org', 'https://example.org/100%25?u=https%3A%2F%2Fx.org'],
  ['https%3A%2F%2Fexample.org%2F%E4', 'https%3A%2F%2Fexample.org%2F%E4'],
])('%s is read as %s', (copied, link) => {
  expect(copiedLink(copied)).toBe(link);
});

test.each(['magnet:?dn=nothing', 'magnet:?xt=urn:btmh:1220abc', 'magnet:', 'https://example.org', 'c9e1'])(
  '%s is not recognized as a torrent',
  (text) => {
    expect(readMagnet(copiedLink(text))).toBeUndefined();
  },
);
