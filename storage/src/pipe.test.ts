import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLocalStore } from './local-store.ts';
import type { BlobStore } from './blob-store.ts';

const SMALL = 256 * 1024;
const bytes = randomBytes(8 * 1024 * 1024 + 1);
let root: string;
let store: BlobStore;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'storage-pipe-'));
  store = await openLocalStore(root);
  await store.put('whole', bytes);
});
afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true });
});

async function received(end: number, pace: () => Promise<void>): Promise<{ sizes: number[]; bytes: Buffer }> {
  const chunks: Buffer[] = [];
  const { pipeTo } = await store.open('whole', { start: 0, end });
  await pipeTo(async (chunk) => {
    await pace();
    chunks.push(Buffer.from(chunk));
  });
  return { sizes: chunks.map(({ length }) => length), bytes: Buffer.concat(chunks) };
}

test('a fast reader gets large chunks, with the right bytes', async () => {
  const { sizes, bytes: got } = await received(bytes.length - 1, async () => {});
  expect(Math.max(...sizes)).toBeGreaterThan(SMALL);
  expect(got.equals(bytes)).toBe(true);
});

test('a slow reader takes no more memory than it needs', async () => {
  const end = 6 * SMALL;
  const { sizes, bytes: got } = await received(end, () => sleep(40));
  expect(Math.max(...sizes)).toBe(SMALL);
  expect(got.equals(bytes.subarray(0, end + 1))).toBe(true);
});
