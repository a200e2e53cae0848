import { expect, onTestFinished, test, vi } from 'vitest';
import { createRoom } from './room.ts';
import { StorageFull } from './storage-errors.ts';

const MIB = 2 ** 20;

/** A disk whose free space decreases as bytes are written to it. */
function smallDisk(free: number) {
  const disk = { free, freeSpace: async () => disk.free };
  const write = async (source: AsyncIterable<Uint8Array>): Promise<number> => {
    let written = 0;
    for await (const chunk of source) {
      written += chunk.byteLength;
      disk.free -= chunk.byteLength;
    }
    return written;
  };
  return { disk, write };
}

async function* body(bytes: number, seen: (sent: number) => void = () => {}) {
  const chunk = Buffer.alloc(64 * 1024);
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    seen(sent);
    yield chunk.subarray(0, Math.min(chunk.length, bytes - sent));
  }
}

test('of parallel bodies, exactly those that fit together are admitted', async () => {
  const { disk, write } = smallDisk(64 * MIB);
  const room = createRoom(disk, 16 * MIB);
  const claims = await Promise.allSettled([1, 2, 3, 4, 5].map(() => room.claim(20 * MIB)));
  expect(claims.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(await room.status()).toEqual({ free: 64 * MIB, reserve: 16 * MIB, underWay: 40 * MIB });
  await expect(room.check(9 * MIB)).rejects.toThrow(StorageFull);
  await room.check(8 * MIB);
  for (const claim of claims) {
    if (claim.status === 'rejected') expect(claim.reason).toBeInstanceOf(StorageFull);
    else {
      expect(await write(claim.value.through(body(20 * MIB)))).toBe(20 * MIB);
      claim.value.release();
    }
  }
  expect(await room.status()).toEqual({ free: 24 * MIB, reserve: 16 * MIB, underWay: 0 });
});

test('bodies of unknown length are cut off before they use up the reserve', async () => {
  const { disk, write } = smallDisk(64 * MIB);
  const room = createRoom(disk, 16 * MIB);
  const writing = [1, 2, 3].map(async () => {
    const claim = await room.claim();
    return write(claim.through(body(30 * MIB))).finally(() => claim.release());
  });
  const results = await Promise.allSettled(writing);
  expect(results.map(({ status }) => status)).toContain('rejected');
  expect(disk.free).toBeGreaterThanOrEqual(16 * MIB);
  expect((await room.status()).underWay).toBe(0);
  // A small body fits into the remaining space.
  const left = await room.claim();
  expect(await write(left.through(body(Math.min(1000, disk.free - 16 * MIB))))).toBeLessThanOrEqual(1000);
});

test('an admitted body is cut off if another process fills the disk', async () => {
  const { disk, write } = smallDisk(64 * MIB);
  const claim = await createRoom(disk, 16 * MIB).claim(40 * MIB);
  const writing = write(claim.through(body(40 * MIB, (sent) => sent === 8 * MIB && (disk.free -= 30 * MIB))));
  await expect(writing).rejects.toThrow(StorageFull);
  expect(disk.free).toBeGreaterThanOrEqual(16 * MIB);
});

test('a body is cut off before it touches the reserve, even if another process takes little of it', async () => {
  const { disk, write } = smallDisk(64 * MIB);
  const claim = await createRoom(disk, 16 * MIB).claim(40 * MIB);
  // There is still room for the rest of the body, but not without touching the reserve.
  const writing = write(claim.through(body(40 * MIB, (sent) => sent === 8 * MIB && (disk.free -= 12 * MIB))));
  await expect(writing).rejects.toThrow(StorageFull);
  expect(disk.free).toBeGreaterThanOrEqual(16 * MIB);
});

test('a body that fits exactly is accepted, and every body is accepted if the free space is unknown', async () => {
  const { disk, write } = smallDisk(64 * MIB);
  const claim = await createRoom(disk, 16 * MIB).claim(48 * MIB);
  expect(await write(claim.through(body(48 * MIB)))).toBe(48 * MIB);
  expect(disk.free).toBe(16 * MIB);
  const boundless = createRoom({ freeSpace: async () => null }, 16 * MIB);
  await boundless.check(2 ** 50);
  expect(await boundless.status()).toMatchObject({ free: null, underWay: 0 });
});

test.each([
  { free: 10 * 2 ** 30, looks: 1, what: 'ample space counts for the bodies of the next moment' },
  { free: 32 * MIB, looks: 5, what: 'little space is repeated for each body' },
])('a look at $what', async ({ free, looks }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let looked = 0;
  const freeSpace = async (): Promise<number> => {
    looked += 1;
    return free;
  };
  const room = createRoom({ freeSpace }, 16 * MIB);
  for (let body = 0; body < 5; body++) (await room.claim(1 * MIB)).release();
  expect(looked).toBe(looks);
  vi.advanceTimersByTime(1000);
  await room.check(1);
  expect(looked).toBe(looks + 1);
});

test('bodies that arrive at the same time don’t exceed ample space together', async () => {
  const { disk } = smallDisk(2048 * MIB);
  const room = createRoom(disk, 16 * MIB);
  await room.check(1);
  const claims = await Promise.allSettled(Array.from({ length: 30 }, () => room.claim(100 * MIB)));
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});
