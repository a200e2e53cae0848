import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { LIMITS } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  askTicket,
  drivenByAnn,
  eachDatabase,
  objectClient,
  openTestApp,
  signV4,
  turnableClock,
} from '../../testing/index.ts';

const HOUR_MS = 3600 * 1000;
const IDLE_MS = LIMITS.uploadIdleSeconds * 1000;

eachDatabase((dialect) => {
  test('idle uploads release bytes and quota after a day; active ones continue', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, storage: await openBlobStore('memory:') });
    const ann = await app.signUp('ann');
    const idle = await askTicket(ann, { name: 'idle', size: 1000 });
    const slow = await askTicket(ann, { name: 'slow', size: 500 });
    const [idleObject, slowObject] = [
      objectClient(app, idle.resumable!.params),
      objectClient(app, slow.resumable!.params),
    ];
    const old = await idleObject.putPart(1, 'some');
    // Listing waits until the time of the part is stored.
    await idleObject.list();
    const etags = { 1: await slowObject.putPart(1, randomBytes(100)) };
    const turn = async (milliseconds: number): Promise<void> => {
      clock.advance(milliseconds);
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'expire-uploads', null));
      await app.jobs.drain();
    };

    await turn(IDLE_MS - HOUR_MS);
    Object.assign(etags, { 2: await slowObject.putPart(2, randomBytes(100)) });
    await slowObject.list();
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ reserved: 1500 });

    await turn(2 * HOUR_MS);
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used: 0, reserved: 500 });
    expect(await idleObject.complete({ 1: old })).toMatchObject({ status: 404, code: 'NoSuchUpload' });
    expect((await Array.fromAsync(app.storage.staged())).map(({ uploadId }) => uploadId)).toEqual([
      `up-${slowObject.ticket.key}`,
    ]);

    Object.assign(etags, { 3: await slowObject.putPart(3, randomBytes(300)) });
    expect((await slowObject.complete(etags)).status).toBe(200);
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used: 500, reserved: 0 });
  });

  test('a very slow body of one part does not count as idle', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, storage: await openBlobStore('memory:') });
    const ann = await app.signUp('ann');
    const { resumable } = await askTicket(ann, { name: 'slow', size: 30 });
    const client = objectClient(app, resumable!.params);
    const path = `/${client.ticket.bucket}/${client.ticket.key}`;
    async function* slowly() {
      for (let hour = 0; hour < 30; hour++) {
        yield Buffer.from('x');
        clock.advance(HOUR_MS);
        await new Promise((resolve) => setTimeout(resolve, 20));
        await app.database.transaction((tx) => app.jobs.enqueue(tx, 'expire-uploads', null));
        await app.jobs.drain();
      }
    }
    const headers = {
      ...signV4(client.ticket, { method: 'PUT', path, query: '', host: 'drive.test', at: clock.now() }),
      'content-type': 'application/octet-stream',
      'content-length': '30',
    };
    const reply = await app.http.inject({
      method: 'PUT',
      url: path,
      headers,
      payload: Readable.from(slowly()),
    });
    expect(reply.statusCode).toBe(200);
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used: 30, reserved: 0 });
  });

  test('an upload that ended a day ago is deleted', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, storage: await openBlobStore('memory:') });
    const ann = await app.signUp('ann');
    const { resumable } = await askTicket(ann, { name: 'a', size: 5 });
    const client = objectClient(app, resumable!.params);
    const etag = await client.putPart(1, 'hello');
    expect((await client.complete({ 1: etag })).status).toBe(200);
    clock.advance(25 * HOUR_MS);
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'expire-uploads', null));
    await app.jobs.drain();
    expect(await client.complete({ 1: etag })).toMatchObject({ status: 404 });
  });

  test('staged bytes without an unfinished upload are deleted; those of active uploads and of others are kept', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, storage: await openBlobStore('memory:') });
    const ann = await app.signUp('ann');
    const { resumable } = await askTicket(ann, { name: 'a', size: 5 });
    await objectClient(app, resumable!.params).putPart(1, 'he');
    const { resumable: completing } = await askTicket(ann, { name: 'b', size: 5 });
    await objectClient(app, completing!.params).putPart(1, 'hello');
    await app.database.transaction((tx) =>
      sql`update upload set state = 'completing', chosen = '[]', active_at = ${Date.now() * 2} where id = ${completing!.params.key}`.execute(
        tx.on(),
      ),
    );
    await app.storage.stage('up-forgotten');
    await app.storage.stage('somebody-elses');
    const sweep = async (): Promise<string[]> => {
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'sweep-uploads', null));
      await app.jobs.drain();
      return (await Array.fromAsync(app.storage.staged())).map(({ uploadId }) => uploadId).toSorted();
    };
    const running = [resumable, completing].map((ticket) => `up-${ticket!.params.key}`);
    const all = ['somebody-elses', 'up-forgotten', ...running].toSorted();
    // The age of the areas is measured by the machine's own clock.
    clock.advance(Date.now() - clock.now());
    expect(await sweep()).toEqual(all);
    clock.advance(20 * HOUR_MS);
    expect(await sweep()).toEqual(all);
    clock.advance(5 * HOUR_MS);
    expect(await sweep()).toEqual(all.filter((area) => area !== 'up-forgotten'));
  });

  test('a body in transit is not deleted when the clock jumps', async () => {
    const clock = turnableClock(Date.now());
    await using app = await openTestApp({ dialect, clock });
    const { dav } = await drivenByAnn(app);
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const written = fetch(`http://127.0.0.1:${port}/dav/slow.txt`, {
      method: 'PUT',
      headers: dav.headers,
      duplex: 'half',
      body: body.readable,
    } as RequestInit);
    await writer.write(Buffer.from('half and '));
    await expect.poll(() => Array.fromAsync(app.storage.staged()), { timeout: 20_000 }).toHaveLength(1);
    clock.advance(25 * HOUR_MS);
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'sweep-uploads', null));
    await app.jobs.drain();
    await writer.write(Buffer.from('half'));
    await writer.close();
    expect((await written).status).toBe(201);
    expect((await dav.get('/slow.txt')).text).toBe('half and half');
  });
});
