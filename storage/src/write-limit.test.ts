import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { nodeDisk } from './disk.ts';
import { openLocalStore } from './local-store.ts';
import { watchedDisk } from './testing/watched-disk.ts';
import { writesAtOnce } from './write-limit.ts';

const UPLOADS = 20;

test('while the disk is slow to flush, uploads leave threads to reads', async () => {
  const root = await mkdtemp(join(tmpdir(), 'storage-limit-'));
  let isSlow = false;
  let waiting = 0;
  let most = 0;
  const slow = Promise.withResolvers<void>();
  const store = await openLocalStore(root, {
    disk: watchedDisk(nodeDisk, async (call) => {
      if (!isSlow || call !== 'sync') return;
      most = Math.max(most, (waiting += 1));
      await slow.promise;
      waiting -= 1;
    }),
  });
  try {
    const bytes = randomBytes(100_000);
    const keep = async (name: string): Promise<void> => {
      const staging = await store.stage(name);
      await staging.writePart(
        1,
        (async function* () {
          yield bytes;
        })(),
      );
      await staging.keep(`kept/${name}`, await staging.parts());
    };
    await keep('read');
    isSlow = true;
    const uploads = Array.from({ length: UPLOADS }, (_, at) => keep(`upload-${at}`));
    await vi.waitFor(() => expect(waiting).toBe(writesAtOnce), 30_000);
    for (let read = 0; read < 100; read++)
      expect(bytes.equals(await buffer((await store.open('kept/read')).stream))).toBe(true);
    slow.resolve();
    await Promise.all(uploads);
    expect(most).toBe(writesAtOnce);
    for (let at = 0; at < UPLOADS; at++)
      expect(bytes.equals(await buffer((await store.open(`kept/upload-${at}`)).stream))).toBe(true);
  } finally {
    await store.close();
    await rm(root, { recursive: true });
  }
});
