import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openBlobStore } from './open-store.ts';

test('a folder is addressed by a path, a relative path or a file URL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storage-open-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stores = [
    await openBlobStore(join(folder, 'with space')),
    await openBlobStore('with space', { relativeTo: folder }),
    await openBlobStore(pathToFileURL(join(folder, 'with space')).href),
  ];
  await stores[0]!.put('a', Buffer.from('x'));
  for (const store of stores) {
    expect(store.capabilities).toEqual({ reach: 'machine', durable: true });
    expect(await store.stat('a')).toEqual({ size: 1 });
  }
  expect(existsSync(join(folder, 'with space', 'storage.json'))).toBe(true);
});

test('each memory store is separate, within this process only', async () => {
  const [one, other] = [await openBlobStore('memory:'), await openBlobStore('memory:')];
  await one.put('a', Buffer.from('x'));
  expect(await other.stat('a')).toBeNull();
  expect(one.capabilities.reach).toBe('process');
});

test('an unsupported URL is rejected', async () => {
  for (const address of ['http://127.0.0.1/bucket', 'ftp:x', 's3:', 's3://host-without-bucket']) {
    await expect(openBlobStore(address), address).rejects.toThrow(TypeError);
  }
});
