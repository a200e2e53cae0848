import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { songTags } from './song-tags.ts';

const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3];
const bytesOf = (text: string, wide = false): number[] =>
  wide
    ? [...text].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8])
    : [...new TextEncoder().encode(text)];
const big = (n: number): number[] => [n >>> 24, (n >> 16) & 0xff, (n >> 8) & 0xff, n & 0xff];
const little = (n: number): number[] => big(n).toReversed();
const safe = (n: number): number[] => [n >> 21, (n >> 14) & 0x7f, (n >> 7) & 0x7f, n & 0x7f];
const song = (...parts: readonly (readonly number[] | string)[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part,
    ),
  );

const frame = (name: string, body: readonly number[], size = big(body.length)) => [
  ...bytesOf(name),
  ...size,
  0,
  0,
  ...body,
];
const cover = [0, ...bytesOf('image/png'), 0, 3, ...bytesOf('front'), 0, ...PNG];
const id3 = (version: number, ...frames: number[][]) => {
  const body = frames.flat();
  return song('ID3', [version, 0, 0, ...safe(body.length)], body, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
};
const comments = (texts: readonly string[]) => [
  ...little(3),
  ...bytesOf('lib'),
  ...little(texts.length),
  ...texts.flatMap((text) => [...little(bytesOf(text).length), ...bytesOf(text)]),
];
const TEXTS = ['album=Dawn', 'TITLE=Élan', 'Artist=Ann'];
const flacBlock = (kind: number, body: readonly number[]) => [kind, ...big(body.length).slice(1), ...body];
const picture = [
  ...big(3),
  ...big(9),
  ...bytesOf('image/png'),
  ...big(0),
  ...big(1),
  ...big(1),
  ...big(24),
  ...big(0),
  ...big(PNG.length),
  ...PNG,
];
const box = (name: string, body: readonly number[]) => [
  ...big(body.length + 8),
  ...[...name].map((letter) => letter.charCodeAt(0)),
  ...body,
];
const data = (body: readonly number[]) => box('data', [...big(1), ...big(0), ...body]);
const ilst = box('ilst', [
  ...box('©nam', data(bytesOf('Élan'))),
  ...box('©ART', data(bytesOf('Ann'))),
  ...box('©alb', data(bytesOf('Dawn'))),
  ...box('covr', data(PNG)),
]);

const SONGS = {
  'MP3 (ID3v2.3)': id3(
    3,
    frame('TIT2', [1, 0xff, 0xfe, ...bytesOf('Élan', true)]),
    frame('TPE1', [0, 0x41, 0x6e, 0x6e, 0]),
    frame('TALB', [2, 0, 0x44, 0, 0x61, 0, 0x77, 0, 0x6e]),
    frame('APIC', cover),
  ),
  'MP3 (ID3v2.4)': id3(
    4,
    frame('TIT2', [3, ...bytesOf('Élan')], safe(bytesOf('Élan').length + 1)),
    frame('TPE1', [3, ...bytesOf('Ann'), 0, ...bytesOf('Bob')], safe(8)),
    frame('TALB', [3, ...bytesOf('Dawn')], safe(5)),
    frame('APIC', cover, safe(cover.length)),
  ),
  FLAC: song('fLaC', flacBlock(0, [1, 2, 3]), flacBlock(4, comments(TEXTS)), flacBlock(0x86, picture)),
  'MPEG-4': song(box('ftyp', bytesOf('M4A ')), box('moov', box('udta', box('meta', [0, 0, 0, 0, ...ilst])))),
};

describe.each(Object.entries(SONGS))('a song in %s', (_, bytes) => {
  test('has a title, an artist, an album and a cover', () => {
    expect(songTags(bytes)).toEqual({
      title: 'Élan',
      artist: 'Ann',
      album: 'Dawn',
      cover: Uint8Array.from(PNG),
    });
  });

  test('may be cut or changed anywhere', () => {
    for (let end = 0; end < bytes.length; end += 1) expect(songTags(bytes.slice(0, end))).toBeDefined();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        expect(songTags(bytes.with(at, byte) as Uint8Array<ArrayBuffer>)).toBeDefined();
      }),
    );
  });
});

test('Ogg and Opus have texts', () => {
  expect(songTags(song('OggS', [1, 2], '\u0003vorbis', comments(TEXTS)))).toMatchObject({ title: 'Élan' });
  expect(songTags(song('OggS', [1, 2], 'OpusTags', comments(TEXTS)))).toMatchObject({ artist: 'Ann' });
});

test('a cover that isn’t a picture, and control characters, are left out', () => {
  const html = [0, ...bytesOf('image/png'), 0, 3, 0, ...bytesOf('<script>')];
  expect(songTags(id3(3, frame('APIC', html), frame('TIT2', [3, ...bytesOf('a\u202eb')])))).toEqual({
    title: 'ab',
  });
});
