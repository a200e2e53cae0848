import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLocalStore } from './local-store.ts';
import { StorageMissing, StorageUnavailable } from './storage-errors.ts';
import { flow } from './testing/scene.ts';
import type { BlobStore } from './blob-store.ts';

const run = promisify(execFile);

/** Only root can mount, and not in every container; `local-store.test.ts` tests the same by renaming folders. */
async function mayMount(): Promise<boolean> {
  const at = await mkdtemp(join(tmpdir(), 'storage-mount-'));
  const may = await run('mount', ['-t', 'tmpfs', 'tmpfs', at]).then(
    () => true,
    () => false,
  );
  if (may) await run('umount', [at]);
  await rm(at, { recursive: true });
  return may;
}

describe.runIf(await mayMount())('the local engine on a separate disk', () => {
  let at: string;
  let mounted: BlobStore;
  beforeEach(async () => {
    at = await mkdtemp(join(tmpdir(), 'storage-mount-'));
    await run('mount', ['-t', 'tmpfs', 'tmpfs', at]);
    mounted = await openLocalStore(at);
    await mounted.put('small/one', Buffer.from('one'));
  });
  afterEach(async () => {
    await run('umount', ['-l', at]);
    await rm(at, { recursive: true });
  });

  test('accepts no writes while the disk is unmounted, and works again once it is mounted', async () => {
    const staging = await mounted.stage('up');
    await staging.writePart(1, flow(randomBytes(10)));
    const elsewhere = await mkdtemp(join(tmpdir(), 'storage-elsewhere-'));
    await run('mount', ['--bind', at, elsewhere]);
    await run('umount', ['-l', at]);
    const asks = [
      () => mounted.stage('other'),
      () => staging.writePart(2, flow(randomBytes(10))),
      () => staging.keep('up/kept', [{ number: 1, size: 10 }]),
      () => mounted.put('small/two', Buffer.from('two')),
      () => mounted.open('small/one'),
      () => mounted.stat('small/one'),
      () => mounted.freeSpace(),
      () => mounted.health(),
    ];
    for (const ask of asks) await expect(ask()).rejects.toThrow(StorageUnavailable);
    expect(await readdir(at)).toEqual([]);
    await expect(openLocalStore(at, { create: false })).rejects.toThrow(StorageMissing);

    await run('mount', ['--bind', elsewhere, at]);
    await run('umount', [elsewhere]);
    await mounted.health();
    await staging.keep('up/kept', [{ number: 1, size: 10 }]);
    expect(await mounted.stat('small/one')).toEqual({ size: 3 });
    await rm(elsewhere, { recursive: true });
  });

  test('accepts no writes on another disk in its place', async () => {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', at]);
    try {
      for (let round = 0; round < 2; round++) {
        await expect(mounted.put('small/two', Buffer.from('two'))).rejects.toThrow(StorageUnavailable);
        await expect(mounted.stage('other')).rejects.toThrow(StorageUnavailable);
        await expect(mounted.open('small/one')).rejects.toThrow(StorageUnavailable);
        await expect(mounted.health()).rejects.toThrow(StorageUnavailable);
        await openLocalStore(at); // in the second round, there is a storage, but a different one
      }
    } finally {
      await run('umount', ['-l', at]);
    }
    await mounted.put('small/two', Buffer.from('two'));
  });

  test('serves reads from a read-only disk and rejects writes', async () => {
    const staging = await mounted.stage('up');
    await run('mount', ['-o', 'remount,ro', at]);
    const asks = [
      () => mounted.stage('other'),
      () => mounted.stage('up'),
      () => staging.writePart(1, flow(randomBytes(10))),
      () => mounted.put('small/two', Buffer.from('two')),
      () => mounted.put('other/two', Buffer.from('two')),
      () => mounted.health(),
    ];
    for (const ask of asks) await expect(ask()).rejects.toThrow(StorageUnavailable);
    expect(await buffer((await mounted.open('small/one')).stream)).toEqual(Buffer.from('one'));
    await run('mount', ['-o', 'remount,rw', at]);
    await staging.writePart(1, flow(randomBytes(10)));
    await mounted.health();
  });
});
