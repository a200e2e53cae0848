import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FetchFailed } from '../fetch/engine.ts';
import { cpuTimeOf } from '@bowerbird/contract/testing/cpu-time.ts';
import { writeBencoded, type Writable } from './bencode.ts';
import { sourcesOf } from './sources.ts';
import { parseInfo, parseTorrent, readTorrent } from './torrent-file.ts';

type Fields = Record<string, Writable>;

const raw = (bytes: Uint8Array): Writable => ({
  raw: Buffer.concat([Buffer.from(`${bytes.length}:`), bytes]),
});
const dictionary = (fields: Fields): ReadonlyMap<string, Writable> =>
  new Map(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

function torrent(info: Fields, outer: Fields = {}): Buffer {
  return writeBencoded(dictionary({ ...outer, info: dictionary(info) }));
}

/** A torrent of files of one byte each. */
const folder = (files: readonly Fields[], outer: Fields = {}): Buffer =>
  torrent(
    {
      name: 'folder',
      'piece length': 16384,
      pieces: raw(Buffer.alloc(20 * Math.ceil(files.length / 16384))),
      files: files.map((file) => dictionary({ length: 1, ...file })),
    },
    outer,
  );
const single = { name: 'film.mkv', length: 20000, 'piece length': 16384, pieces: raw(Buffer.alloc(40, 1)) };

function refusal(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    if (error instanceof FetchFailed) return error.failure;
    throw error;
  }
  return undefined;
}
const refused = (reason: string): unknown => ({ error: 'torrent_invalid', final: true, facts: { reason } });

it('returns name, size, info-hash and magnet link of a torrent of one file', () => {
  const facts = readTorrent(
    torrent(single, {
      announce: 'http://tracker.example/announce?key=a b',
      'announce-list': [
        ['udp://tracker.example:80'],
        ['http://tracker.example/announce?key=a b', 'wss://w.example'],
      ],
      'url-list': ['https://mirror.example/film.mkv', 'ftp://mirror.example/film.mkv'],
      comment: 'whatever',
    }),
  );
  const infoHash = createHash('sha1')
    .update(writeBencoded(dictionary(single)))
    .digest('hex');
  expect(facts).toMatchObject({
    kind: 'torrent',
    name: 'film.mkv',
    files: [{ index: 0, path: ['film.mkv'], size: 20000 }],
    torrent: { infoHash },
  });
  expect(facts.torrent!.magnet).toMatch(`magnet:?xt=urn:btih:${infoHash}&dn=film.mkv&tr=http%3A`);
  expect(sourcesOf(facts.torrent!.magnet)).toEqual({
    trackers: ['http://tracker.example/announce?key=a%20b', 'udp://tracker.example:80'],
    webSeeds: ['https://mirror.example/film.mkv'],
  });
  const again = readTorrent(Buffer.from(facts.torrent!.file, 'base64'));
  expect(again).toEqual(facts);
});

it('skips padding files, and keeps the numbers of the others', () => {
  const facts = readTorrent(
    folder([
      { path: ['a'] },
      { path: ['.pad', '5'], attr: 'p' },
      { path: ['b', 'c'], attr: 'x' },
      { path: ['_____padding_file_0_if you see this'] },
      { path: ['link'], attr: 'l' },
      { path: ['d'] },
    ]),
  );
  expect(facts.files.map(({ index, path }) => [index, path.join('/')])).toEqual([
    [0, 'a'],
    [2, 'b/c'],
    [5, 'd'],
  ]);
});

it('decodes names as UTF-8 first, then as declared, and passes unknown ones on unchanged', () => {
  const gbk = Buffer.from([0xb5, 0xe7, 0xd3, 0xb0]);
  const paths = (outer: Fields): readonly (readonly string[])[] =>
    readTorrent(
      folder(
        [
          { path: [raw(gbk)] },
          { path: [raw(gbk)], 'path.utf-8': ['电影'] },
          { path: ['..', '/etc', '', 'a\0b'] },
          { path: ['..', '/etc', '', 'a\0b'] },
        ],
        outer,
      ),
    ).files.map(({ path }) => path);
  expect(paths({ encoding: 'GBK' })).toEqual([
    ['电影'],
    ['电影'],
    ['..', '/etc', '', 'a\0b'],
    ['..', '/etc', '', 'a\0b'],
  ]);
  expect(paths({ encoding: 'no-such-thing' })[0]).toEqual(['电影']);
  expect(paths({})[0]).toEqual(['电影']);
});

it('decodes all names of a torrent in one encoding, and keeps its declaration when writing', () => {
  // Each of the two characters of the first name could also be a pair of Cyrillic letters.
  const names = [
    [0xc4, 0xbf, 0xc2, 0xbc],
    [0xb5, 0xe7, 0xd3, 0xb0, 0x31],
    [0xd7, 0xf7, 0xd2, 0xb5],
  ];
  const bytes = (outer: Fields): Buffer =>
    folder(
      names.map((name) => ({ path: [raw(Buffer.from(name))] })),
      outer,
    );
  expect(readTorrent(bytes({})).files.map(({ path }) => path[0])).toEqual(['目录', '电影1', '作业']);
  for (const outer of [{ codepage: 936 }, { encoding: 'windows-1251' }]) {
    const facts = readTorrent(bytes(outer));
    expect(readTorrent(Buffer.from(facts.torrent!.file, 'base64'))).toEqual(facts);
  }
  expect(readTorrent(bytes({ encoding: 'windows-1251' })).files[2]!.path).toEqual(['ЧчТµ']);
  expect(readTorrent(bytes({ codepage: 936 })).files[2]!.path).toEqual(['作业']);
});

it.each([
  ['GBK', [0xb5, 0xe7, 0xd3, 0xb0], '电影'],
  ['GBK', [0xce, 0xc4, 0xbc, 0xfe], '文件'],
  ['Shift-JIS', [0x89, 0x66, 0x89, 0xe6], '映画'],
  ['cp949', [0xc0, 0xfc, 0xc0, 0xda, 0xc3, 0xa5], '전자책'],
])('decodes the name of a torrent itself in %s without a declaration: %o', (_encoding, bytes, text) => {
  const name = raw(Buffer.concat([Buffer.from(bytes), Buffer.from('.mkv')]));
  const alone = readTorrent(torrent({ ...single, name }));
  expect(alone).toMatchObject({ name: `${text}.mkv`, files: [{ path: [`${text}.mkv`] }] });
  expect(readTorrent(Buffer.from(alone.torrent!.file, 'base64'))).toEqual(alone);
  expect(alone.torrent!.magnet).toContain(`&dn=${encodeURIComponent(text)}.mkv`);
  const many = readTorrent(
    torrent({
      name,
      'piece length': 16384,
      pieces: raw(Buffer.alloc(20)),
      files: [dictionary({ length: 1, path: [name] })],
    }),
  );
  expect(many).toMatchObject({ name: `${text}.mkv`, files: [{ path: [`${text}.mkv`] }] });
});

it('keeps different names different, whatever bytes they contain', () => {
  const [first, second] = [
    [0xce, 0xc4, 0xbb, 0xd0],
    [0xff, 0xc4, 0xbb, 0xfe],
  ].map((name) => folder([{ path: [raw(Buffer.from(name))] }]));
  expect(readTorrent(first!).files[0]!.path).not.toEqual(readTorrent(second!).files[0]!.path);
});

it.each([
  ['not_bencoded', Buffer.from('<!doctype html><title>404</title>')],
  ['not_bencoded', Buffer.alloc(0)],
  ['not_bencoded', Buffer.alloc(100_000, 'l')],
  ['not_bencoded', Buffer.alloc(8_000_000, 'le').fill('l', 0, 1)],
  ['no_pieces', Buffer.from('d4:infod6:lengthi01eee')],
  ['not_bencoded', Buffer.from('d4:info999999999:e')],
  ['no_info', Buffer.from('d4:infode4:infodee')],
  ['too_large', Buffer.alloc(16 * 1024 * 1024 + 1, 'd')],
  ['no_info', Buffer.from('de')],
  ['no_info', Buffer.from('d4:infoi1ee')],
  [
    'version_2_only',
    torrent({ name: 'n', 'meta version': 2, 'piece length': 16384, 'file tree': dictionary({}) }),
  ],
  ['no_pieces', torrent({ name: 'n', 'piece length': 16384, length: 1 })],
  ['piece_length', torrent({ ...single, 'piece length': 0 })],
  ['piece_length', torrent({ ...single, 'piece length': 2 ** 40 })],
  ['pieces', torrent({ ...single, pieces: raw(Buffer.alloc(39)) })],
  ['pieces', torrent({ ...single, length: 2 ** 52 })],
  ['file_size', torrent({ ...single, length: -1 })],
  ['files', torrent({ ...single, files: [] })],
  ['file_path', folder([{ path: [] }])],
  ['file_path', folder([{}])],
  ['file_path', folder([{ path: [1] }])],
  ['no_files', folder([{ path: ['a'], attr: 'p' }])],
])('rejects a malformed torrent file as %s', (reason, bytes) => {
  expect(refusal(() => readTorrent(bytes))).toEqual(refused(reason));
});

const spliced = (outer: string, info: Fields = single): Buffer => {
  const [before, after] = outer.split('INFO') as [string, string];
  const dictionaryBytes = writeBencoded(dictionary(info));
  return Buffer.concat([Buffer.from(before, 'latin1'), dictionaryBytes, Buffer.from(after, 'latin1')]);
};
const hashOfSingle = createHash('sha1')
  .update(writeBencoded(dictionary(single)))
  .digest('hex');

it.each([
  ['an integer beyond 2^53', 'd13:creation datei9223372036854775807e4:infoINFOe'],
  ['an integer of a hundred digits', `d13:creation datei${'9'.repeat(100)}e4:infoINFOe`],
  ['an integer that is none', 'd13:creation datei1.5e4:infoINFO5:otheri-0e4:zeroi007e4:nonei-ee'],
  ['a key twice', 'd7:comment1:a7:comment1:b4:infoINFOe'],
  ['keys in no order', 'd4:infoINFO7:comment1:aee'],
  ['a key that is no text', 'd3:\xff\xfe\x00i1e4:infoINFOe'],
  ['an empty key', 'd0:i1e4:infoINFOe'],
  ['bytes behind it', 'd4:infoINFOe\r\n<html>'],
  ['an end that is missing', 'd4:infoINFO'],
  ['a value that is cut off', 'd4:infoINFO5:other99:abc'],
  ['a value that is nothing', 'd5:otherx4:infoINFOe'],
  ['a mark in front', '\xef\xbb\xbfd4:infoINFOe'],
  ['an announcement that is a number', 'd8:announcei1e13:announce-listd1:ai1ee4:infoINFOe'],
])('ignores %s outside of what it needs', (_, outer) => {
  const facts = readTorrent(spliced(outer));
  expect(facts).toMatchObject({ name: 'film.mkv', torrent: { infoHash: hashOfSingle } });
  expect(readTorrent(Buffer.from(facts.torrent!.file, 'base64'))).toEqual(facts);
});

it('keeps the trackers listed before a malformed one', () => {
  const { torrent: made } = readTorrent(spliced('d8:announce17:http://t.example/4:infoINFO5:otherx'));
  expect(sourcesOf(made!.magnet).trackers).toEqual(['http://t.example/']);
});

it('hashes the info dictionary byte for byte, and requires only the fields it uses', () => {
  const infoOf = (rest: string): string =>
    `d6:lengthi20000e4:name1:a12:piece lengthi16384e6:pieces40:${'x'.repeat(40)}${rest}e`;
  for (const rest of ['', '1:zi99999999999999999999e', '1:zi-0e1:z0:', '7:privatei01e']) {
    const info = infoOf(rest);
    const facts = readTorrent(Buffer.from(`d4:info${info}e`));
    expect(facts.torrent!.infoHash).toBe(createHash('sha1').update(info).digest('hex'));
  }
  expect(parseTorrent(Buffer.from(`d4:info${infoOf('7:privatei01e')}e`)).private).toBe(true);
  expect(parseTorrent(Buffer.from(`d4:info${infoOf('7:privatei0e')}e`)).private).toBe(false);
});

it.each([
  ['file_size', 'd6:lengthi99999999999999999999e4:name1:a12:piece lengthi16384e6:pieces0:e'],
  ['file_size', 'd6:lengthi1e6:lengthi2e4:name1:a12:piece lengthi16384e6:pieces0:e'],
  ['piece_length', 'd6:lengthi1e4:name1:a12:piece lengthi016384e6:pieces0:e'],
])('rejects an ambiguous info dictionary as %s', (reason, info) => {
  expect(refusal(() => readTorrent(Buffer.from(`d4:info${info}e`)))).toEqual(refused(reason));
});

it('accepts or rejects any bytes without crashing', () => {
  const valid = folder(
    [{ path: ['a', 'b'] }, { path: ['c'], attr: 'p' }, { path: ['d'], 'path.utf-8': ['é'] }],
    { announce: 'http://t.example/', 'url-list': 'http://w.example/' },
  );
  const mutated = fc
    .array(
      fc.tuple(fc.nat(valid.length - 1), fc.constantFrom(...Buffer.from('ldei0129:-x\0\xff', 'latin1'))),
      {
        maxLength: 8,
      },
    )
    .map((changes) => {
      const bytes = Buffer.from(valid);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
  const cut = fc
    .tuple(fc.nat(valid.length), fc.nat(valid.length))
    .map(([to, from]) => Buffer.concat([valid.subarray(0, to), valid.subarray(from)]));
  fc.assert(
    fc.property(fc.oneof(mutated, cut, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      for (const read of [() => readTorrent(bytes), () => parseInfo(bytes, { trackers: [], webSeeds: [] })]) {
        expect([undefined, 'torrent_invalid']).toContain(
          (refusal(read) as { error: string } | undefined)?.error,
        );
      }
    }),
    { numRuns: 5000 },
  );
});

it('reads the same facts from a torrent that it wrote', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('..', '/', '', 'CON', 'a\0'));
  fc.assert(
    fc.property(
      text,
      fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1 }),
      (name, paths) => {
        const bytes = torrent({
          name,
          'piece length': 16384,
          pieces: raw(Buffer.alloc(20)),
          files: paths.map((path) => dictionary({ length: 1, path })),
        });
        const facts = readTorrent(bytes);
        expect(readTorrent(Buffer.from(facts.torrent!.file, 'base64'))).toEqual(facts);
        expect(facts.files.length).toBeLessThanOrEqual(paths.length);
      },
    ),
    { numRuns: 300 },
  );
});

it('reads twenty thousand files in linear time', () => {
  const torrent = (count: number) =>
    folder(Array.from({ length: count }, (_, n) => ({ path: ['season', `episode ${n}.mkv`] })));
  const cpuToRead = (count: number): number => {
    const bytes = torrent(count);
    return cpuTimeOf(() => expect(parseTorrent(bytes).files).toHaveLength(count));
  };
  // Twenty times as many; work that grows with their square would take four hundred times as long.
  expect(cpuToRead(20_000) / cpuToRead(1000)).toBeLessThan(200);
});

it.each([
  [1_588_327_200, '2020-05-01T10:00:00.000Z'],
  [-86_400, '1969-12-31T00:00:00.000Z'],
  [0, undefined],
  [4_743_964_800, undefined],
  [Number.MAX_SAFE_INTEGER, undefined],
  ['yesterday', undefined],
] as const)('dates files by the torrent’s creation date: %s', (said, is) => {
  const facts = readTorrent(torrent(single, { 'creation date': said }));
  expect(facts.modifiedAt && new Date(facts.modifiedAt).toISOString()).toBe(is);
  // Our own copy of the file, with which the torrent is fetched, keeps the date.
  expect(readTorrent(Buffer.from(facts.torrent!.file, 'base64')).modifiedAt).toBe(facts.modifiedAt);
});
