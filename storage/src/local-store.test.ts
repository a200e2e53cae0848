import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { judge } from './testing/judge.ts';
import { nodeDisk } from './disk.ts';
import { watchedDisk } from './testing/watched-disk.ts';
import { openLocalStore } from './local-store.ts';
import { BlobDamaged, StorageFull, StorageMissing, StorageUnavailable } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';

judge('the local engine', true, async () => {
  const root = await mkdtemp(join(tmpdir(), 'storage-local-'));
  return {
    open: () => openLocalStore(root),
    async openDying(dieAfter) {
      let left = Number.POSITIVE_INFINITY;
      const disk = watchedDisk(nodeDisk, () => {
        if (left-- <= 0) throw fault('EIO');
      });
      const store = await openLocalStore(root, { disk });
      left = dieAfter;
      return { store, died: () => left < 0 };
    },
    // State after a disk is unmounted: an empty folder that accepts writes.
    async takeAway() {
      await rename(root, `${root}-unplugged`);
      await mkdir(root);
      return async () => {
        await rmdir(root); // fails if something was written to it
        await rename(`${root}-unplugged`, root);
      };
    },
    clear: () => rm(root, { recursive: true }),
  };
});

describe('the local engine', () => {
  let root: string;
  let store: BlobStore;
  let trouble: (call: string, path: string, size: number) => void;
  let openFiles: number;
  let writtenBytes: number;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'storage-disk-'));
    const disk = watchedDisk(nodeDisk, (call, path, size) => {
      trouble(call, path, size);
      if (call === 'read' || call === 'write') writtenBytes += size;
      if (call === 'close') openFiles--;
    });
    const counted = {
      ...disk,
      open: async (path: string, mode: 'read' | 'create') => {
        const file = await disk.open(path, mode);
        openFiles++;
        return file;
      },
    };
    beforeEachReset();
    store = await openLocalStore(root, { disk: counted });
  });
  const beforeEachReset = () => {
    trouble = () => {};
    openFiles = 0;
    writtenBytes = 0;
  };
  beforeEach(beforeEachReset);
  afterAll(() => rm(root, { recursive: true }));

  const keep = async (key: string, bodies: Uint8Array[]) => {
    const staging = await store.stage(`of-${key.replaceAll('/', '-')}`);
    for (const [index, body] of bodies.entries()) await staging.writePart(index + 1, flow(body));
    await staging.keep(
      key,
      bodies.map((body, index) => ({ number: index + 1, size: body.byteLength })),
    );
  };
  /** Files under the root that this process has open, as reported by the system if it supports that. */
  const heldFiles = () => {
    if (!existsSync('/proc/self/fd')) return openFiles;
    const targets = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    return targets.filter((target) => target.startsWith(root)).length;
  };
  const filesBelow = async (folder: string) => {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    return entries.filter((entry) => entry.isFile());
  };

  test('a small object takes few disk operations if others were stored in its folder a moment ago', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await store.put('few/first', Buffer.from('first'));
    await store.put('few/second', Buffer.from('second'));
    const calls: string[] = [];
    trouble = (call) => void calls.push(call);
    await store.put('few/third', Buffer.from('third'));
    const needed = ['realPath', 'create', 'write', 'sync', 'close', 'rename', 'syncFolder', 'identify'];
    expect(calls).toEqual(needed);
    vi.advanceTimersByTime(1000);
    calls.length = 0;
    await store.put('few/fourth', Buffer.from('fourth'));
    expect(calls).toEqual(['identify', ...needed]);
  });

  test('keeps an upload without writing its bytes again', async () => {
    const bodies = [randomBytes(900_000), randomBytes(800_000), randomBytes(700_000)];
    const staging = await store.stage('written-once');
    for (const [index, body] of bodies.entries()) await staging.writePart(index + 1, flow(body));
    expect(writtenBytes).toBe(2_400_000);
    await staging.keep('blob/written-once', await staging.parts());
    expect(writtenBytes - 2_400_000).toBeLessThan(1000);
  });

  test('flushes parts and blobs to the disk before reporting them durable', async () => {
    const calls: string[] = [];
    trouble = (call, path) => void calls.push(`${call} ${path.slice(root.length)}`);
    await keep('durable/order', [Buffer.from('one'), Buffer.from('two')]);
    const at = (pattern: RegExp) => calls.findIndex((call) => pattern.test(call));
    const last = (pattern: RegExp) => calls.findLastIndex((call) => pattern.test(call));
    // A part: the bytes are flushed, then renamed, then the folder is flushed.
    expect(at(/^sync .*incoming-/)).toBeLessThan(at(/^rename .*incoming-/));
    expect(at(/^rename .*incoming-/)).toBeLessThan(at(/^syncFolder \/staged\/of-durable-order$/));
    expect(at(/^syncFolder \/staged$/)).toBeLessThan(at(/^create /));
    // The blob: the manifest and its folder are flushed, then moved to their place, and that folder is flushed.
    expect(last(/^sync \/incoming\//)).toBeLessThan(at(/^syncFolder \/keeping\//));
    expect(at(/^syncFolder \/keeping\//)).toBeLessThan(at(/^rename \/keeping\/of-durable-order$/));
    expect(at(/^rename \/keeping\/of-durable-order$/)).toBeLessThan(last(/^syncFolder \/kept\/durable$/));
    expect(at(/^syncFolder \/kept$/)).toBeGreaterThan(-1);
  });

  test('flushes stored objects to the disk before reporting them durable', async () => {
    const calls: string[] = [];
    trouble = (call, path) => void calls.push(`${call} ${path.slice(root.length)}`);
    await store.put('put-order/thumbnail', Buffer.from('small'));
    const renamed = calls.findIndex((call) => call.startsWith('rename /incoming/'));
    const flushed = calls.findIndex((call) => call.startsWith('sync /incoming/'));
    expect(flushed).toBeGreaterThan(-1);
    expect(renamed).toBeGreaterThan(flushed);
    expect(calls.slice(renamed + 1)).toContain('syncFolder /kept/put-order');
    expect(calls.slice(0, renamed)).toContain('syncFolder /kept');
  });

  test.each(['sync', 'syncFolder', 'rename', 'create', 'write'])(
    'rejects a part whose %s fails, and leaves nothing of it',
    async (failing) => {
      const uploadId = `failing-${failing.toLowerCase()}`;
      const staging = await store.stage(uploadId);
      trouble = (call) => {
        if (call === failing) throw fault('EIO');
      };
      await expect(staging.writePart(1, flow(randomBytes(50)))).rejects.toThrow(StorageUnavailable);
      trouble = () => {};
      await staging.writePart(1, flow(randomBytes(60)));
      expect(await staging.parts()).toMatchObject([{ number: 1, size: 60 }]);
      expect(await filesBelow(`staged/${uploadId}`)).toHaveLength(1);
      expect(heldFiles()).toBe(0);
    },
  );

  test('flushes a part of common size while it arrives', async () => {
    const calls: string[] = [];
    trouble = (call) => void calls.push(call);
    const staging = await store.stage('flushed-early');
    const chunk = randomBytes(1024 * 1024);
    await staging.writePart(1, flow(...Array.from({ length: 16 }, () => chunk)));
    expect(calls.indexOf('sync')).toBeLessThan(calls.lastIndexOf('write'));
    expect(calls.lastIndexOf('sync')).toBeGreaterThan(calls.lastIndexOf('write'));
    await store.discard('flushed-early');
  });

  test('reports a failed flush that happens behind a long write', async () => {
    const staging = await store.stage('flush-behind');
    let flushes = 0;
    trouble = (call) => {
      if (call === 'sync' && flushes++ === 0) throw fault('EIO');
    };
    const chunk = randomBytes(1024 * 1024);
    const long = async function* () {
      for (let sent = 0; sent < 400; sent++) yield chunk;
    };
    await expect(staging.writePart(1, long())).rejects.toThrow(StorageUnavailable);
    expect(await staging.parts()).toEqual([]);
    await store.discard('flush-behind');
  });

  test('rejects writes to a full disk, reports it, and otherwise keeps working', async () => {
    const safe = [randomBytes(1000), randomBytes(1000)];
    await keep('full/safe', safe);
    const staging = await store.stage('too-much');
    await staging.writePart(1, flow(randomBytes(1000)));

    let room = 2_500_000;
    trouble = (call, _path, size) => {
      if (call === 'write' && (room -= size) < 0) throw fault('ENOSPC');
    };
    const chunk = randomBytes(65_536);
    const endless = async function* () {
      for (;;) yield chunk;
    };
    await expect(staging.writePart(2, endless())).rejects.toThrow(StorageFull);
    await expect(store.put('full/small', Buffer.alloc(10))).rejects.toThrow(StorageFull);
    expect(await filesBelow('staged/too-much')).toHaveLength(1);
    expect(await filesBelow('incoming')).toHaveLength(0);
    await store.health();
    expect(await buffer((await store.open('full/safe')).stream)).toEqual(Buffer.concat(safe));
    await store.remove('full/safe');
    await store.discard('too-much');
    expect(await filesBelow('staged/too-much')).toHaveLength(0);
    expect(await filesBelow('trash')).toHaveLength(0);
    expect(heldFiles()).toBe(0);
  });

  test('continues after short reads and writes of the disk', async () => {
    const stingy = {
      ...nodeDisk,
      open: async (path: string, mode: 'read' | 'create') => {
        const file = await nodeDisk.open(path, mode);
        const write = (chunks: readonly Uint8Array[], position: number) =>
          file.write([Buffer.concat(chunks).subarray(0, 1 + (position % 40_000))], position);
        const read = (into: Uint8Array, position: number) => file.read(into.subarray(0, 30_000), position);
        return { ...file, write, read };
      },
    };
    const slow = await openLocalStore(root, { disk: stingy });
    const body = randomBytes(300_000);
    const staging = await slow.stage('stingy');
    await staging.writePart(1, flow(body.subarray(0, 7), body.subarray(7, 100_000), body.subarray(100_000)));
    await staging.keep('blob/stingy', [{ number: 1, size: body.length }]);
    expect(await buffer((await slow.open('blob/stingy')).stream)).toEqual(body);
  });

  test('leaves no file open, no matter when readers stop', async () => {
    await keep('leaving/blob', [randomBytes(2_500_000), randomBytes(2_500_000)]);
    const streams = await Promise.all(
      Array.from({ length: 30 }, async () => (await store.open('leaving/blob')).stream),
    );
    expect(heldFiles()).toBe(0);
    await Promise.all(
      streams.map(async (stream, index) => {
        stream.on('error', () => {});
        if (index % 3 === 0) stream.destroy(); // never read
        else if (index % 3 === 1) {
          stream.resume();
          await sleep(index / 10);
          stream.destroy(new Error('client gone'));
        } else for await (const chunk of stream) if (chunk) break;
      }),
    );
    await Promise.all(
      streams.map((stream) =>
        stream.closed ? Promise.resolve() : new Promise((done) => stream.once('close', done)),
      ),
    );
    expect(heldFiles()).toBe(0);
    expect(openFiles).toBe(0);
  });

  test('ends a read that fails halfway with an error instead of truncating it', async () => {
    await keep('half/way', [randomBytes(2_000_000), randomBytes(2_000_000)]);
    let reads = 0;
    trouble = (call) => {
      if (call === 'read' && reads++ > 3) throw fault('EIO');
    };
    await expect(buffer((await store.open('half/way')).stream)).rejects.toThrow(StorageUnavailable);
    trouble = () => {};

    await keep('cut/file', [randomBytes(2_000_000)]);
    const { stream } = await store.open('cut/file');
    await truncate(join(root, 'kept/cut/file.blob'), 1_500_000);
    await expect(buffer(stream)).rejects.toThrow(BlobDamaged);
    const { pipeTo } = await store.open('cut/file');
    await truncate(join(root, 'kept/cut/file.blob'), 1_000_000);
    await expect(pipeTo(async () => {})).rejects.toThrow(BlobDamaged);

    const [first] = await readdir(join(root, 'kept/half/way.blob'));
    await rm(join(root, 'kept/half/way.blob', first!));
    await expect(buffer((await store.open('half/way')).stream)).rejects.toThrow(BlobDamaged);
    await rm(join(root, 'kept/half/way.blob/manifest.json'));
    await expect(store.open('half/way')).rejects.toThrow(BlobDamaged);
    await writeFile(join(root, 'kept/half/way.blob/manifest.json'), '{"form');
    await expect(store.open('half/way')).rejects.toThrow(BlobDamaged);
    await store.remove('half/way');
    expect(await store.stat('half/way')).toBeNull();
    expect(heldFiles()).toBe(0);
  });

  test('at the next start, frees what a killed process was removing', async () => {
    await keep('trash/blob', [randomBytes(10), randomBytes(10)]);
    trouble = (call) => {
      if (call === 'remove') throw fault('EIO');
    };
    await expect(store.remove('trash/blob')).rejects.toThrow(StorageUnavailable);
    expect(await store.stat('trash/blob')).toBeNull();
    expect(await filesBelow('trash')).not.toHaveLength(0);
    await openLocalStore(root);
    expect(await filesBelow('trash')).toHaveLength(0);
  });

  test('does not treat a missing or foreign folder as an empty storage', async () => {
    const other = await mkdtemp(join(tmpdir(), 'storage-other-'));
    const vanishing = await openLocalStore(join(other, 'disk'));
    await vanishing.health();
    await rename(join(other, 'disk'), join(other, 'unplugged'));
    await expect(vanishing.health()).rejects.toThrow(StorageUnavailable);

    await writeFile(join(other, 'unplugged/storage.json'), '{"format":99}\n');
    await expect(openLocalStore(join(other, 'unplugged'))).rejects.toThrow(StorageUnavailable);
    await expect(openLocalStore(join(other, 'unplugged/storage.json'))).rejects.toThrow(StorageUnavailable);
    await rm(other, { recursive: true });
  });

  test('accepts the same storage at a new location, and rejects another storage', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'storage-moved-'));
    const at = join(folder, 'disk');
    const open = await openLocalStore(at);
    await open.put('place/one', Buffer.from('one'));
    await rename(at, join(folder, 'broken'));

    await openLocalStore(at);
    for (const ask of [
      () => open.health(),
      () => open.put('place/two', Buffer.from('two')),
      () => open.open('place/one'),
    ])
      await expect(ask()).rejects.toThrow(StorageUnavailable);
    await rm(at, { recursive: true });

    // As when a disk is copied to a new one and that is mounted in its place. The copy may lack empty folders.
    await cp(join(folder, 'broken'), at, { recursive: true });
    await rm(join(at, 'kept/place'), { recursive: true });
    await open.put('place/two', Buffer.from('two'));
    expect(await open.stat('place/two')).toEqual({ size: 3 });
    await open.health();
    await rm(folder, { recursive: true });
  });

  test('does not recreate a missing folder at the top of the storage', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'storage-top-'));
    const open = await openLocalStore(folder);
    const staging = await open.stage('top');
    await staging.writePart(1, flow(randomBytes(10)));
    await open.put('some/thing', Buffer.from('x'));
    for (const [place, asks] of Object.entries({
      staged: [() => open.stage('other'), () => staging.writePart(2, flow(randomBytes(5)))],
      kept: [
        () => staging.keep('other/key', [{ number: 1, size: 10 }]),
        () => open.put('an/other', Buffer.from('x')),
        () => open.open('some/thing'),
        () => open.stat('some/thing'),
      ],
      incoming: [() => open.put('an/other', Buffer.from('x')), () => staging.keep('empty', [])],
    })) {
      await rename(join(folder, place), join(folder, 'aside'));
      for (const ask of [...asks, () => open.health()]) {
        await expect(ask()).rejects.toThrow(StorageUnavailable);
        expect(existsSync(join(folder, place))).toBe(false);
      }
      await rename(join(folder, 'aside'), join(folder, place));
      await open.health();
    }
    await rm(folder, { recursive: true });
  });

  test('leaves a folder without a storage untouched when one is expected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'storage-none-'));
    await expect(openLocalStore(folder, { create: false })).rejects.toThrow(StorageMissing);
    await expect(openLocalStore(join(folder, 'none'), { create: false })).rejects.toThrow(StorageMissing);
    expect(await readdir(folder)).toEqual([]);
    await openLocalStore(folder);
    await openLocalStore(folder, { create: false });
    await rm(folder, { recursive: true });
  });

  test('does not follow links in the storage', async () => {
    const outside = join(await mkdtemp(join(tmpdir(), 'storage-outside-')), 'secret');
    await writeFile(outside, 'not for you');
    await keep('links/file', [Buffer.from('one')]);
    await keep('links/parts', [Buffer.from('one'), Buffer.from('two')]);
    await keep('links/manifest', [Buffer.from('one'), Buffer.from('two')]);
    await keep('links/deep/file', [Buffer.from('one')]);
    const kept = join(root, 'kept/links');
    const { stream } = await store.open('links/file');
    await rm(join(kept, 'file.blob'));
    await symlink(outside, join(kept, 'file.blob'));
    await expect(buffer(stream)).rejects.toThrow(BlobDamaged);
    const part = (await readdir(join(kept, 'parts.blob'))).find((name) => name !== 'manifest.json');
    await rm(join(kept, 'parts.blob', part!));
    await symlink(outside, join(kept, 'parts.blob', part!));
    await rename(join(kept, 'manifest.blob/manifest.json'), join(kept, 'manifest.blob/aside.json'));
    await symlink('aside.json', join(kept, 'manifest.blob/manifest.json'));
    await rename(join(kept, 'deep'), join(outside, '../deep'));
    await symlink(join(outside, '../deep'), join(kept, 'deep'));

    await expect(store.open('links/file')).rejects.toThrow(BlobDamaged);
    await expect(store.stat('links/file')).rejects.toThrow(BlobDamaged);
    await expect(buffer((await store.open('links/parts')).stream)).rejects.toThrow(BlobDamaged);
    await expect((await store.open('links/parts')).pipeTo(async () => {})).rejects.toThrow(BlobDamaged);
    await expect(store.open('links/manifest')).rejects.toThrow(BlobDamaged);
    await expect(store.open('links/deep/file')).rejects.toThrow(BlobDamaged);
    await expect(store.put('links/deep/other', Buffer.from('x'))).rejects.toThrow(StorageUnavailable);
    expect(await readdir(join(outside, '../deep'))).toEqual(['file.blob']);
    const listed = (await Array.fromAsync(store.list('links/'))).map(({ key }) => key);
    expect(listed).toEqual(['links/parts']);
    // This removes the link, not its target.
    await store.remove('links/file');
    expect(await store.stat('links/file')).toBeNull();
    expect(existsSync(outside)).toBe(true);
  });

  test('neither lists nor changes unrelated files in its folders', async () => {
    await keep('strangers/blob', [randomBytes(10)]);
    await writeFile(join(root, 'kept/strangers/.DS_Store'), 'x');
    await writeFile(join(root, 'kept/Thumbs.db'), 'x');
    await writeFile(join(root, 'staged/.DS_Store'), 'x');
    expect(await Array.fromAsync(store.list('strangers/'))).toHaveLength(1);
    expect((await Array.fromAsync(store.list(''))).length).toBeGreaterThan(0);
    const ids = (await Array.fromAsync(store.staged())).map(({ uploadId }) => uploadId);
    expect(ids).not.toContain('.DS_Store');
    expect((await stat(join(root, 'kept/strangers/.DS_Store'))).size).toBe(1);
  });
});

function fault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected`), { code });
}

async function* flow(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
