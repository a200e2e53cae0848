import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SEVEN_ZIP } from '../../testing/archives/packed-archives.ts';
import { rawRar4, rawRar5 } from '../../testing/archives/raw-rar.ts';
import { rawSevenZip } from '../../testing/archives/raw-seven-zip.ts';
import { rawTar } from '../../testing/archives/raw-tar.ts';
import { helperProgram } from '../../testing/index.ts';
import { createLog } from '../foundation/index.ts';
import { formatOf, FORMAT_BYTES } from './archive-format.ts';
import {
  BadArchive,
  UnknownMethod,
  WrongPassword,
  type OpenArchive,
  type RandomAccess,
} from './archive-items.ts';
import { choose, pathOf } from './extraction.ts';
import { packedArchive, packedItems, SealedArchive, type PackedFormat } from './packed-archive.ts';
import { createUnpacker, EngineDied, type Unpacker } from './unpacker.ts';

const log = createLog('silent');
const unpacker = createUnpacker({ program: helperProgram, log });

/** Bytes in memory with the range access of the storage. */
function access(bytes: Buffer): RandomAccess & { readonly given: () => number } {
  let given = 0;
  return {
    size: bytes.length,
    given: () => given,
    async read(start, length) {
      return bytes.subarray(start, start + length);
    },
    async stream(start, length) {
      given += length;
      return (async function* () {
        yield bytes.subarray(start, start + length);
      })();
    },
  };
}

async function open(bytes: Buffer, password = '', engine: Unpacker = unpacker) {
  const format = formatOf(bytes.subarray(0, FORMAT_BYTES)) as PackedFormat;
  const source = { unpacker: engine, bytes: access(bytes), format };
  return packedArchive(source, await packedItems(source, password));
}

/** Paths and contents of extracted entries; folders end in a slash. */
async function contents(bytes: Buffer, password = '', chosen: readonly string[] = []) {
  const archive = await open(bytes, password);
  const items = choose(archive.items, chosen);
  const found = Object.fromEntries(
    items.map((item) => [`${pathOf(item)}${item.kind === 'folder' ? '/' : ''}`, '']),
  );
  const files = items.filter(({ kind }) => kind === 'file');
  for await (const { item, content } of archive.unpack(files, password))
    found[pathOf(item)] = Buffer.concat(await Array.fromAsync(content)).toString();
  return found;
}

/** Collects what is unpacked before an error. */
async function unpacked(archive: OpenArchive, read: string[] = []): Promise<string[]> {
  for await (const { content } of archive.unpack(archive.items, ''))
    read.push(Buffer.concat(await Array.fromAsync(content)).toString());
  return read;
}

const ENTRIES = [
  { name: 'nest', isFolder: true },
  { name: 'nest/egg.txt', content: 'an egg' },
  { name: 'none.txt' },
  { name: 'list.txt', content: 'blue feather '.repeat(40) },
];
const WHOLE = {
  'nest/': '',
  'nest/egg.txt': 'an egg',
  'none.txt': '',
  'list.txt': 'blue feather '.repeat(40),
};
const sevenZip = (kind: keyof typeof SEVEN_ZIP): Buffer => Buffer.from(SEVEN_ZIP[kind], 'base64');

test.each([
  ['7z', sevenZip('plain')],
  ['7z with a block for each file', rawSevenZip(ENTRIES)],
  ['rar 5', rawRar5(ENTRIES)],
  ['rar 4', rawRar4(ENTRIES)],
  ['tar', rawTar(ENTRIES)],
])('a %s is read, with its folders and empty entries', async (_, bytes) => {
  expect(await contents(bytes)).toEqual(WHOLE);
});

test('only the selected entries among many are extracted, whatever their names', async () => {
  const entries = [
    { name: 'a/1.txt', content: '1' },
    { name: 'a*/2.txt', content: '2' },
    { name: '@list/-3.txt', content: '3' },
    { name: ' spaced ', content: '4' },
  ];
  const bytes = rawRar5(entries);
  expect(await contents(bytes, '', ['a*'])).toEqual({ 'a*/2.txt': '2' });
  expect(await contents(bytes, '', ['@list', ' spaced '])).toEqual({ '@list/-3.txt': '3', ' spaced ': '4' });
  expect(await contents(sevenZip('plain'), '', ['nest'])).toEqual({ 'nest/': '', 'nest/egg.txt': 'an egg' });
});

describe.each([
  ['7z', sevenZip('locked'), sevenZip('sealed'), 'berries'],
  [
    'rar 5',
    rawRar5(ENTRIES, { password: 'bérries 🫐' }),
    rawRar5(ENTRIES, { password: 'bérries 🫐', sealed: true }),
    'bérries 🫐',
  ],
])('a locked %s archive', (_, locked, sealed, password) => {
  test('opens only with the right password', async () => {
    const archive = await open(locked);
    expect(await archive.judge(archive.items, '')).toBe('missing');
    expect(await archive.judge(archive.items, 'wrong')).toBe('wrong');
    expect(await archive.judge(archive.items, password)).toBe('right');
    expect(await contents(locked, password)).toEqual(WHOLE);
    await expect(contents(locked, 'wrong')).rejects.toThrow(WrongPassword);
  });

  test('lists no names without the password if the names are encrypted too', async () => {
    await expect(open(sealed)).rejects.toThrow(SealedArchive);
    await expect(open(sealed, 'wrong')).rejects.toThrow(SealedArchive);
    expect(await contents(sealed, password)).toEqual(WHOLE);
  });
});

test('a locked rar 4 opens only with the right password', async () => {
  const bytes = rawRar4(ENTRIES, { password: 'berries' });
  const archive = await open(bytes);
  expect(await archive.judge(archive.items, 'wrong')).toBe('wrong');
  expect(await archive.judge(archive.items, 'berries')).toBe('right');
  expect(await contents(bytes, 'berries')).toEqual(WHOLE);
});

const HOSTILE = [
  { name: '../../out.txt', content: '1' },
  { name: '/etc/passwd', content: '2' },
  { name: 'a/./b/../c.txt', content: '3' },
  { name: '..', content: '4' },
  { name: 'con\ntrol\nSize = 9\n- x.txt', content: '5' },
];
const LINK = { name: 'link', content: '/etc/shadow', link: '/etc/shadow', mode: 0o120777 };

test.each([
  ['7z', rawSevenZip([...HOSTILE, LINK])],
  ['rar 5', rawRar5([...HOSTILE, { name: 'link', link: '/etc/shadow' }])],
  // The engine does not mark links in old archives: they become files that contain the target path.
  ['rar 4', rawRar4(HOSTILE)],
  ['tar', rawTar([...HOSTILE, { name: 'link', link: '/etc/shadow' }])],
])('names that lead outside a %s stay inside, and links are not followed', async (_, bytes) => {
  const found = await contents(bytes);
  expect(Object.values(found)).toEqual(['1', '2', '3', '5']);
  expect(Object.keys(found).slice(0, 3)).toEqual(['out.txt', 'etc/passwd', 'a/b/c.txt']);
});

test.each([
  ['7z', rawSevenZip],
  ['rar 5', rawRar5],
  ['rar 4', rawRar4],
])('two entries of the same name in a %s become two files', async (_, make) => {
  const archive = await open(
    make([
      { name: 'egg.txt', content: 'one' },
      { name: 'EGG.txt', content: 'another' },
      { name: 'egg.txt', content: 'twice' },
    ]),
  );
  const found: string[] = [];
  for await (const { item, content } of archive.unpack(archive.items, ''))
    found.push(`${item.index} ${Buffer.concat(await Array.fromAsync(content)).toString()}`);
  expect(found).toEqual(['0 one', '1 another', '2 twice']);
});

test.each([
  ['GBK', 'cec4bcfe', '文件'],
  ['Shift-JIS', '93fa967b8cea', '日本語'],
  ['code page 866', '8fe0a8a2a5e2', 'Привет'],
])('names encoded in %s are decoded in an old rar and in a tar', async (_, hex, text) => {
  const entries = [{ name: Buffer.from(`${hex}2e747874`, 'hex'), content: 'an egg' }];
  expect(await contents(rawRar4(entries))).toEqual({ [`${text}.txt`]: 'an egg' });
  expect(await contents(rawTar(entries))).toEqual({ [`${text}.txt`]: 'an egg' });
});

test.each([
  ['7z', rawSevenZip],
  ['rar 5', rawRar5],
  ['rar 4', rawRar4],
])('a %s with a false size or checksum is rejected at the faulty entry', async (_, make) => {
  for (const lie of [{ size: 3 }, { size: 5000 }, { checksum: 12345 }]) {
    const archive = await open(
      make([
        { name: 'first.txt', content: 'ok' },
        { name: 'bomb.txt', content: 'a'.repeat(1000), ...lie },
      ]),
    );
    const read: string[] = [];
    await expect(unpacked(archive, read)).rejects.toThrow(BadArchive);
    expect(read).toEqual(['ok']);
  }
});

test.each([
  ['7z', rawSevenZip(ENTRIES)],
  ['rar 5', rawRar5(ENTRIES)],
  ['rar 4', rawRar4(ENTRIES)],
])('a truncated %s is rejected', async (_, bytes) => {
  for (const length of [bytes.length - 40, 40])
    await expect(contents(bytes.subarray(0, length))).rejects.toThrow(BadArchive);
});

test('a file that is not an archive is rejected', async () => {
  const none = Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), createHash('sha512').digest()]);
  await expect(open(none)).rejects.toThrow(BadArchive);
});

test('listing stops at the maximum number of entries', async () => {
  const many = Array.from({ length: 100_001 }, () => ({ name: 'e' }));
  await expect(open(rawSevenZip(many))).rejects.toThrow(/too many entries/);
});

test('an entry count that exceeds the memory ends only the engine', async () => {
  await expect(open(rawSevenZip(ENTRIES, { count: 2 ** 31 }))).rejects.toThrow(EngineDied);
  expect(await contents(sevenZip('plain'))).toEqual(WHOLE);
});

test('an archive comment that looks like a listing is ignored', async () => {
  const comment = 'hello\n- fake\nERROR: no\n\nPath = evil\nSize = 9\n';
  expect(await contents(rawRar5(ENTRIES, { comment }))).toEqual(WHOLE);
});

test('an archive is read in ranges, not as a whole', async () => {
  const bytes = rawRar5([
    { name: 'large.bin', content: Buffer.alloc(4_000_000, 'twig') },
    { name: 'egg.txt', content: 'an egg' },
  ]);
  const reader = access(bytes);
  const items = await packedItems({ unpacker, bytes: reader, format: 'Rar5' }, '');
  expect(items.map(({ size }) => size)).toEqual([4_000_000, 6]);
  expect(reader.given()).toBeLessThan(1_500_000);
});

test('closing the reader ends the engine process', async () => {
  const archive = await open(rawRar5([{ name: 'large.bin', content: Buffer.alloc(8_000_000, 'twig') }]));
  for await (const { content } of archive.unpack(archive.items, '')) for await (const _ of content) break;
  // A surviving process would keep its pipe open, and so keep the test running.
});

test('an archive that needs more memory than the limit is rejected', async () => {
  const bytes = rawRar5([
    { name: 'bomb.bin', content: Buffer.alloc(1000, 'twig'), size: 3e9, windowLog: 13 },
  ]);
  const archive = await open(bytes);
  await expect(unpacked(archive)).rejects.toThrow(UnknownMethod);
});

describe('an archive engine', () => {
  const frail = join(import.meta.dirname, '../../testing/archives/frail-unpacker.ts');
  const said = async (deed: string, silenceMs = 60_000) => {
    const engine = createUnpacker({ program: frail, log, silenceMs });
    return Array.fromAsync(engine.run(access(Buffer.alloc(10)), [deed]));
  };

  test('an engine that crashes on an archive leaves other engines running', async () => {
    await expect(said('dies')).rejects.toThrow(EngineDied);
  });

  test('an engine that never finishes is killed', async () => {
    await expect(said('hangs', 500)).rejects.toThrow(EngineDied);
  });

  test('an engine that requests entries outside the archive, or writes too much at once, is killed', async () => {
    await expect(said('asks')).rejects.toThrow(EngineDied);
    await expect(said('shouts')).rejects.toThrow(EngineDied);
  });

  test('an engine can’t read files, start processes or open connections', async () => {
    const [{ text }] = (await said('tries')) as unknown as [{ text: string }];
    expect(JSON.parse(text)).toEqual({
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      run: 'ERR_ACCESS_DENIED',
      connect: 'ERR_ACCESS_DENIED',
      environment: [],
    });
  });
});
