import { createHash, randomBytes } from 'node:crypto';
import { driveApi, gcidBlockSize, taskApi } from '@bowerbird/contract';
import { assembleBlocks, digestBlocks } from '@bowerbird/ingest';
import { openBlobStore, StorageUnavailable } from '@bowerbird/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  faultyStorage,
  objectClient,
  openTestApp,
  turnableClock,
  upload,
  type Faults,
  type Member,
  type ObjectClient,
  type TestApp,
} from '../../testing/index.ts';

const KIB = 1024;
const MIB = KIB * KIB;

function known(bytes: Uint8Array): { hash: string; gcid: string; cid: string } {
  const digests = digestBlocks(bytes, gcidBlockSize(bytes.byteLength));
  const third = Math.floor(bytes.byteLength / 3);
  const windows =
    bytes.byteLength <= 61_440
      ? bytes
      : Buffer.concat([
          bytes.subarray(0, 20_480),
          bytes.subarray(third, third + 20_480),
          bytes.subarray(-20_480),
        ]);
  const cid = createHash('sha1').update(windows).digest('hex').toUpperCase();
  return { ...assembleBlocks([{ size: bytes.byteLength, position: 0, digests }]).content(), cid };
}

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let faults: Faults;
  let members = 0;
  /** Objects that earlier tests left on purpose. */
  let before = { kept: 0, staged: 0 };

  beforeAll(async () => {
    const faulty = faultyStorage(await openBlobStore('memory:'));
    faults = faulty.faults;
    app = await openTestApp({
      dialect,
      clock: turnableClock(),
      storage: faulty.storage,
      environment: { MEMBER_STORAGE: '100 MB' },
    });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    for (const fault of ['writePart', 'keep', 'open', 'freeSpace'] as const) faults[fault] = undefined;
    ann = await app.signUp(`ann${(members += 1)}`);
    before = { kept: 0, staged: 0 };
    before = { kept: await kept(), staged: await staged() };
  });

  const list = async () =>
    (await ann.call(driveApi.list, { query: { filters: '{"trashed":{"eq":false}}' } })).files;
  const quota = () => app.quota.of(app.database, ann.id);
  const kept = async () => (await Array.fromAsync(app.storage.list('blob/'))).length - before.kept;
  const staged = async () => (await Array.fromAsync(app.storage.staged())).length - before.staged;
  const begin = async (
    size: number,
    ask: object = {},
  ): Promise<{ client: ObjectClient; fileId: string; taskId: string }> => {
    const { resumable, file, task } = await askTicket(ann, { name: 'a.bin', size, ...ask });
    return { client: objectClient(app, resumable!.params), fileId: file!.id, taskId: task!.id };
  };
  const contentOf = async (fileId: string): Promise<Buffer> => {
    const file = await ann.call(driveApi.get, { params: { id: fileId }, query: {} });
    const reply = await ann.inject({
      method: 'GET',
      url: file.web_content_link.replace('http://drive.test', ''),
    });
    return reply.rawPayload;
  };
  const nothingIsLeft = async (): Promise<void> => {
    expect(await list()).toEqual([]);
    expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
    await expect.poll(async () => [await kept(), await staged()]).toEqual([0, 0]);
  };

  test('a body in one piece becomes the file, with correct hashes whatever hash was announced', async () => {
    const bytes = randomBytes(700 * KIB);
    const { client, fileId, taskId } = await begin(bytes.length, { hash: 'AB'.repeat(20) });
    const reply = await client.put(bytes);
    expect(reply.status).toBe(200);
    expect(reply.etag).toMatch(/^".+"$/);
    const [file] = await list();
    expect(file).toMatchObject({
      id: fileId,
      name: 'a.bin',
      size: String(bytes.length),
      hash: known(bytes).gcid,
      phase: 'PHASE_TYPE_COMPLETE',
    });
    expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({
      phase: 'PHASE_TYPE_COMPLETE',
      progress: 100,
      file_id: fileId,
    });
    expect(await quota()).toMatchObject({ used: bytes.length, reserved: 0 });
    expect((await contentOf(fileId)).equals(bytes)).toBe(true);
    expect(await staged()).toBe(0);
  });

  test.each([
    ['aligned with the blocks', [2 * MIB, 2 * MIB, MIB + 5]],
    ['that split blocks', [777_777, 777_777, 777_777, 777_777, 200]],
    ['of different sizes', [5, 300_000, 1, 2 * MIB, 44_444]],
    ['of which there is only one', [3 * MIB]],
  ])('parts %s, in any order, become the right file', async (_what, sizes) => {
    const bytes = randomBytes(sizes.reduce((sum, size) => sum + size, 0));
    const { client, fileId } = await begin(bytes.length);
    const begun = await client.begin();
    expect(begun.all('UploadId')).toEqual([client.ticket.key]);
    let at = 0;
    const parts = sizes.map((size, index) => ({
      number: index * 3 + 1,
      bytes: bytes.subarray(at, (at += size)),
    }));
    const etags: Record<number, string> = {};
    for (const { number, bytes } of parts.toReversed()) etags[number] = await client.putPart(number, bytes);
    expect(await list()).toEqual([]);
    const completed = await client.complete(etags);
    expect(completed.status).toBe(200);
    expect(completed.all('Key')).toEqual([client.ticket.key]);
    const { hash, gcid, cid } = known(bytes);
    expect((await list())[0]).toMatchObject({ id: fileId, hash: gcid });
    expect(await app.blobs.byGcid(app.database, gcid, bytes.length)).toMatchObject({ hash, cid });
    expect((await contentOf(fileId)).equals(bytes)).toBe(true);
    expect(await quota()).toMatchObject({ used: bytes.length, reserved: 0 });
  });

  describe('wrong sizes', () => {
    test.each([
      ['longer', 1001, 'EntityTooSmall'],
      ['shorter', 999, 'EntityTooSmall'],
    ])(
      'a whole body that is %s is rejected; nothing is stored and the reservation is released',
      async (_what, size, code) => {
        const { client, taskId } = await begin(1000);
        const reply = await client.put(randomBytes(size));
        expect(reply).toMatchObject({ status: 400, code });
        expect(reply.all('Reason')).toEqual(['upload_size_mismatch']);
        await nothingIsLeft();
        expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({
          phase: 'PHASE_TYPE_ERROR',
          params: { error: 'upload_size_mismatch' },
        });
      },
    );

    test('parts larger than the file in total are rejected before they are stored', async () => {
      const { client } = await begin(1000);
      await client.putPart(1, randomBytes(900));
      await expect(client.putPart(2, randomBytes(101))).rejects.toThrow('upload_size_mismatch');
      const etag = await client.putPart(1, randomBytes(1000));
      expect((await client.complete({ 1: etag })).status).toBe(200);
    });

    test('parts smaller than the file in total are rejected on completion', async () => {
      const { client } = await begin(1000);
      const reply = await client.complete({ 1: await client.putPart(1, randomBytes(900)) });
      expect(reply).toMatchObject({ status: 400, code: 'EntityTooSmall' });
      await nothingIsLeft();
      expect(await client.put(randomBytes(1000))).toMatchObject({ status: 400 });
    });
  });

  describe('wrong part lists', () => {
    test.each([
      ['with parts out of order', (etags: string[]) => `2 ${etags[1]} 1 ${etags[0]}`, 'InvalidPartOrder'],
      ['with a part named twice', (etags: string[]) => `1 ${etags[0]} 1 ${etags[0]}`, 'InvalidPartOrder'],
      ['with an unknown part', (etags: string[]) => `1 ${etags[0]} 3 ${etags[1]}`, 'InvalidPart'],
      ['with the tag of another part', (etags: string[]) => `1 ${etags[0]} 2 ${etags[0]}`, 'InvalidPart'],
      ['without parts', () => '', 'InvalidPart'],
    ])('a part list %s is rejected, and the upload stays usable', async (_what, named, code) => {
      const { client } = await begin(1000);
      const etags = [await client.putPart(1, randomBytes(500)), await client.putPart(2, randomBytes(500))];
      const words = named(etags).split(' ').filter(Boolean);
      const parts = words.flatMap((word, at) =>
        at % 2 === 0 ? `<Part><PartNumber>${word}</PartNumber><ETag>${words[at + 1]}</ETag></Part>` : '',
      );
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      expect(await client.send('POST', `uploadId=${client.ticket.key}`, { body })).toMatchObject({
        status: 400,
        code,
      });
      expect((await client.complete({ 1: etags[0]!, 2: etags[1]!.replaceAll('"', '') })).status).toBe(200);
    });

    test('a part list with the old tag of a replaced part is rejected', async () => {
      const { client, fileId } = await begin(1000);
      const old = await client.putPart(1, randomBytes(1000));
      const bytes = randomBytes(1000);
      const etag = await client.putPart(1, bytes);
      expect(await client.complete({ 1: old })).toMatchObject({ code: 'InvalidPart' });
      expect((await client.complete({ 1: etag })).status).toBe(200);
      expect((await contentOf(fileId)).equals(bytes)).toBe(true);
    });

    test('a malformed part list is rejected', async () => {
      const { client } = await begin(1000);
      expect(await client.send('POST', `uploadId=${client.ticket.key}`, { body: '{}' })).toMatchObject({
        status: 400,
        code: 'MalformedXML',
      });
    });
  });

  describe('parallel and repeated requests', () => {
    test('parallel requests for completion all get the same response, and the quota is charged once', async () => {
      const bytes = randomBytes(MIB);
      const { client } = await begin(bytes.length);
      const etag = await client.putPart(1, bytes);
      const replies = await Promise.all(Array.from({ length: 10 }, () => client.complete({ 1: etag })));
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(replies[0]!.status).toBe(200);
      expect(await list()).toHaveLength(1);
      expect(await quota()).toMatchObject({ used: MIB, reserved: 0 });
      expect(await app.quota.ledgerTotal(app.database, ann.id)).toBe(MIB);
    });

    describe.each([
      ['small', 1000],
      ['larger', 300 * KIB],
    ])('%s bodies', (_what, size) => {
      test('sent in parallel with the same content all get the same response', async () => {
        const bytes = randomBytes(size);
        const { client, fileId } = await begin(bytes.length);
        const replies = await Promise.all(Array.from({ length: 5 }, () => client.put(bytes)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(new Set(replies.map(({ etag }) => etag)).size).toBe(1);
        expect((await contentOf(fileId)).equals(bytes)).toBe(true);
        expect(await quota()).toMatchObject({ used: bytes.length, reserved: 0 });
        await expect.poll(kept).toBe(1);
        await expect.poll(staged).toBe(0);
      });

      test('sent in parallel with different content are rejected, except for one that is stored', async () => {
        const bodies = Array.from({ length: 5 }, () => randomBytes(size));
        const { client, fileId } = await begin(size);
        const replies = await Promise.all(bodies.map((body) => client.put(body)));
        expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
          200, 409, 409, 409, 409,
        ]);
        const content = await contentOf(fileId);
        const winner = replies.findIndex(({ status }) => status === 200);
        expect(bodies[winner]!.equals(content)).toBe(true);
        expect((await list())[0]!.hash).toBe(known(content).gcid);
        expect(await quota()).toMatchObject({ used: size, reserved: 0 });
        await expect.poll(kept).toBe(1);
        await expect.poll(staged).toBe(0);
      });

      test('and an abort at the same time end with exactly one of them taking effect', async () => {
        for (let round = 0; round < 6; round++) {
          const used = (await quota()).used;
          const { client } = await begin(size, { name: `${round}` });
          const [sent, aborted] = await Promise.all([client.put(randomBytes(size)), client.abort()]);
          const won = sent.status === 200;
          expect(aborted.status).toBe(won ? 404 : 204);
          if (!won) expect(sent).toMatchObject({ status: 404, code: 'NoSuchUpload' });
          expect((await list()).some(({ name }) => name === `${round}`)).toBe(won);
          expect(await quota()).toMatchObject({ used: used + (won ? size : 0), reserved: 0 });
        }
        await expect.poll(kept).toBe((await list()).length);
        await expect.poll(staged).toBe(0);
      });

      test('replace parts that were sent before, which are deleted', async () => {
        const bytes = randomBytes(size);
        const { client, fileId } = await begin(size);
        await client.putPart(1, randomBytes(size));
        expect((await client.put(bytes)).status).toBe(200);
        expect((await contentOf(fileId)).equals(bytes)).toBe(true);
        await expect.poll(staged).toBe(0);
        await expect.poll(kept).toBe(1);

        const later = await begin(size, { name: 'later' });
        await later.client.putPart(1, randomBytes(size));
        // Listing the parts writes their records.
        await later.client.list();
        expect((await later.client.put(randomBytes(size))).status).toBe(200);
        await expect.poll(staged).toBe(0);
      });

      test('have the same identifiers and checksums as any other content', async () => {
        const bytes = randomBytes(size);
        const { client } = await begin(size);
        expect((await client.put(bytes)).status).toBe(200);
        const { hash, gcid, cid } = known(bytes);
        const blob = await app.blobs.byGcid(app.database, gcid, size);
        const sums = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
        expect(blob).toMatchObject({ hash, cid, sha1: sums('sha1'), md5: sums('md5') });
      });
    });

    test.each([
      ['of the same size', (bytes: Buffer) => Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)])],
      ['that is shorter', (bytes: Buffer) => bytes.subarray(1)],
      ['that is longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
      ['that is empty', () => Buffer.alloc(0)],
    ])(
      'a body %s is rejected once the file exists; the same body gets the same response',
      async (_what, other) => {
        for (const size of [1000, 3 * MIB]) {
          const bytes = randomBytes(size);
          const { client, fileId } = await begin(size, { name: String(size) });
          const first = await client.put(bytes);
          expect(await client.put(other(bytes))).toMatchObject({ status: 409, code: 'FileAlreadyExists' });
          expect(await client.put(bytes)).toMatchObject({ status: 200, etag: first.etag });
          expect((await contentOf(fileId)).equals(bytes)).toBe(true);
        }
        expect(await list()).toHaveLength(2);
      },
    );

    test('a whole body for a file uploaded in parts is accepted only if it has the same content', async () => {
      const bytes = randomBytes(700 * KIB);
      const { client } = await begin(bytes.length);
      const etag = await client.putPart(1, bytes);
      const completed = await client.complete({ 1: etag });
      expect(await client.put(bytes)).toMatchObject({ status: 200, etag: completed.all('ETag')[0] });
      expect(await client.put(randomBytes(bytes.length))).toMatchObject({ status: 409 });
    });

    test('parallel completion and abort end with exactly one of them taking effect', async () => {
      for (let round = 0; round < 8; round++) {
        const used = (await quota()).used;
        const { client } = await begin(1000, { name: `${round}` });
        const etag = await client.putPart(1, randomBytes(1000));
        const [completed, aborted] = await Promise.all([
          client.complete({ 1: etag }),
          round % 2 === 0
            ? client.abort()
            : new Promise<ObjectReplyOf>((resolve) => setImmediate(() => resolve(client.abort()))),
        ]);
        const won = completed.status === 200;
        expect(aborted.status).toBe(won ? 404 : 204);
        if (!won) expect(completed).toMatchObject({ status: 404, code: 'NoSuchUpload' });
        expect((await list()).some(({ name }) => name === `${round}`)).toBe(won);
        expect(await quota()).toMatchObject({ used: used + (won ? 1000 : 0), reserved: 0 });
      }
      await expect.poll(kept).toBe((await list()).length);
      await expect.poll(staged).toBe(0);
    });

    test('repeated aborts release everything once; later parts are rejected', async () => {
      const { client, taskId } = await begin(1000);
      const etag = await client.putPart(1, randomBytes(1000));
      expect((await client.abort()).status).toBe(204);
      expect((await client.abort()).status).toBe(204);
      expect(await client.complete({ 1: etag })).toMatchObject({ status: 404, code: 'NoSuchUpload' });
      await expect(client.putPart(2, 'late')).rejects.toThrow('NoSuchUpload');
      expect(await client.begin()).toMatchObject({ status: 404 });
      await nothingIsLeft();
      expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({
        phase: 'PHASE_TYPE_ERROR',
        params: { error: 'cancelled' },
      });
    });

    test('canceling the task releases everything', async () => {
      const { client, taskId } = await begin(1000);
      const etag = await client.putPart(1, randomBytes(1000));
      await ann.call(taskApi.remove, { query: { task_ids: taskId } });
      expect(await client.complete({ 1: etag })).toMatchObject({ status: 404 });
      await nothingIsLeft();
    });

    test('repeated completion gets the same response for a day', async () => {
      const clock = app.clock as ReturnType<typeof turnableClock>;
      const { client } = await begin(1000);
      const etag = await client.putPart(1, randomBytes(1000));
      const first = await client.complete({ 1: etag });
      clock.advance(23 * 3600 * 1000);
      const again = await client.complete({ 1: etag });
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(await client.send('HEAD', '')).toMatchObject({ status: 200, etag: first.all('ETag')[0] });
      expect(await quota()).toMatchObject({ used: 1000 });
    });
  });

  describe('a failing storage', () => {
    test('returns 503 with Retry-After during completion, and the next attempt succeeds', async () => {
      const bytes = randomBytes(3 * MIB);
      const { client, fileId } = await begin(bytes.length);
      const etags = {
        1: await client.putPart(1, bytes.subarray(0, 1_000_000)),
        2: await client.putPart(2, bytes.subarray(1_000_000)),
      };
      for (const fault of ['keep', 'open'] as const) {
        faults[fault] = new StorageUnavailable('unplugged');
        const reply = await client.complete(etags);
        expect(reply).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
        expect(reply.headers['retry-after']).toBeDefined();
        expect(await list()).toEqual([]);
        expect(await quota()).toMatchObject({ used: 0, reserved: bytes.length });
        faults[fault] = undefined;
      }
      expect((await client.complete(etags)).status).toBe(200);
      expect((await contentOf(fileId)).equals(bytes)).toBe(true);
      expect(await quota()).toMatchObject({ used: bytes.length, reserved: 0 });
    });

    test('a failure between storing and completing lets an abort release everything', async () => {
      const { client } = await begin(1000);
      const etag = await client.putPart(1, randomBytes(1000));
      faults.open = new StorageUnavailable('unplugged');
      expect((await client.complete({ 1: etag })).status).toBe(503);
      expect((await client.abort()).status).toBe(204);
      await nothingIsLeft();
    });
  });

  describe('a name in use', () => {
    test('is numbered by default, in order of completion', async () => {
      await upload(app, ann, 'a.bin', `first of ${ann.id}`);
      expect((await upload(app, ann, 'a.bin', 'second')).name).toBe('a(1).bin');
      expect((await list()).map(({ name }) => name).toSorted()).toEqual(['a(1).bin', 'a.bin']);
    });

    test('gives twenty simultaneous uploads of one name twenty different names', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => upload(app, ann, 'a.bin', `content ${at}`)));
      expect(new Set((await list()).map(({ name }) => name)).size).toBe(20);
    });

    test('rejects the second file if requested, and releases its reservation', async () => {
      const { client } = await begin(6, { conflict: 'fail' });
      await upload(app, ann, 'a.bin', 'first');
      const reply = await client.put('second');
      expect(reply).toMatchObject({ status: 412, code: 'PreconditionFailed' });
      expect(reply.all('Reason')).toEqual(['file_duplicated_name']);
      expect((await list()).map(({ name }) => name)).toEqual(['a.bin']);
      expect(await quota()).toMatchObject({ used: 5, reserved: 0 });
      await expect.poll(kept).toBe(1);
    });

    test('keeps the first file if requested', async () => {
      const first = await upload(app, ann, 'a.bin', 'first');
      before = { ...before, kept: before.kept + (await kept()) - 1 };
      const { client, taskId } = await begin(6, { conflict: 'skip' });
      expect((await client.put('second')).status).toBe(200);
      expect((await list()).map(({ id }) => id)).toEqual([first.id]);
      expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({
        phase: 'PHASE_TYPE_COMPLETE',
        file_id: first.id,
      });
      expect(await quota()).toMatchObject({ used: 5, reserved: 0 });
      await expect.poll(kept).toBe(1);
      expect(await app.drive.check({ repair: false })).toEqual([]);
    });

    test('replaces the content of the first file if requested, which keeps its id and its former content', async () => {
      const first = await upload(app, ann, 'a.bin', 'first');
      const { client, taskId } = await begin(6, { conflict: 'replace' });
      expect((await client.put('second')).status).toBe(200);
      expect((await list()).map(({ id, name, size }) => [id, name, size])).toEqual([
        [first.id, 'a.bin', '6'],
      ]);
      expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({ file_id: first.id });
      const { versions } = await ann.call(driveApi.versions, { params: { id: first.id }, query: {} });
      expect(versions).toMatchObject([{ size: '5', replaced_by: 'upload' }]);
      expect(await quota()).toMatchObject({ used: 11, reserved: 0 });
    });
  });

  test('a folder trashed meanwhile accepts no file, and the reservation is released', async () => {
    const { file: folder } = await ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'box' } });
    const { client } = await begin(5, { parent_id: folder!.id });
    await ann.call(driveApi.trash, { body: { ids: [folder!.id] } });
    const reply = await client.put('hello');
    expect(reply).toMatchObject({ status: 412 });
    expect(reply.all('Reason')).toEqual(['file_not_found']);
    await nothingIsLeft();
  });
});

type ObjectReplyOf = Awaited<ReturnType<ObjectClient['abort']>>;
