import { createHash, randomBytes } from 'node:crypto';
import { driveApi, LIMITS } from '@bowerbird/contract';
import { StorageFull, StorageUnavailable } from '@bowerbird/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  batchBody,
  batchRequest,
  eachDatabase,
  newFaultyStorage,
  openTestApp,
  STORAGE_ENGINES,
  upload,
  type BatchReply,
  type Member,
  type NewFaultyStorage,
  type SmallFile,
  type TestApp,
} from '../../testing/index.ts';

const note = (name: string, bytes: string | Uint8Array = name): SmallFile => ({ name, bytes });

eachDatabase((dialect) => {
  describe.each(STORAGE_ENGINES)('on %s', (engine) => {
    let app: TestApp;
    let ann: Member;
    let faulty: NewFaultyStorage;
    let members = 0;
    let before = 0;

    beforeAll(async () => {
      faulty = await newFaultyStorage(engine);
      app = await openTestApp({
        dialect,
        storage: faulty.storage,
        environment: { MEMBER_STORAGE: '10 MB' },
      });
    });
    afterAll(async () => {
      await app.close();
      await faulty.remove();
    });
    beforeEach(async () => {
      faulty.faults.writePart = undefined;
      ann = await app.signUp(`ann${(members += 1)}`);
      before = 0;
      before = await kept();
    });

    const kept = async () => (await Array.fromAsync(app.storage.list('blob/'))).length - before;
    const quota = () => app.quota.of(app.database, ann.id);
    const list = async (parent = '') =>
      (await ann.call(driveApi.list, { query: { parent_id: parent, filters: '{"trashed":{"eq":false}}' } }))
        .files;
    const names = async () => (await list()).map(({ name }) => name).toSorted();
    const send = (files: readonly SmallFile[], key?: string) => ann.inject(batchRequest(files, key));
    const results = async (files: readonly SmallFile[], key?: string) => {
      const reply = await send(files, key);
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json<BatchReply>().results;
    };
    const contentOf = async (id: string): Promise<Buffer> => {
      const file = await ann.call(driveApi.get, { params: { id }, query: {} });
      return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).rawPayload;
    };
    const nothingIsThere = async (): Promise<void> => {
      expect(await list()).toEqual([]);
      expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
      await expect.poll(kept).toBe(0);
    };

    test('every file of a batch is complete, in its folder, with its date and hashes', async () => {
      const { file: trip } = await ann.call(driveApi.create, {
        body: { kind: 'drive#folder', name: 'Trip' },
      });
      const contents = [randomBytes(4096), randomBytes(LIMITS.uploadBatchFileBytes), Buffer.alloc(0)];
      const uploaded = await results([
        { ...note('a.bin', contents[0]), user_modified_time: '2020-02-02T02:02:02.000Z' },
        { ...note('b.bin', contents[1]), parent_id: trip!.id },
        { ...note('empty', contents[2]), parent_id: trip!.id },
      ]);
      expect(uploaded.map(({ error }) => error)).toEqual(['', '', '']);
      for (const [at, { id }] of uploaded.entries())
        expect((await contentOf(id)).equals(contents[at]!)).toBe(true);
      const alone = (await list()).find(({ name }) => name === 'a.bin');
      expect(alone).toMatchObject({ id: uploaded[0]!.id, size: '4096', phase: 'PHASE_TYPE_COMPLETE' });
      expect(new Date(alone!.modified_time).getTime()).toBe(Date.UTC(2020, 1, 2, 2, 2, 2));
      expect((await list(trip!.id)).map(({ name }) => name).toSorted()).toEqual(['b.bin', 'empty']);
      const known = await app.nodes.find(app.database, ann.id, uploaded[1]!.id);
      expect(known).toMatchObject({
        sha1: createHash('sha1').update(contents[1]!).digest('hex'),
        md5: createHash('md5').update(contents[1]!).digest('hex'),
      });
      const used = 4096 + LIMITS.uploadBatchFileBytes;
      expect(await quota()).toMatchObject({ used, reserved: 0 });
      expect(await app.quota.ledgerTotal(app.database, ann.id)).toBe(used);
      expect(await app.drive.check({ repair: false })).toEqual([]);
      expect(await app.upload.checkContent({ repair: false })).toEqual([]);
    });

    test('files of one name get different names, and the same content is stored once', async () => {
      const [first, second, third] = await results([
        note('a.txt', 'same'),
        note('a.txt', 'same'),
        note('A.txt', 'x'),
      ]);
      expect([first!.name, second!.name, third!.name]).toEqual(['a.txt', 'a(1).txt', 'A.txt']);
      await expect.poll(kept).toBe(2);
      expect((await contentOf(second!.id)).toString()).toBe('same');
      expect(await quota()).toMatchObject({ used: 9, reserved: 0 });
    });

    test('refused files leave the others unaffected, and leave no bytes behind', async () => {
      const resident = await upload(app, ann, 'taken.txt', `resident of ${ann.id}`);
      const old = await upload(app, ann, 'old.txt', `old of ${ann.id}`);
      const all = await results([
        note('first.txt', `first ${ann.id}`),
        note('a/b', `slash ${ann.id}`),
        { ...note('lost.txt', `lost ${ann.id}`), parent_id: 'nowhere' },
        { ...note('taken.txt', `failing ${ann.id}`), conflict: 'fail' },
        { ...note('taken.txt', `skipped ${ann.id}`), conflict: 'skip' },
        { ...note('old.txt', `new ${ann.id}`), conflict: 'replace' },
        note('last.txt', `last ${ann.id}`),
      ]);
      expect(all.map(({ error }) => error)).toEqual([
        '',
        'file_name_invalid',
        'file_not_found',
        'file_duplicated_name',
        '',
        '',
        '',
      ]);
      for (const { id, error, error_description: text } of all)
        expect([id === '', text === '']).toEqual([error !== '', error === '']);
      expect(all[4]).toMatchObject({ id: resident.id, name: 'taken.txt' });
      // It keeps its id, and its former content.
      expect(all[5]!.id).toBe(old.id);
      expect(await names()).toEqual(['first.txt', 'last.txt', 'old.txt', 'taken.txt']);
      await expect.poll(kept).toBe(5);
      expect(await app.drive.check({ repair: false })).toEqual([]);
    });

    test('files that exceed the quota are refused, also in the middle, and smaller ones still fit', async () => {
      const bytes = LIMITS.uploadBatchFileBytes;
      await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, 2 * bytes + 100));
      const files = ['a', 'b', 'c'].map((name) => note(name, randomBytes(bytes)));
      const all = await results([...files, note('d', randomBytes(100)), note('e', randomBytes(1))]);
      expect(all.map(({ error }) => error)).toEqual([
        '',
        '',
        'file_space_not_enough',
        '',
        'file_space_not_enough',
      ]);
      expect(await names()).toEqual(['a', 'b', 'd']);
      expect(await quota()).toMatchObject({ used: 2 * bytes + 100, reserved: 0 });
      await expect.poll(kept).toBe(3);
    });

    const one = { name: 'a', size: 1 };
    test.each([
      ['without files', '{"files":[]}\n'],
      ['that is empty', ''],
      ['that is not JSON', 'files\nabc'],
      ['that is a list', '[1]\n'],
      ['with fewer bytes than announced', `${JSON.stringify({ files: [one, one] })}\nx`],
      ['with more bytes than announced', `${JSON.stringify({ files: [one] })}\nxy`],
      ['without a line feed', JSON.stringify({ files: [one] })],
      ['with a line feed in its JSON', `${JSON.stringify({ files: [one] }, undefined, 1)}\nx`],
      ['with a negative size', '{"files":[{"name":"a","size":-1},{"name":"b","size":2}]}\nx'],
      ['with a size that is no number', '{"files":[{"name":"a","size":"1e0"}]}\nx'],
      ['with a size beyond any', '{"files":[{"name":"a","size":"99999999999999999999"}]}\nx'],
      [
        'with a file that is too large',
        batchBody([note('a', Buffer.alloc(LIMITS.uploadBatchFileBytes + 1))]),
      ],
      ['with too many files', batchBody(Array.from({ length: LIMITS.uploadBatch + 1 }, () => note('a')))],
      [
        'that is too large',
        batchBody(Array.from({ length: 24 }, () => note('a', Buffer.alloc(LIMITS.uploadBatchFileBytes)))),
      ],
    ])('a request %s is rejected as a whole', async (_what, payload) => {
      const reply = await ann.inject({ ...batchRequest([]), payload });
      expect(reply.statusCode, reply.body).toBe(400);
      await nothingIsThere();
    });

    test('a repeated request has the same reply and takes effect once, also in parallel', async () => {
      const files = [note('a.txt', `a ${ann.id}`), note('b/c', 'x'), note('a.txt', `b ${ann.id}`)];
      const first = await results(files, 'the key');
      expect(await results(files, 'the key')).toEqual(first);
      expect(await names()).toEqual(['a(1).txt', 'a.txt']);
      const other = await send([note('a.txt', `c ${ann.id}`), ...files.slice(1)], 'the key');
      expect(other.statusCode).toBe(400);

      const more = [note('c.txt', `c ${ann.id}`)];
      const replies = await Promise.all(Array.from({ length: 5 }, () => send(more, 'another')));
      const done = replies.filter(({ statusCode }) => statusCode === 200);
      expect(done.length).toBeGreaterThan(0);
      for (const reply of replies) expect([200, 503]).toContain(reply.statusCode);
      expect(new Set(done.map(({ body }) => body)).size).toBe(1);
      expect(await names()).toEqual(['a(1).txt', 'a.txt', 'c.txt']);
    });

    test.each([
      ['is full', () => new StorageFull(), 507],
      ['can’t be reached', () => new StorageUnavailable('unplugged'), 503],
    ])(
      'while the storage %s nothing is accepted, and the same request succeeds later',
      async (_what, error, status) => {
        const files = [note('a.txt', `a ${ann.id}`), note('b.txt', `b ${ann.id}`)];
        faulty.faults.writePart = error();
        const reply = await send(files, 'the key');
        expect(reply.statusCode).toBe(status);
        expect(reply.headers['retry-after']).toBeDefined();
        await nothingIsThere();
        faulty.faults.writePart = undefined;
        await results(files, 'the key');
        expect(await names()).toEqual(['a.txt', 'b.txt']);
      },
    );

    test('only members can upload, each to their own folders', async () => {
      const { file: folder } = await ann.call(driveApi.create, {
        body: { kind: 'drive#folder', name: 'Mine' },
      });
      const visitor = await app.http.inject(batchRequest([note('a')]));
      expect(visitor.statusCode).toBe(401);
      const bob = await app.signUp(`bob${members}`);
      const reply = await bob.inject(batchRequest([{ ...note('a'), parent_id: folder!.id }]));
      expect(reply.json<BatchReply>().results).toMatchObject([{ error: 'file_not_found' }]);
      expect(await list(folder!.id)).toEqual([]);
    });
  });
});
