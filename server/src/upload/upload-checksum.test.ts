import { createHash, randomBytes } from 'node:crypto';
import { driveApi, type File } from '@bowerbird/contract';
import { openBlobStore, StorageUnavailable } from '@bowerbird/storage';
import { expect, test } from 'vitest';
import {
  askTicket,
  drivenByAnn,
  eachDatabase,
  faultyStorage,
  objectClient,
  openTestApp,
  upload,
  type Member,
  type TestApp,
} from '../../testing/index.ts';
import type { DriveTables } from '../drive/drive-tables.ts';

const MIB = 2 ** 20;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

eachDatabase((dialect) => {
  const files = async (member: Member): Promise<Map<string, File>> =>
    new Map((await member.call(driveApi.list, { query: {} })).files.map((file) => [file.name, file]));
  const fill = async (app: TestApp): Promise<void> => {
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'fill-checksums', null));
    await app.jobs.drain();
  };
  const inParts = async (app: TestApp, member: Member, name: string, bytes: Buffer): Promise<void> => {
    const { resumable } = await askTicket(member, { name, size: bytes.length });
    const client = objectClient(app, resumable!.params);
    const second = await client.putPart(2, bytes.subarray(MIB));
    const first = await client.putPart(1, bytes.subarray(0, MIB));
    expect((await client.complete({ 1: first, 2: second })).status).toBe(200);
  };

  test.each([5, 64 * 1024, 300_000, 3 * MIB + 7])(
    'a file of %i bytes uploaded in one body has its MD5 at once, through tickets and WebDAV',
    async (size) => {
      await using app = await openTestApp({ dialect, storage: await openBlobStore('memory:') });
      const { dav, member } = await drivenByAnn(app);
      const [one, other, chunked] = [randomBytes(size), randomBytes(size), randomBytes(size)];
      expect((await upload(app, member, 'ticket', one)).md5_checksum).toBe(md5(one));
      await dav.put('/dav', other);
      await dav.put('/chunked', chunked, { 'transfer-encoding': 'chunked' });
      const found = await files(member);
      expect(found.get('ticket')!.md5_checksum).toBe(md5(one));
      expect(found.get('dav')!.md5_checksum).toBe(md5(other));
      expect(found.get('chunked')!.md5_checksum).toBe(md5(chunked));
      const asked =
        '<propfind xmlns="DAV:"><prop><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>';
      expect((await dav.find('/ticket', '0', asked)).all('checksum')).toEqual([
        `SHA1:${sha1(one)} MD5:${md5(one)}`,
      ]);
    },
  );

  test('an empty file, a copy and an instant upload have checksums', async () => {
    await using app = await openTestApp({ dialect, storage: await openBlobStore('memory:') });
    const { dav, member } = await drivenByAnn(app);
    await upload(app, member, 'empty', '');
    const bytes = randomBytes(5000);
    const { hash } = await upload(app, member, 'one', bytes);
    await upload(app, member, 'instant', bytes, { hash });
    await dav.copy('/one', '/copy');
    await fill(app);
    const found = await files(member);
    expect(found.get('empty')!.md5_checksum).toBe(md5(Buffer.alloc(0)));
    for (const name of ['one', 'instant', 'copy']) expect(found.get(name)!.md5_checksum).toBe(md5(bytes));
  });

  test('a file uploaded in parts has no checksum until it is computed, and then the right one', async () => {
    await using app = await openTestApp({ dialect, storage: await openBlobStore('memory:') });
    const { dav, member } = await drivenByAnn(app);
    const bytes = randomBytes(MIB + 77_777);
    await inParts(app, member, 'parts', bytes);
    const asked =
      '<propfind xmlns="DAV:"><prop><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>';
    expect((await files(member)).get('parts')!.md5_checksum).toBe('');
    expect((await dav.find('/parts', '0', asked)).all('checksum')).toEqual([]);
    expect((await dav.get('/parts')).headers['oc-checksum']).toBeUndefined();
    await fill(app);
    expect((await files(member)).get('parts')!.md5_checksum).toBe(md5(bytes));
    expect((await dav.find('/parts', '0', asked)).all('checksum')).toEqual([
      `SHA1:${sha1(bytes)} MD5:${md5(bytes)}`,
    ]);
    expect((await dav.get('/parts')).headers['oc-checksum']).toBe(`SHA1:${sha1(bytes)}`);
  });

  test('existing content gets its checksums in the background, and unreadable content does not block the rest', async () => {
    const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
    await using app = await openTestApp({ dialect, storage });
    const { member } = await drivenByAnn(app);
    const contents = new Map(Array.from({ length: 12 }, (_, at) => [`old ${at}`, randomBytes(1000 + at)]));
    for (const [name, bytes] of contents) await upload(app, member, name, bytes);
    await app.database.transaction(async (tx) => {
      await tx.on<DriveTables>().updateTable('blob').set({ md5: null, sha1: null, created_at: 0 }).execute();
    });
    const { store_key: lost } = (await app.blobs.byGcid(
      app.database,
      (await files(member)).get('old 7')!.hash,
      1007,
    ))!;
    await app.storage.remove(lost);
    // An interrupted job continues later.
    faults.open = new StorageUnavailable('unplugged');
    await fill(app);
    expect([...(await files(member)).values()].every(({ md5_checksum: sum }) => sum === '')).toBe(true);
    faults.open = undefined;
    await app.database.transaction((tx) =>
      tx.on<{ job: { kind: string; run_at: number } }>().updateTable('job').set({ run_at: 0 }).execute(),
    );
    await app.jobs.drain();
    for (const [name, { md5_checksum: sum }] of await files(member))
      expect(sum).toBe(name === 'old 7' ? '' : md5(contents.get(name)!));
  });

  test('a body that fails halfway leaves no checksum for the next', async () => {
    const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
    await using app = await openTestApp({ dialect, storage });
    const { member } = await drivenByAnn(app);
    const bytes = randomBytes(3 * MIB);
    const { resumable } = await askTicket(member, { name: 'a', size: bytes.length });
    const client = objectClient(app, resumable!.params);
    faults.writePart = new StorageUnavailable('unplugged');
    expect((await client.put(bytes)).status).toBe(503);
    faults.writePart = undefined;
    expect((await client.put(bytes)).status).toBe(200);
    expect((await files(member)).get('a')!.md5_checksum).toBe(md5(bytes));
  });
});
