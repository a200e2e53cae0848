import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openS3Store, s3PlaceOf } from './s3-store.ts';
import { StagingGone, StorageMissing, StorageUnavailable } from './storage-errors.ts';
import { diesAtEveryStep } from './testing/killing.ts';
import { dyingStore, freshPlace, testAddress } from './testing/s3-places.ts';
import type { BlobStore } from './blob-store.ts';

describe('the S3 engine', () => {
  const place = freshPlace();
  let store: BlobStore;
  beforeAll(async () => {
    store = await openS3Store(place);
  });
  afterAll(() => store.close());

  const objects = async (start = '') => {
    const page = await place.client.send(
      new ListObjectsV2Command({ Bucket: place.bucket, Prefix: place.prefix + start }),
    );
    return (page.Contents ?? []).map(({ Key }) => Key!.slice(place.prefix.length));
  };
  const stagedIds = async () => (await Array.fromAsync(store.staged())).map(({ uploadId }) => uploadId);
  /** An upload of two parts, and the key to keep it under. */
  const staged = async (uploadId: string) => {
    const bodies = [randomBytes(100), randomBytes(100)];
    const staging = await store.stage(uploadId);
    for (const [index, body] of bodies.entries()) await staging.writePart(index + 1, flow(body));
    return { key: `blob/${uploadId}`, choices: await staging.parts(), body: Buffer.concat(bodies) };
  };
  /** A store of another machine whose first matching request is held until it is released. */
  const heldBack = async (which: (command: string, name: string) => boolean) => {
    const other = freshPlace(place.prefix);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    other.client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (request) => {
          if (which(commandName, String((request.input as { Key?: string }).Key))) {
            reached.resolve();
            await released.promise;
          }
          return next(request);
        },
      { step: 'initialize' },
    );
    const opened = await openS3Store(other);
    onTestFinished(() => opened.close());
    return { store: opened, reached: reached.promise, release: released.resolve };
  };
  const unfinished = async () => {
    const command = new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: place.prefix });
    return (await place.client.send(command)).Uploads ?? [];
  };

  test('reports a hanging service after its timeout, and creates a missing bucket only on request', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    await expect(openS3Store(freshPlace('', `127.0.0.1:${port}`), { patienceMs: 300 })).rejects.toThrow(
      'didn’t respond within 0.3 seconds',
    );
    const missing = { ...freshPlace(), bucket: `missing-${randomBytes(6).toString('hex')}` };
    await expect(openS3Store(missing, { create: false })).rejects.toThrow(StorageMissing);
  });

  test('stores a part larger than one request completely', async () => {
    const body = randomBytes(20 * 1024 * 1024 + 7);
    const staging = await store.stage('large');
    const { size } = await staging.writePart(1, flow(body.subarray(0, 9_000_000), body.subarray(9_000_000)));
    expect(size).toBe(body.length);
    await staging.writePart(2, flow(Buffer.from('end')));
    await staging.keep('blob/large', await staging.parts());
    const kept = await buffer((await store.open('blob/large')).stream);
    expect(kept.equals(Buffer.concat([body, Buffer.from('end')]))).toBe(true);
    await store.remove('blob/large');
  });

  test('keeps an upload without moving bytes: the parts stay the same objects', async () => {
    const staging = await store.stage('unmoved');
    for (const number of [1, 2]) await staging.writePart(number, flow(randomBytes(10)));
    const before = (await objects('segments/unmoved/')).sort();
    await staging.keep('blob/unmoved', await staging.parts());
    expect((await objects('segments/unmoved/')).filter((name) => !name.endsWith('/keeping')).sort()).toEqual(
      before,
    );
    await store.remove('blob/unmoved');
    expect(await objects('segments/unmoved/')).toEqual([]);
  });

  test('leaves nothing behind if a source fails after megabytes', async () => {
    const staging = await store.stage('broken');
    const cut = new Error('connection reset');
    const broken = async function* () {
      for (let sent = 0; sent < 20; sent++) yield randomBytes(1024 * 1024);
      throw cut;
    };
    await expect(staging.writePart(1, broken())).rejects.toBe(cut);
    expect(await unfinished()).toEqual([]);
    await store.discard('broken');
    expect(await objects('segments/broken/')).toEqual([]);
  });

  test('discarding an upload also frees what a killed process left of a large part', async () => {
    await store.stage('killed');
    const Key = `${place.prefix}segments/killed/00001/1-abc`;
    await place.client.send(new CreateMultipartUploadCommand({ Bucket: place.bucket, Key }));
    expect(await unfinished()).toHaveLength(1);
    await store.discard('killed');
    expect(await unfinished()).toEqual([]);
    expect(await objects('staged/')).toEqual([]);
  });

  test('discards an upload that was reopened after it was kept, without harming the blob', async () => {
    const staging = await store.stage('zombie');
    const body = randomBytes(100);
    await staging.writePart(1, flow(body));
    await staging.keep('blob/zombie', [{ number: 1, size: 100 }]);
    await (await store.stage('zombie')).writePart(2, flow(randomBytes(5)));
    expect(await (await store.stage('zombie')).parts()).toMatchObject([{ number: 2, size: 5 }]);
    await store.discard('zombie');
    expect(await buffer((await store.open('blob/zombie')).stream)).toEqual(body);
    await store.remove('blob/zombie');
    expect(await objects('segments/zombie/')).toEqual([]);
    expect(await objects('staged/')).toEqual([]);
  });

  test('deletes the parts if a discard comes before the manifest, and the keep reports it', async () => {
    const { key, choices } = await staged('overtaken');
    const keeper = await heldBack(isManifest);
    const kept = settled(keeper.store.stage('overtaken').then((staging) => staging.keep(key, choices)));
    await keeper.reached;
    await store.discard('overtaken');
    keeper.release();
    expect(await kept).toBeInstanceOf(StagingGone);
    expect(await store.stat(key)).toBeNull();
    await store.discard('overtaken');
    expect(await objects('staged/')).toEqual([]);
  });

  test('keeps the parts if a discard finds the manifest, and the keep waits for the discard', async () => {
    const { key, choices, body } = await staged('spared');
    const keeper = await heldBack(isManifest);
    const discarder = await heldBack(
      (command, name) => command === 'GetObjectCommand' && name.includes('kept/'),
    );
    const kept = settled(keeper.store.stage('spared').then((staging) => staging.keep(key, choices)));
    await keeper.reached;
    const discarded = discarder.store.discard('spared');
    await discarder.reached;
    keeper.release();
    await sleep(100);
    discarder.release();
    await discarded;
    expect(await kept).toBeUndefined();
    expect(await buffer((await store.open(key)).stream)).toEqual(body);
    await store.remove(key);
    expect(await objects('segments/spared/')).toEqual([]);
  });

  test('keeps the selected part even if it is written again during the keep', async () => {
    const { key, choices, body } = await staged('rewritten');
    const keeper = await heldBack(isManifest);
    const kept = settled(keeper.store.stage('rewritten').then((staging) => staging.keep(key, choices)));
    await keeper.reached;
    await (await store.stage('rewritten')).writePart(2, flow(randomBytes(100)));
    keeper.release();
    expect(await kept).toBeUndefined();
    expect(await buffer((await store.open(key)).stream)).toEqual(body);
    await store.remove(key);
    expect(await objects('segments/rewritten/')).toEqual([]);
  });

  test(
    'leaves nothing behind that the collector can’t find if a removal is killed at any step',
    { timeout: 120_000 },
    async () => {
      let count = 0;
      await diesAtEveryStep(
        (dieAfter) => dyingStore(place.prefix, dieAfter),
        async (doomed) => {
          const uploadId = `removed-${count++}`;
          const { key, choices } = await staged(uploadId);
          await (await store.stage(uploadId)).keep(key, choices);
          await settled(doomed.remove(key));
          if ((await stagedIds()).includes(uploadId)) await store.discard(uploadId);
          await store.remove(key);
          expect(await objects(`segments/${uploadId}/`)).toEqual([]);
          expect(await stagedIds()).not.toContain(uploadId);
          await doomed.close();
        },
      );
    },
  );

  test('stores one set of objects for parallel uploads of the same bytes', async () => {
    const body = randomBytes(50);
    const ids = Array.from({ length: 12 }, (_, index) => `same-${index}`);
    await Promise.all(
      ids.map(async (uploadId) => {
        const staging = await store.stage(uploadId);
        await staging.writePart(1, flow(body));
        await staging.keep('blob/same', [{ number: 1, size: 50 }]);
      }),
    );
    const left = await stagedIds();
    for (const uploadId of ids) expect(left).not.toContain(uploadId);
    expect(await objects('segments/same-')).toHaveLength(2);
    await store.remove('blob/same');
    expect(await objects('segments/same-')).toEqual([]);
  });

  test('resumes a read where its connection broke', async () => {
    const body = randomBytes(12 * 1024 * 1024);
    const staging = await store.stage('resumed');
    await staging.writePart(1, flow(body));
    await staging.keep('blob/resumed', [{ number: 1, size: body.length }]);

    const flaky = freshPlace(place.prefix);
    let broken = 0;
    flaky.client.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          const result = await next(request);
          if (commandName !== 'GetObjectCommand' || broken >= 2) return result;
          const { Body } = result.output as {
            Body?: NodeJS.ReadableStream & { destroy(error: Error): void };
          };
          let seen = 0;
          Body?.on('data', (chunk: Buffer) => {
            seen += chunk.length;
            if (seen > 2_000_000 && broken++ < 2) Body.destroy(new Error('socket hang up'));
          });
          Body?.pause();
          return result;
        },
      { step: 'initialize' },
    );
    const reader = await openS3Store(flaky);
    const { stream } = await reader.open('blob/resumed', { start: 5, end: body.length - 2 });
    expect((await buffer(stream)).equals(body.subarray(5, -1))).toBe(true);
    expect(broken).toBeGreaterThan(1);
    await reader.close();
    await store.remove('blob/resumed');
  });

  test('leaves no connection busy when readers stop early', async () => {
    const staging = await store.stage('leaving');
    const body = randomBytes(12 * 1024 * 1024);
    await staging.writePart(1, flow(body));
    await staging.keep('blob/leaving', [{ number: 1, size: body.length }]);
    // More rounds than the few sockets allow if each round kept one busy.
    for (let round = 0; round < 20; round++) {
      const { stream } = await store.open('blob/leaving');
      for await (const chunk of stream) if (chunk) break;
    }
    await store.remove('blob/leaving');
    expect(await store.stat('blob/leaving')).toBeNull();
  });

  test('reports a service that is down or denies access as unavailable, not as empty', async () => {
    const away = testAddress();
    away.port = String(await unusedPort());
    await expect(openS3Store(s3PlaceOf(away))).rejects.toThrow(StorageUnavailable);

    const wrong = testAddress();
    wrong.password = 'wrong';
    await expect(openS3Store(s3PlaceOf(wrong))).rejects.toThrow(StorageUnavailable);
  });

  test('is configured completely by its URL', async () => {
    const plain = s3PlaceOf(
      new URL('s3://key:se%2Fcret@127.0.0.1:9000/bucket/deep/er?tls=0&region=eu-west-1'),
    );
    expect(plain).toMatchObject({ bucket: 'bucket', prefix: 'deep/er/' });
    expect(await plain.client.config.region()).toBe('eu-west-1');
    expect(await plain.client.config.credentials()).toMatchObject({
      accessKeyId: 'key',
      secretAccessKey: 'se/cret',
    });
    expect(await plain.client.config.endpoint!()).toMatchObject({
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: 9000,
    });
    expect(plain.client.config.forcePathStyle).toBe(true);
    expect(
      s3PlaceOf(new URL('s3://a:b@s3.eu-west-1.amazonaws.com/bucket')).client.config.forcePathStyle,
    ).toBe(false);
    expect(() => s3PlaceOf(new URL('s3://a:b@host'))).toThrow(TypeError);
  });
});

const isManifest = (command: string, name: string) =>
  command === 'PutObjectCommand' && name.includes('kept/');

/** The error that `work` rejected with, if any. */
const settled = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function* flow(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
