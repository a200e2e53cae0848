import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { answeredWithin, type S3Limits } from './s3-limits.ts';
import { openS3Store } from './s3-store.ts';
import { StorageUnavailable } from './storage-errors.ts';
import { freshPlace, testAddress } from './testing/s3-places.ts';
import { stallingWay } from './testing/stalling-service.ts';

const MIB = 1024 * 1024;
const PATIENT: S3Limits = { connectMs: 5_000, idleMs: 60_000, attempts: 1, answerMs: 60_000 };

/** A store with one small and one large blob, on a service that can stall. */
async function stalling(limits: Partial<S3Limits>) {
  const { hostname, port } = testAddress();
  const way = await stallingWay(hostname, Number(port));
  const store = await openS3Store(freshPlace(undefined, way.host, { ...PATIENT, ...limits }));
  onTestFinished(async () => {
    await store.close();
    await way.close();
  });
  const body = randomBytes(4 * MIB);
  const staging = await store.stage('large');
  await staging.writePart(1, flow(body));
  await staging.keep('blob/large', await staging.parts());
  await store.put('blob/small', body.subarray(0, 200 * 1024));
  return { way, store, body, open: await store.stage('open') };
}

async function* flow(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

test.each([
  ['idle connections are given up, and so is the service after its attempts', { idleMs: 300, attempts: 2 }],
  ['answers that don’t begin in time are given up, whatever the connections do', { answerMs: 300 }],
])('a hanging service is unavailable to every call: %s', async (_, limits) => {
  const { way, store, open } = await stalling(limits);
  way.stallAfter(0);
  const bytes = randomBytes(10);
  for (const call of [
    () => store.health(),
    () => store.stat('blob/small'),
    () => store.open('blob/large'),
    () => store.put('blob/other', bytes),
    () => store.remove('blob/small'),
    () => Array.fromAsync(store.list('')),
    () => Array.fromAsync(store.staged()),
    () => store.stage('another'),
    () => store.discard('large'),
    () => open.writePart(1, flow(bytes)),
    () => open.parts(),
    () => open.keep('blob/open', []),
  ])
    await expect(call(), call.toString()).rejects.toThrow(StorageUnavailable);
});

test('a service that stalls in the middle of a body times out', async () => {
  const { way, store } = await stalling({ idleMs: 300, attempts: 2 });
  const { stream } = await store.open('blob/large');
  way.stallAfter(MIB);
  await expect(buffer(stream)).rejects.toThrow(StorageUnavailable);
  way.stallAfter(50 * 1024);
  await expect(store.open('blob/small')).rejects.toThrow(StorageUnavailable);
});

test('a download that stalls resumes over another connection', async () => {
  const { way, store, body } = await stalling({ idleMs: 300 });
  const { stream } = await store.open('blob/large');
  way.stallAfter(MIB, { once: true });
  expect((await buffer(stream)).equals(body)).toBe(true);
});

test('a transfer that makes progress is not cut off, however long it takes', async () => {
  // At this rate, either transfer takes longer than the limit, but the kernel's buffers are sent within it.
  const { way, store, open } = await stalling({ idleMs: 6_000, answerMs: 6_000 });
  const body = randomBytes(12 * MIB);
  const staging = await store.stage('long');
  await staging.writePart(1, flow(body));
  await staging.keep('blob/long', await staging.parts());
  way.slowDown(64 * 1024, 50);
  expect((await buffer((await store.open('blob/long')).stream)).equals(body)).toBe(true);
  expect(await open.writePart(1, flow(body))).toMatchObject({ size: body.length });
});

test('only timeouts are reported as timeouts; other errors are passed on unchanged', async () => {
  const late = answeredWithin(50, (signal) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  });
  await expect(late).rejects.toThrow('it didn’t respond within 0.05 seconds');
  await expect(late).rejects.toThrow(StorageUnavailable);
  const broken = new Error('refused');
  await expect(answeredWithin(60_000, () => Promise.reject(broken))).rejects.toBe(broken);
  const stop = AbortSignal.abort(new Error('left'));
  await expect(answeredWithin(60_000, async (signal) => signal.throwIfAborted(), stop)).rejects.toThrow(
    'left',
  );
});
