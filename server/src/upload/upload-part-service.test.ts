import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { driveApi, taskApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { openBlobStore, StorageFull, StorageUnavailable } from '@bowerbird/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  faultyStorage,
  objectClient,
  openTestApp,
  signV4,
  type Faults,
  type Member,
  type ObjectClient,
  type TestApp,
} from '../../testing/index.ts';

const MIB = 2 ** 20;

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let faults: Faults;
  let members = 0;

  beforeAll(async () => {
    const faulty = faultyStorage(await openBlobStore('memory:'));
    faults = faulty.faults;
    app = await openTestApp({
      dialect,
      storage: faulty.storage,
      environment: { MEMBER_STORAGE: '100 MB', DISK_RESERVE: '1 MB' },
    });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    faults.writePart = faults.freeSpace = undefined;
    ann = await app.signUp(`ann${(members += 1)}`);
  });

  const begin = async (size: number): Promise<ObjectClient & { taskId: string; fileId: string }> => {
    const { resumable, task, file } = await askTicket(ann, { name: 'a.bin', size });
    return { ...objectClient(app, resumable!.params), taskId: task!.id, fileId: file!.id };
  };
  const contentOf = async (id: string): Promise<Buffer> => {
    const file = await ann.call(driveApi.get, { params: { id }, query: {} });
    return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).rawPayload;
  };

  test('only one of ten parallel writes of a part counts', async () => {
    const bodies = Array.from({ length: 10 }, () => randomBytes(MIB));
    const client = await begin(MIB);
    const etags = await Promise.all(bodies.map((body) => client.putPart(1, body)));
    expect(new Set(etags).size).toBe(10);
    const [held] = (await client.list()).all('ETag');
    expect(etags).toContain(held);
    expect((await client.complete({ 1: held! })).status).toBe(200);
    expect((await contentOf(client.fileId)).equals(bodies[etags.indexOf(held!)]!)).toBe(true);
  });

  test('stored parts can be listed page by page, with size and tag', async () => {
    const client = await begin(1000);
    const etags = {
      1: await client.putPart(1, 'a'),
      2: await client.putPart(2, 'bb'),
      5: await client.putPart(5, 'ccc'),
    };
    const first = await client.list('&max-parts=2');
    expect([first.all('PartNumber'), first.all('Size'), first.all('ETag')]).toEqual([
      ['1', '2'],
      ['1', '2'],
      [etags[1], etags[2]],
    ]);
    expect([first.all('IsTruncated'), first.all('NextPartNumberMarker')]).toEqual([['true'], ['2']]);
    const second = await client.list('&max-parts=2&part-number-marker=2');
    expect([second.all('PartNumber'), second.all('ETag'), second.all('IsTruncated')]).toEqual([
      ['5'],
      [etags[5]],
      ['false'],
    ]);
  });

  test('a replaced part is listed with its new size and tag', async () => {
    const client = await begin(1000);
    await client.putPart(1, 'first');
    const etag = await client.putPart(1, 'and second');
    const list = await client.list();
    expect([list.all('PartNumber'), list.all('Size'), list.all('ETag')]).toEqual([['1'], ['10'], [etag]]);
  });

  test.each(['0', '10001', '-1', '1.5', 'one', ''])('the part number %j is rejected', async (number) => {
    const client = await begin(1000);
    const reply = await client.send('PUT', `partNumber=${number}&uploadId=${client.ticket.key}`, {
      body: 'x',
    });
    expect(reply).toMatchObject({ status: 400, code: 'InvalidArgument' });
  });

  test('the ten thousandth part is the last possible one', async () => {
    const client = await begin(10);
    const etags = { 1: await client.putPart(1, 'hello'), 10_000: await client.putPart(10_000, 'world') };
    expect((await client.complete(etags)).status).toBe(200);
  });

  test('a repeated or unordered part list completes nothing', async () => {
    const client = await begin(10);
    const etag = await client.putPart(1, 'hello');
    const part = `<Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part>`;
    const twice = await client.send('POST', `uploadId=${client.ticket.key}`, {
      body: `<CompleteMultipartUpload>${part}${part}</CompleteMultipartUpload>`,
    });
    expect(twice).toMatchObject({ status: 400, code: 'InvalidPartOrder' });
    const etags = { 1: etag, 2: await client.putPart(2, 'world') };
    expect((await client.complete(etags)).status).toBe(200);
  });

  test('parts whose records were lost when the server died are read again', async () => {
    const bytes = randomBytes(3 * MIB + 5);
    const client = await begin(bytes.length);
    const etags = {
      1: await client.putPart(1, bytes.subarray(0, MIB)),
      2: await client.putPart(2, bytes.subarray(MIB)),
    };
    await client.list();
    await app.database.transaction((tx) =>
      sql`delete from upload_part where upload = ${client.fileId}`.execute(tx.on()),
    );
    expect((await client.list()).all('ETag')).toEqual([etags[1], etags[2]]);
    expect((await client.complete(etags)).status).toBe(200);
    expect((await contentOf(client.fileId)).equals(bytes)).toBe(true);
    const again = await askTicket(ann, { name: 'again', size: bytes.length });
    const whole = objectClient(app, again.resumable!.params);
    expect((await whole.put(bytes)).etag).toBe((await client.complete(etags)).all('ETag')[0]);
  });

  test('parts of different sizes belong where they say, and a wrong place costs nothing but time', async () => {
    const bytes = randomBytes(7 * MIB);
    const client = await begin(bytes.length);
    const put = async (number: number, from: number, to: number, start: number) => {
      const query = `partNumber=${number}&uploadId=${client.ticket.key}`;
      const headers = { 'x-part-start': String(start) };
      const reply = await client.send('PUT', query, { body: bytes.subarray(from, to), headers });
      expect(reply.status).toBe(200);
      return reply.etag;
    };
    const etags = {
      1: await put(1, 0, 4 * MIB, 0),
      5: await put(5, 4 * MIB, 5 * MIB, 4 * MIB),
      6: await put(6, 5 * MIB, 7 * MIB, MIB),
    };
    await client.list();
    const { rows } = await sql<{ number: number; position: number | string }>`
      select number, position from upload_part where upload = ${client.fileId} order by number`.execute(
      app.database.on(),
    );
    expect(rows.map(({ position }) => Number(position))).toEqual([0, 4 * MIB, MIB]);
    expect((await client.complete(etags)).status).toBe(200);
    expect((await contentOf(client.fileId)).equals(bytes)).toBe(true);
    const again = await askTicket(ann, { name: 'again', size: bytes.length });
    const whole = objectClient(app, again.resumable!.params);
    expect((await whole.put(bytes)).etag).toBe((await client.complete(etags)).all('ETag')[0]);
  });

  test('the task reports the uploaded bytes', async () => {
    const client = await begin(1000);
    await client.putPart(1, randomBytes(400));
    const task = () => ann.call(taskApi.get, { params: { id: client.taskId } });
    await expect.poll(task).toMatchObject({ phase: 'PHASE_TYPE_RUNNING', progress: 40 });
    await client.putPart(2, randomBytes(350));
    await expect.poll(task).toMatchObject({ progress: 75 });
  });

  test('a storage fault returns 503 with Retry-After; the upload and its earlier parts stay', async () => {
    const client = await begin(2000);
    const first = await client.putPart(1, randomBytes(1000));
    faults.writePart = new StorageUnavailable('unplugged');
    const reply = await client.send('PUT', `partNumber=2&uploadId=${client.ticket.key}`, {
      body: randomBytes(1000),
    });
    expect(reply).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
    expect(reply.headers['retry-after']).toBeDefined();
    faults.writePart = undefined;
    expect((await client.list()).all('ETag')).toEqual([first]);
    expect((await client.complete({ 1: first, 2: await client.putPart(2, randomBytes(1000)) })).status).toBe(
      200,
    );
  });

  test.each([
    ['is reported as full while writing', () => (faults.writePart = new StorageFull())],
    ['has only the reserve left', () => (faults.freeSpace = MIB + 999)],
  ])('a disk that %s returns 507; the part is rejected, the upload stays', async (_what, fill) => {
    const client = await begin(2000);
    const first = await client.putPart(1, randomBytes(1000));
    fill();
    const reply = await client.send('PUT', `partNumber=2&uploadId=${client.ticket.key}`, {
      body: randomBytes(1000),
    });
    expect(reply).toMatchObject({ status: 507, code: 'InsufficientStorage' });
    expect((await client.list()).all('ETag')).toEqual([first]);
    faults.writePart = faults.freeSpace = undefined;
    expect((await client.complete({ 1: first, 2: await client.putPart(2, randomBytes(1000)) })).status).toBe(
      200,
    );
  });

  test('no ticket is issued for a file that would use the disk’s reserve', async () => {
    faults.freeSpace = MIB + 999;
    await expect(askTicket(ann, { name: 'a', size: 1000 })).rejects.toMatchObject({
      id: 'disk_full',
      status: 507,
    });
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ reserved: 0 });
    expect((await askTicket(ann, { name: 'a', size: 999 })).resumable).toBeDefined();
  });
});

describe('over a real connection, on a real disk', () => {
  let app: TestApp;
  let ann: Member;
  let port: number;

  beforeAll(async () => {
    app = await openTestApp();
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    port = (app.http.server.address() as AddressInfo).port;
    ann = await app.signUp('ann');
  });
  afterAll(() => app.close());

  /** Sends the head of a request and some of its body, then cuts the connection. */
  const sendAndBreak = async (
    client: ObjectClient,
    query: string,
    announced: number | 'chunked',
    bytes: Buffer,
  ): Promise<void> => {
    const path = `/${client.ticket.bucket}/${client.ticket.key}`;
    const headers = signV4(client.ticket, {
      method: 'PUT',
      path,
      query,
      host: `127.0.0.1:${port}`,
      at: Date.now(),
    });
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: `${path}?${query}`,
      headers: { ...headers, ...(announced === 'chunked' ? {} : { 'content-length': announced }) },
    });
    sent.on('error', () => {});
    await new Promise<void>((resolve) => sent.write(bytes, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 50));
    sent.destroy();
  };
  /** Open connections, and open files of the storage. */
  const openFiles = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return /^socket:|\/files\//.test(readlinkSync(`/proc/self/fd/${fd}`));
      } catch {
        return false;
      }
    }).length;

  test.each([4 * MIB, 'chunked'] as const)(
    'a part whose connection breaks (length %s) leaves no part and no open file',
    async (announced) => {
      const { resumable } = await askTicket(ann, { name: 'a.bin', size: 4 * MIB });
      const client = objectClient(app, resumable!.params);
      const kept = await client.putPart(1, 'before');
      const before = openFiles();
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          sendAndBreak(
            client,
            `partNumber=${at + 1}&uploadId=${client.ticket.key}`,
            announced,
            randomBytes(MIB + 777),
          ),
        ),
      );
      await expect.poll(openFiles, { timeout: 5000 }).toBeLessThanOrEqual(before);
      expect((await client.list()).all('ETag')).toEqual([kept]);
      const staged = await app.storage.stage(`up-${client.ticket.key}`);
      expect((await staged.parts()).map(({ number }) => number)).toEqual([1]);
    },
  );

  test('a whole body whose connection breaks leaves the upload unchanged', async () => {
    const { resumable, file } = await askTicket(ann, { name: 'b.bin', size: 3 * MIB });
    const client = objectClient(app, resumable!.params);
    await sendAndBreak(client, '', 3 * MIB, randomBytes(MIB));
    const bytes = randomBytes(3 * MIB);
    await expect.poll(async () => (await client.put(bytes)).status).toBe(200);
    expect(await ann.call(driveApi.get, { params: { id: file!.id }, query: {} })).toMatchObject({
      phase: 'PHASE_TYPE_COMPLETE',
    });
  });

  test('a large rejected body does not have to be sent to its end', async () => {
    const { resumable } = await askTicket(ann, { name: 'c.bin', size: 64 * MIB });
    const client = objectClient(app, { ...resumable!.params, access_key_secret: 'wrong' });
    const path = `/${client.ticket.bucket}/${client.ticket.key}`;
    const headers = signV4(client.ticket, {
      method: 'PUT',
      path,
      query: '',
      host: `127.0.0.1:${port}`,
      at: Date.now(),
    });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', method: 'PUT', path, headers: { ...headers, 'content-length': 64 * MIB } },
        (reply) => resolve(reply.statusCode),
      );
      sent.on('error', reject);
      sent.write('a little');
    });
    expect(status).toBe(403);
  });

  test('bodies larger than those of any other request are accepted', async () => {
    const bytes = randomBytes(9 * MIB);
    const { resumable, file } = await askTicket(ann, { name: 'd.bin', size: bytes.length });
    expect((await objectClient(app, resumable!.params).put(bytes)).status).toBe(200);
    expect(await ann.call(driveApi.get, { params: { id: file!.id }, query: {} })).toMatchObject({
      size: String(bytes.length),
    });
  });
});
