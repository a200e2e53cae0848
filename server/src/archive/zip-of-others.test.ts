import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { decompressApi, driveApi, encodeStrictly, taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { contentOf, eachDatabase, plant, sharedApps } from '../../testing/index.ts';
import { ZIP_METHODS } from '../../testing/archives/packed-archives.ts';
import { rawZip, type RawEntry } from '../../testing/archives/raw-zip.ts';
import { MOST_ITEMS } from './archive-items.ts';
import { readZipDirectory } from './zip-directory.ts';
import { zip } from './zip.ts';

const appOf = sharedApps();
const EGG: RawEntry = { name: 'egg.txt', content: 'an egg' };
const LIST: RawEntry = { name: 'list.txt', content: 'blue feather '.repeat(40), deflated: true };
const CONTENTS = { 'egg.txt': 'an egg', 'list.txt': 'blue feather '.repeat(40) };
const END = Buffer.from('PK\x05\x06', 'latin1');

const access = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (start: number, length: number) => bytes.subarray(start, start + length),
  stream: async () => {
    throw new Error('nobody asked for content');
  },
});
const sizeField = (id: number, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
};

/** Same zip with a 64-bit end record and empty fields in the old one. */
function withLargeEnd(archive: Buffer): Buffer {
  const at = archive.lastIndexOf(END);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  for (const to of [24, 32]) end64.writeBigUInt64LE(BigInt(archive.readUInt16LE(at + 10)), to);
  end64.writeBigUInt64LE(BigInt(archive.readUInt32LE(at + 12)), 40);
  end64.writeBigUInt64LE(BigInt(archive.readUInt32LE(at + 16)), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.from(archive.subarray(at));
  end.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, at), end64, locator, end]);
}

/** Entry encrypted with 256-bit AES in WinZip's format, stored. */
function aesEntry(name: string, content: string, password: Uint8Array): RawEntry {
  const salt = Buffer.alloc(16, 7);
  const keys = pbkdf2Sync(password, salt, 1000, 66, 'sha1');
  const cipher = createCipheriv('aes-256-ecb', keys.subarray(0, 32), null).setAutoPadding(false);
  const plain = Buffer.from(content);
  const counters = Buffer.alloc(Math.ceil(plain.length / 16) * 16);
  for (let block = 0; block * 16 < counters.length; block++) counters.writeUInt32LE(block + 1, block * 16);
  const mask = cipher.update(counters);
  const locked = plain.map((byte, at) => byte ^ mask[at]!);
  const seal = createHmac('sha1', keys.subarray(32, 64)).update(locked).digest().subarray(0, 10);
  return {
    name,
    content: Buffer.concat([salt, keys.subarray(64), locked, seal]),
    size: plain.length,
    checksum: 0,
    flags: 1 | (1 << 11),
    method: 99,
    extra: sizeField(0x9901, Buffer.from([2, 0, 0x41, 0x45, 3, 0, 0])),
  };
}

eachDatabase((dialect) => {
  async function extracted(content: Buffer, password?: string) {
    const app = await appOf(dialect);
    const ann = await app.signUp('ann');
    const { 'bower.zip': id } = await plant(app, ann.id, { 'bower.zip': content });
    const { status, task_id: taskId } = await ann.call(decompressApi.decompress, {
      body: { file_id: id!, ...(password === undefined ? {} : { password }) },
    });
    if (status !== 'OK') return { status, found: {}, times: {} };
    for (;;) {
      const task = await ann.call(taskApi.get, { params: { id: taskId } });
      if (!/COMPLETE|ERROR/.test(task.phase)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
      const { files } = await ann.call(driveApi.list, { query: { parent_id: task.file_id } });
      return {
        status,
        found: Object.fromEntries(
          await Promise.all(
            files.map(async ({ name, id: file }) => [name, (await contentOf(app, ann, file)).toString()]),
          ),
        ) as Record<string, string>,
        times: Object.fromEntries(files.map(({ name, user_modified_time: time }) => [name, time])),
      };
    }
  }

  const whole = rawZip([EGG, LIST]);
  const fakeEnd = Buffer.concat([END, Buffer.alloc(18)]);
  test.each([
    [
      'a comment that holds an empty end record',
      rawZip([EGG, LIST], {
        comment: Buffer.concat([Buffer.from('before '), fakeEnd, Buffer.from(' last words')]),
      }),
    ],
    [
      'a comment that ends in an empty end record',
      rawZip([EGG, LIST], { comment: Buffer.concat([Buffer.from('before '), fakeEnd]) }),
    ],
    [
      'a comment full of what begins like an end',
      rawZip([EGG, LIST], { comment: Buffer.from('PK\x05\x06'.repeat(12)) }),
    ],
    [
      'a comment that holds the ends of another zip',
      rawZip([EGG, LIST], {
        comment: Buffer.concat([rawZip([{ name: 'x', content: 'y' }]).subarray(32), Buffer.from('.')]),
      }),
    ],
    [
      'a program in front',
      Buffer.concat([Buffer.from('#!/bin/sh\nexec java -jar "$0"\n'.repeat(40)), whole]),
    ],
    [
      'a program in front and a comment',
      Buffer.concat([Buffer.alloc(70_001, 'x'), rawZip([EGG, LIST], { comment: Buffer.from('bye') })]),
    ],
    ['a 64-bit end record', withLargeEnd(whole)],
    [
      'a 64-bit end record and a program in front',
      Buffer.concat([Buffer.alloc(999, 'x'), withLargeEnd(whole)]),
    ],
    ['zeros after its end', Buffer.concat([whole, Buffer.alloc(100_000)])],
    ['a line break after its end', Buffer.concat([whole, Buffer.from('\r\n')])],
    ['another zip stored in it', rawZip([EGG, LIST, { name: 'inner.zip', content: whole }])],
  ] as const)('a zip with %s lists exactly its entries', async (what, bytes) => {
    const { found } = await extracted(bytes);
    expect(found).toMatchObject(CONTENTS);
    expect(Object.keys(found)).toHaveLength(what === 'another zip stored in it' ? 3 : 2);
  });

  test.each(Object.entries(ZIP_METHODS))('%s is extracted', async (how, made) => {
    const bytes = Buffer.concat([Buffer.from('in front'), Buffer.from(made, 'base64')]);
    const isLocked = how.includes('under');
    const { found } = await extracted(bytes, isLocked ? 'berries' : undefined);
    expect(found).toEqual({ 'egg.txt': 'an egg', 'feather.txt': 'blue feather '.repeat(40) });
    if (isLocked) expect((await extracted(bytes, 'cherries')).status).not.toBe('OK');
  });

  test('all names in a zip are decoded in the one encoding that fits them all', async () => {
    for (const [encoding, names] of [
      ['cp437', ['broschüre.pdf', 'Ä.txt']],
      ['cp850', ['Canción del año.txt', 'São Paulo.txt']],
      ['euc-kr', ['전자책.txt', '새 문서.txt']],
      ['big5', ['測試.txt', '說明.txt']],
      ['koi8-r', ['Прочти меня.txt', 'письма.txt']],
    ] as const) {
      const entries = names.map((name) => ({
        name: Buffer.from(encodeStrictly(name, encoding)!),
        content: name,
      }));
      const { found } = await extracted(rawZip(entries));
      expect(found).toEqual(Object.fromEntries(names.map((name) => [name, name])));
    }
  });

  test.each([
    ['пароль', 'ibm866'],
    ['пароль', 'windows-1251'],
    ['密码', 'gb18030'],
    ['größe', 'cp850'],
    ['größe', 'utf-8'],
  ])('the password %s opens an archive that was encrypted with it in %s', async (password, encoding) => {
    const bytes = encoding === 'utf-8' ? Buffer.from(password) : encodeStrictly(password, encoding)!;
    const archive = rawZip([aesEntry('egg.txt', 'an egg', bytes)]);
    expect((await extracted(archive, password)).found).toEqual({ 'egg.txt': 'an egg' });
    expect((await extracted(archive, `${password}.`)).status).not.toBe('OK');
  });

  test('timestamps are taken from a field with a time zone if there is one', async () => {
    const unix = (seconds: number): Buffer => {
      const field = Buffer.alloc(5, 1);
      field.writeInt32LE(seconds, 1);
      return sizeField(0x5455, field);
    };
    const ntfs = (milliseconds: number): Buffer => {
      const field = Buffer.alloc(32);
      field.writeUInt16LE(1, 4);
      field.writeUInt16LE(24, 6);
      field.writeBigUInt64LE((BigInt(milliseconds) + 11_644_473_600_000n) * 10_000n, 8);
      return sizeField(0x000a, field);
    };
    const at = Date.UTC(2024, 1, 29, 18, 30, 5);
    const { times } = await extracted(
      rawZip([
        { name: 'unix', content: '1', extra: unix(at / 1000) },
        { name: 'ntfs', content: '2', extra: ntfs(at) },
        { name: 'both', content: '3', extra: Buffer.concat([ntfs(0), unix(at / 1000)]) },
        { name: 'early', content: '4', extra: unix(-86_400) },
        { name: 'dos', content: '5' },
      ]),
    );
    const read = Object.fromEntries(
      Object.entries(times).map(([name, time]) => [name, Date.parse(time as string)]),
    );
    expect(read).toEqual({ unix: at, ntfs: at, both: at, early: -86_400_000, dos: Date.UTC(2026, 10, 27) });
  });
});

test('invalid DOS dates and times are ignored', async () => {
  const changed = ([year, month, day]: number[], [hour, minute, second]: number[]): RawEntry['changed'] => ({
    date: ((year! - 1980) << 9) | (month! << 5) | day!,
    time: (hour! << 11) | (minute! << 5) | (second! >> 1),
  });
  const noon = [12, 0, 0];
  const entries = {
    'leap day': changed([2024, 2, 29], [23, 59, 58]),
    'no leap day': changed([2026, 2, 29], noon),
    '31 February': changed([2026, 2, 31], noon),
    '31 April': changed([2026, 4, 31], noon),
    'day 0': changed([2026, 1, 0], noon),
    'month 0': changed([2026, 0, 1], noon),
    'month 13': changed([2026, 13, 1], noon),
    'hour 24': changed([2026, 1, 1], [24, 0, 0]),
    'minute 60': changed([2026, 1, 1], [12, 60, 0]),
    'second 62': changed([2026, 1, 1], [12, 0, 62]),
    nothing: { date: 0, time: 0 },
  };
  const items = await readZipDirectory(
    access(rawZip(Object.entries(entries).map(([name, at]) => ({ name, content: '', changed: at! })))),
  );
  expect(items.map(({ modifiedAt }) => modifiedAt)).toEqual([
    Date.UTC(2024, 1, 29, 23, 59, 58),
    ...Array.from({ length: 10 }, () => undefined),
  ]);
});

test('entries beyond the range of the count field are counted', async () => {
  const items = await readZipDirectory(
    access(rawZip(Array.from({ length: 65_537 }, (_, at) => ({ name: `${at}` })))),
  );
  expect(items).toHaveLength(65_537);
  expect(items.length).toBeLessThan(MOST_ITEMS);
});

test('an empty zip is valid, and an end record with a count of zero is not trusted if there are entries', async () => {
  expect(await readZipDirectory(access(rawZip([])))).toEqual([]);
  expect(await readZipDirectory(access(Buffer.concat([Buffer.from('in front'), rawZip([])])))).toEqual([]);
  await expect(readZipDirectory(access(rawZip([EGG], { count: 0 })))).rejects.toThrow(
    'differs from its end record',
  );
});

test('a tail full of fake end records is scanned quickly', async () => {
  let reads = 0;
  const bytes = Buffer.concat([
    Buffer.alloc(2 ** 21),
    Buffer.concat(Array.from({ length: 3000 }, () => Buffer.concat([END, Buffer.alloc(18, 1)]))),
  ]);
  const counted = {
    ...access(bytes),
    read: async (start: number, length: number) => ((reads += 1), bytes.subarray(start, start + length)),
  };
  await expect(readZipDirectory(counted)).rejects.toThrow('no directory');
  expect(reads).toBeLessThan(500);
});

test('a directory of more than 64 MiB is rejected before it is read', async () => {
  const size = 64 * 2 ** 20 + 1;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(size, 12);
  let longest = 0;
  const large = {
    ...access(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.alloc(size - 4), end])),
    size: size + end.length,
  };
  const watched = {
    ...large,
    read: async (start: number, length: number) => {
      longest = Math.max(longest, length);
      return large.read(start, length);
    },
  };
  await expect(readZipDirectory(watched)).rejects.toThrow('it has too many entries');
  expect(longest).toBeLessThan(2 ** 21);
});

const years = [1850, 1970, 1979, 1980, 2026, 2039, 2107, 2500];
test('our own zips store times beyond the range of DOS and of 32 bits', async () => {
  const entries = years.map((year) => ({ path: String(year), modifiedAt: Date.UTC(year, 5, 1, 12, 0, 1) }));
  const made = Buffer.concat(
    await Array.fromAsync(
      zip(
        (async function* () {
          yield* entries;
        })(),
      ),
    ),
  );
  const items = await readZipDirectory(access(made));
  expect(items.map(({ modifiedAt }) => modifiedAt)).toEqual(entries.map(({ modifiedAt }) => modifiedAt));
  const at = made.indexOf('PK\x01\x02');
  expect((made.readUInt16LE(at + 14) >>> 9) + 1980).toBe(1980);
});
