import { driveApi, taskApi, type File } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  objectClient,
  openTestApp,
  plant,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const MAY = '2020-05-01T12:30:15.000+00:00';

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let counter = 0;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  beforeEach(async () => {
    ann = await app.signUp(`ann-${(counter += 1)}`);
  });
  afterAll(() => app.close());

  const get = (id: string): Promise<File> => ann.call(driveApi.get, { params: { id }, query: {} });
  const dates = async (id: string): Promise<string[]> => {
    const { modified_time: modified, user_modified_time: own } = await get(id);
    return [modified, own];
  };
  const byDate = async (parent = ''): Promise<string[]> =>
    (await ann.call(driveApi.list, { query: { parent_id: parent, order: 'mod_desc' } })).files.map(
      ({ name }) => name,
    );
  const folder = async (name: string): Promise<File> =>
    (await ann.call(driveApi.create, { body: { kind: 'drive#folder', name } })).file!;
  const date = (id: string, time: number): Promise<unknown> =>
    app.database.transaction((tx) =>
      sql`update node set modified_at = ${time} where id = ${id}`.execute(tx.on()),
    );
  const settled = async (reply: Promise<{ task_id: string }>): Promise<void> => {
    const task = await ann.call(taskApi.get, { params: { id: (await reply).task_id } });
    expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
  };

  async function uploaded(
    name: string,
    { time, headers }: { time?: string; headers?: Record<string, string> } = {},
  ): Promise<string> {
    const { file, resumable } = await askTicket(ann, {
      name,
      size: 7,
      ...(time === undefined ? {} : { user_modified_time: time }),
    });
    const object = objectClient(app, resumable!.params);
    const reply = await object.send('PUT', '', { body: 'content', ...(headers ? { headers } : {}) });
    expect(reply.status).toBe(200);
    return file!.id;
  }

  test('an uploaded file keeps its own date, and lists are sorted by it', async () => {
    await uploaded('new.txt');
    const old = await uploaded('old.txt', { time: '2020-05-01T14:30:15+02:00' });
    expect(await dates(old)).toEqual([MAY, MAY]);
    expect(await byDate()).toEqual(['new.txt', 'old.txt']);
  });

  test.each(['x-amz-meta-mtime', 'x-oss-meta-mtime'])('a date in %s is kept', async (name) => {
    expect((await dates(await uploaded('a', { headers: { [name]: '1588336215.000000001' } })))[0]).toBe(MAY);
    const { file, resumable } = await askTicket(ann, { name: 'b', size: 7 });
    const object = objectClient(app, resumable!.params);
    expect((await object.send('POST', 'uploads', { headers: { [name]: '1588336215' } })).status).toBe(200);
    const etag = await object.putPart(1, 'content');
    expect((await object.complete({ 1: etag })).status).toBe(200);
    expect((await dates(file!.id))[0]).toBe(MAY);
    for (const nonsense of ['yesterday', '253402300800', 'NaN', 'Mon, 31 Feb 2020 00:00:00 GMT']) {
      const id = await uploaded('c', { headers: { [name]: nonsense } });
      expect((await dates(id))[0], nonsense).toBe((await get(id)).created_time);
    }
  });

  test('dates outside the range of clients are ignored, and dates that do not exist are rejected', async () => {
    for (const time of [
      '+010000-01-01T00:00:00.000Z',
      '0000-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '',
    ]) {
      const id = await uploaded('a', { time });
      expect((await dates(id))[0], time).toBe((await get(id)).created_time);
    }
    for (const time of ['0001-01-01T00:00:00.000+00:00', '9999-12-31T23:59:59.999+00:00'])
      expect((await dates(await uploaded('a', { time })))[0]).toBe(time);
    for (const time of ['2020-02-31T00:00:00Z', 'yesterday', 'NaN', '1588336215'])
      await expect(
        askTicket(ann, { name: 'a', size: 7, user_modified_time: time }),
        time,
      ).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('listed dates stay within the range of strict clients, whatever the database holds', async () => {
    const id = await uploaded('a');
    await date(id, 300_000_000_000_000);
    expect((await dates(id))[0]).toBe('9999-12-31T23:59:59.999+00:00');
    await date(id, -70_000_000_000_000);
    expect((await dates(id))[0]).toBe('0001-01-01T00:00:00.000+00:00');
  });

  test('renaming, moving, starring and trashing change no date, and all can be undone', async () => {
    const first = await uploaded('a.txt', { time: '2021-01-01T00:00:00Z' });
    const file = await uploaded('b.txt', { time: MAY });
    const last = await uploaded('c.txt', { time: '2019-01-01T00:00:00Z' });
    const into = await folder('into');
    await date(into.id, Date.UTC(2018, 0, 1));
    const before = await get(file);
    const same = async (): Promise<void> => {
      const { links: _, ...now } = await get(file);
      expect(now).toMatchObject({
        modified_time: MAY,
        user_modified_time: MAY,
        created_time: before.created_time,
      });
      expect((await dates(into.id))[0]).toBe('2018-01-01T00:00:00.000+00:00');
    };
    const rename = (name: string) => ann.call(driveApi.rename, { params: { id: file }, body: { name } });
    const move = (parent: string) =>
      settled(ann.call(driveApi.move, { body: { ids: [file], to: { parent_id: parent } } }));

    expect((await rename('z.txt')).modified_time).toBe(MAY);
    await same();
    expect(await byDate()).toEqual(['into', 'a.txt', 'z.txt', 'c.txt']);
    await rename('b.txt');
    await same();
    await move(into.id);
    await same();
    await move('');
    await same();
    await ann.call(driveApi.star, { body: { ids: [file] } });
    await ann.call(driveApi.unstar, { body: { ids: [file] } });
    await same();
    await settled(ann.call(driveApi.trash, { body: { ids: [file, first, last] } }));
    await settled(ann.call(driveApi.untrash, { body: { ids: [file, first, last] } }));
    await same();
    const { links: _a, ...then } = before;
    const { links: _b, ...now } = await get(file);
    expect(now).toEqual(then);
    expect(await byDate()).toEqual(['into', 'a.txt', 'b.txt', 'c.txt']);
  });

  test('a folder keeps its date when it is renamed or moved and when its contents change', async () => {
    const { a, b } = await plant(app, ann.id, { a: { 'x.txt': 'x' }, b: {} });
    await date(a!, Date.parse(MAY));
    await ann.call(driveApi.rename, { params: { id: a! }, body: { name: 'renamed' } });
    await settled(ann.call(driveApi.move, { body: { ids: [a!], to: { parent_id: b! } } }));
    await ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'new', parent_id: a! } });
    expect(await dates(a!)).toEqual([MAY, MAY]);
  });

  test('a copy has the date of its original', async () => {
    const file = await uploaded('a.txt', { time: MAY });
    const into = await folder('into');
    await settled(ann.call(driveApi.copy, { body: { ids: [file], to: { parent_id: into.id } } }));
    const [copy] = (await ann.call(driveApi.list, { query: { parent_id: into.id } })).files;
    expect(copy).toMatchObject({ modified_time: MAY, user_modified_time: MAY });
    expect(copy!.created_time).not.toBe(MAY);
  });

  test('a list can be filtered by date, up to the limits of the range', async () => {
    await uploaded('a.txt', { time: MAY });
    const narrowed = async (test: object): Promise<number> =>
      (
        await ann.call(driveApi.list, {
          query: { parent_id: '', filters: JSON.stringify({ modified_time: test }) },
        })
      ).files.length;
    expect(await narrowed({ gt: '2020-05-01', lt: '2020-05-02' })).toBe(1);
    expect(await narrowed({ lt: '+010000-01-01T00:00:00Z', gt: '0000-01-01' })).toBe(1);
    expect(await narrowed({ gt: '2020-05-01T12:30:15Z' })).toBe(0);
    await expect(narrowed({ gt: '2020-02-31' })).rejects.toMatchObject({ id: 'invalid_argument' });
  });
});
