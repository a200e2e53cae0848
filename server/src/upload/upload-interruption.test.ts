import { randomBytes } from 'node:crypto';
import { driveApi, taskApi } from '@bowerbird/contract';
import { StorageUnavailable } from '@bowerbird/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  newFaultyStorage,
  objectClient,
  openTestApp,
  STORAGE_ENGINES,
  turnableClock,
  type Member,
  type NewFaultyStorage,
  type TestApp,
} from '../../testing/index.ts';

const MIB = 2 ** 20;

eachDatabase((dialect) => {
  describe.each(STORAGE_ENGINES)('on %s', (engine) => {
    let app: TestApp;
    let ann: Member;
    let faulty: NewFaultyStorage;
    let members = 0;
    const clock = turnableClock();

    beforeAll(async () => {
      faulty = await newFaultyStorage(engine);
      app = await openTestApp({ dialect, clock, storage: faulty.storage });
    });
    afterAll(async () => {
      await app.close();
      await faulty.remove();
    });
    beforeEach(async () => {
      faulty.faults.keep = faulty.faults.open = undefined;
      ann = await app.signUp(`ann${(members += 1)}`);
    });

    const quota = () => app.quota.of(app.database, ann.id);
    const names = async () => (await ann.call(driveApi.list, { query: {} })).files.map(({ name }) => name);
    const keys = async () => (await Array.fromAsync(app.storage.list('blob/'))).map(({ key }) => key);
    const contentOf = async (id: string): Promise<Buffer> => {
      const file = await ann.call(driveApi.get, { params: { id }, query: {} });
      return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).rawPayload;
    };
    /** Lets a minute pass and runs the server's own jobs. */
    const aMinute = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        clock.advance(20_000);
        await app.database.transaction((tx) => app.jobs.enqueue(tx, 'finish-uploads', null));
        await app.jobs.drain();
      }
    };

    /** Sends a file whose completion is interrupted, and returns how to request it again. */
    async function interrupted(how: 'one body' | 'parts', moment: 'keep' | 'open', bytes: Buffer) {
      const { resumable, file, task } = await askTicket(ann, { name: 'a.bin', size: bytes.length });
      const client = objectClient(app, resumable!.params);
      const etags: Record<number, string> = {};
      if (how === 'parts') {
        etags[1] = await client.putPart(1, bytes.subarray(0, MIB));
        etags[2] = await client.putPart(2, bytes.subarray(MIB));
      }
      const again = () => (how === 'parts' ? client.complete(etags) : client.put(bytes));
      faulty.faults[moment] = new StorageUnavailable('the process ends here');
      expect(await again()).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
      faulty.faults[moment] = undefined;
      expect(await names()).toEqual([]);
      expect(await quota()).toMatchObject({ used: 0, reserved: bytes.length });
      return { client, again, etags, id: file!.id, taskId: task!.id };
    }

    const theFileIsThere = async (id: string, taskId: string, bytes: Buffer): Promise<void> => {
      expect(await names()).toEqual(['a.bin']);
      expect((await contentOf(id)).equals(bytes)).toBe(true);
      expect(await quota()).toMatchObject({ used: bytes.length, reserved: 0 });
      expect(await ann.call(taskApi.get, { params: { id: taskId } })).toMatchObject({
        phase: 'PHASE_TYPE_COMPLETE',
        file_id: id,
      });
    };

    describe.each(['one body', 'parts'] as const)('a file uploaded as %s', (how) => {
      describe.each([
        ['before its bytes are kept', 'keep'],
        ['after its bytes are kept', 'open'],
      ] as const)('and interrupted %s', (_when, moment) => {
        test('is completed by the server within a minute, and not twice', async () => {
          const bytes = randomBytes(MIB + 12_345);
          const before = await keys();
          const { client, again, id, taskId } = await interrupted(how, moment, bytes);
          await aMinute();
          await theFileIsThere(id, taskId, bytes);
          const head = await client.send('HEAD', '');
          expect(head.status).toBe(200);
          const repeated = await again();
          expect(repeated.status).toBe(200);
          expect([repeated.etag, ...repeated.all('ETag')]).toContain(head.etag);
          await theFileIsThere(id, taskId, bytes);
          await expect.poll(async () => (await keys()).length).toBe(before.length + 1);
          expect(await app.drive.check({ repair: false })).toEqual([]);
        });

        test('is completed at once by a repeated request', async () => {
          const bytes = randomBytes(MIB + 12_345);
          const { again, id, taskId } = await interrupted(how, moment, bytes);
          expect((await again()).status).toBe(200);
          await theFileIsThere(id, taskId, bytes);
        });

        test('releases everything when it is aborted', async () => {
          const before = await keys();
          const { client } = await interrupted(how, moment, randomBytes(MIB + 1));
          expect((await client.abort()).status).toBe(204);
          expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
          await aMinute();
          expect(await names()).toEqual([]);
          await expect.poll(keys).toEqual(before);
        });
      });
    });

    test('the parts of an interrupted completion are listed with the tags that complete it', async () => {
      const bytes = randomBytes(MIB + 500);
      const { client, etags, id, taskId } = await interrupted('parts', 'open', bytes);
      const listed = await client.list();
      expect(listed.status).toBe(200);
      expect(listed.all('PartNumber')).toEqual(['1', '2']);
      expect(listed.all('Size')).toEqual([String(MIB), '500']);
      expect(listed.all('ETag')).toEqual([etags[1], etags[2]]);
      expect((await client.list('&part-number-marker=1')).all('PartNumber')).toEqual(['2']);
      expect((await client.complete(etags)).status).toBe(200);
      await theFileIsThere(id, taskId, bytes);
    });

    test('another body does not replace an interrupted one', async () => {
      const bytes = randomBytes(MIB);
      const { client, id, taskId } = await interrupted('one body', 'open', bytes);
      expect(await client.put(randomBytes(MIB))).toMatchObject({ status: 409, code: 'FileAlreadyExists' });
      await theFileIsThere(id, taskId, bytes);
    });

    describe('a small file in one body, interrupted after its bytes were stored', () => {
      test('is complete when its body is sent again, and stored once', async () => {
        const bytes = randomBytes(4000);
        const before = await keys();
        const { again, id, taskId } = await interrupted('one body', 'keep', bytes);
        await aMinute();
        expect(await names()).toEqual([]);
        expect((await again()).status).toBe(200);
        await theFileIsThere(id, taskId, bytes);
        expect((await again()).status).toBe(200);
        await expect.poll(async () => (await keys()).length).toBe(before.length + 1);
        expect(await app.drive.check({ repair: false })).toEqual([]);
      });

      test('is replaced by another body, since it was not acknowledged', async () => {
        const { client, id, taskId } = await interrupted('one body', 'keep', randomBytes(4000));
        const bytes = randomBytes(4000);
        expect((await client.put(bytes)).status).toBe(200);
        await theFileIsThere(id, taskId, bytes);
      });

      test('releases everything when it is aborted', async () => {
        const before = await keys();
        const { client } = await interrupted('one body', 'keep', randomBytes(4000));
        expect((await client.abort()).status).toBe(204);
        expect(await quota()).toMatchObject({ used: 0, reserved: 0 });
        await expect.poll(keys).toEqual(before);
      });
    });

    test('an empty file whose ticket request was interrupted is created automatically', async () => {
      faulty.faults.keep = new StorageUnavailable('the process ends here');
      await expect(askTicket(ann, { name: 'empty', size: 0 })).rejects.toThrow();
      faulty.faults.keep = undefined;
      await aMinute();
      expect(await names()).toEqual(['empty']);
    });

    test('a completion in progress is not completed by the server as well', async () => {
      const { id } = await interrupted('one body', 'keep', randomBytes(MIB));
      clock.advance(10_000);
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'finish-uploads', null));
      await app.jobs.drain();
      expect(await names()).toEqual([]);
      await aMinute();
      expect(await ann.call(driveApi.get, { params: { id }, query: {} })).toMatchObject({
        phase: 'PHASE_TYPE_COMPLETE',
      });
    });
  });
});
