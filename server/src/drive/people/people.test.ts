import { driveApi, peopleApi, archiveApi, shareApi, type SharedItem } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  runJob,
  signIn,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const folder = async (member: Member, name: string, parent = ''): Promise<string> =>
  (await member.call(driveApi.create, { body: { kind: 'drive#folder', name, parent_id: parent } })).file!.id;
const shared = async (member: Member): Promise<SharedItem[]> =>
  (await member.call(peopleApi.shared, { query: {} })).items;
const names = async (member: Member, parent: string): Promise<string[]> =>
  (await member.call(driveApi.list, { query: { parent_id: parent } })).files.map(({ name }) => name);
const invite = (owner: Member, id: string, { email }: Member, role: 'viewer' = 'viewer') =>
  owner.call(peopleApi.invite, { params: { id }, body: { to: email, role } });
const read = async (app: TestApp, url: string) => {
  const { pathname, search } = new URL(url);
  const { statusCode, body } = await app.http.inject({ url: pathname + search });
  return statusCode === 200 ? body : statusCode;
};

async function sharedWithBen(app: TestApp, role: 'viewer' = 'viewer') {
  const ann = await app.signUp('ann');
  const ben = await app.signUp('ben');
  const outer = await folder(ann, 'Private');
  const trips = await folder(ann, 'Trips', outer);
  const rome = await folder(ann, 'Rome', trips);
  const file = await upload(app, ann, 'diary.txt', 'dear diary', { parent_id: rome });
  await upload(app, ann, 'secret.txt', 'secret', { parent_id: outer });
  const grant = await invite(ann, trips, ben, role);
  return { ann, ben, outer, trips, rome, file: file.id, grant: grant.id };
}

eachDatabase((dialect) => {
  test('a member sees what was shared once they accept, and nothing around it', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, outer, trips, rome, file, grant } = await sharedWithBen(app);
    expect(await shared(ben)).toMatchObject([{ id: grant, name: 'Trips', pending: true, file: null }]);
    await expect(names(ben, trips)).rejects.toMatchObject({ id: 'file_not_found' });
    await ben.call(peopleApi.accept, { params: { id: grant } });
    const [item] = await shared(ben);
    expect(item).toMatchObject({ pending: false, role: 'viewer', owner: { user_id: ann.id } });
    expect(item!.file).toMatchObject({ id: trips, parent_id: '', writable: false, file_count: 1 });
    expect(await names(ben, trips)).toEqual(['Rome']);
    expect(await names(ben, rome)).toEqual(['diary.txt']);
    await expect(names(ben, outer)).rejects.toMatchObject({ id: 'file_not_found' });
    expect(await names(ben, '')).toEqual([]);
    expect(await ben.call(driveApi.ancestors, { params: { id: rome } })).toEqual({
      ancestors: [
        { id: trips, name: 'Trips' },
        { id: rome, name: 'Rome' },
      ],
      shared: { owner_id: ann.id, role: 'viewer' },
    });
    const found = await ben.call(driveApi.search, { query: { q: 'diary', parent_id: trips } });
    expect(found.files).toMatchObject([{ id: file, path: [{ name: 'Trips' }, { id: rome }] }]);
    const above = await ben.call(driveApi.search, { query: { q: 'secret', parent_id: trips } });
    expect(above.files).toEqual([]);
    expect((await ben.call(driveApi.search, { query: { q: 'diary' } })).files).toEqual([]);
  });

  test('links end with the access, and the member pays for the traffic', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, trips, file, grant } = await sharedWithBen(app);
    await ben.call(peopleApi.accept, { params: { id: grant } });
    const { web_content_link: link } = await ben.call(driveApi.get, { params: { id: file }, query: {} });
    expect(await read(app, link)).toBe('dear diary');
    const { url } = await ben.call(archiveApi.pack, { body: { ids: [trips] } });
    const { pathname, search } = new URL(url);
    expect((await app.http.inject({ url: pathname + search })).rawPayload.subarray(0, 2).toString()).toBe(
      'PK',
    );
    await ann.call(driveApi.trash, { body: { ids: [trips] } });
    expect(await read(app, link)).toBe(404);
    expect(await shared(ben)).toMatchObject([{ name: 'Trips', file: null }]);
    await ann.call(driveApi.untrash, { body: { ids: [trips] } });
    expect(await read(app, link)).toBe('dear diary');
    await ann.call(peopleApi.remove, { params: { id: grant } });
    expect(await read(app, link)).toBe(404);
    expect(await read(app, url)).toBe(404);
    expect(await shared(ben)).toEqual([]);
    await expect(ben.call(driveApi.get, { params: { id: file }, query: {} })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('only whole addresses of usable members are found, and guesses are slowed down', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, trips, grant } = await sharedWithBen(app);
    await expect(invite(ann, trips, ann)).rejects.toMatchObject({ id: 'person_is_owner' });
    await expect(invite(ben, trips, ann)).rejects.toMatchObject({ id: 'file_not_found' });
    expect(await invite(ann, trips, { ...ben, email: ' BEN@example.org ' }, 'viewer')).toMatchObject({
      id: grant,
      role: 'viewer',
    });
    const guess = (email: string) => invite(ann, trips, { ...ben, email });
    for (const one of ['b@example.org', 'example.org', 'be', 'ben@example', '%', '*'])
      await expect(guess(one)).rejects.toMatchObject({ id: 'person_not_found' });
    for (let at = 0; at < 30; at++) await guess(`ben${at}@example.org`).catch(() => {});
    await expect(guess('ben@example.org')).rejects.toMatchObject({ id: 'too_frequent' });
  });

  test('each role may do what it should with every call that names a file', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, trips, grant } = await sharedWithBen(app);
    const others = {
      stranger: await app.signUp('stranger'),
      pending: ben,
      viewer: await app.signUp('viewer'),
      former: await app.signUp('former'),
    };
    for (const one of [others.viewer, others.former]) {
      const { id } = await invite(ann, trips, one);
      await one.call(peopleApi.accept, { params: { id } });
      if (one === others.former) await one.call(peopleApi.remove, { params: { id } });
    }
    await expect(others.stranger.call(peopleApi.accept, { params: { id: grant } })).rejects.toMatchObject({
      id: 'access_not_found',
    });
    const [rome] = (await ann.call(driveApi.list, { query: { parent_id: trips } })).files;
    const [file] = (await ann.call(driveApi.list, { query: { parent_id: rome!.id } })).files;
    const id = file!.id;
    const calls: Record<string, (by: Member) => Promise<unknown>> = {
      list: (by) => by.call(driveApi.list, { query: { parent_id: trips } }),
      get: (by) => by.call(driveApi.get, { params: { id }, query: {} }),
      ancestors: (by) => by.call(driveApi.ancestors, { params: { id } }),
      select: (by) => by.call(driveApi.select, { body: { parent_id: trips } }),
      conflicts: (by) => by.call(driveApi.conflicts, { body: { parent_id: trips, names: ['a'] } }),
      search: (by) => by.call(driveApi.search, { query: { q: 'x', parent_id: trips } }),
      pack: (by) => by.call(archiveApi.pack, { body: { ids: [id] } }),
      people: (by) => by.call(peopleApi.list, { params: { id } }),
      rename: (by) => by.call(driveApi.rename, { params: { id }, body: { name: `${by.id}.txt` } }),
      createFolder: (by) => folder(by, 'new', trips),
      trash: (by) => by.call(driveApi.trash, { body: { ids: [id] } }),
      remove: (by) => by.call(driveApi.remove, { params: { id } }),
      star: (by) => by.call(driveApi.star, { body: { ids: [id] } }),
      move: (by) => by.call(driveApi.move, { body: { ids: [id], to: { parent_id: trips } } }),
      copyInside: (by) => by.call(driveApi.copy, { body: { ids: [id], to: { parent_id: trips } } }),
      versions: (by) => by.call(driveApi.versions, { params: { id }, query: {} }),
      save: (by) =>
        by.call(driveApi.saveContent, { params: { id }, body: { base: '*' }, bytes: new Blob(['x']) }),
      upload: (by) =>
        by.call(driveApi.create, {
          body: {
            kind: 'drive#file',
            name: 'up.txt',
            parent_id: trips,
            size: 1,
            upload_type: 'UPLOAD_TYPE_RESUMABLE',
          },
        }),
      link: (by) => by.call(shareApi.create, { body: { file_ids: [id] } }),
      invite: (by) => invite(by, trips, others.stranger),
    };
    const outcome = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'ok',
        (error: { id: string }) => error.id,
      );
    const READS = new Set(['list', 'get', 'ancestors', 'select', 'conflicts', 'search', 'pack', 'people']);
    for (const [name, call] of Object.entries(calls)) {
      for (const who of ['stranger', 'pending', 'former'] as const)
        expect([name, who, await outcome(call(others[who]))]).toEqual([name, who, 'file_not_found']);
      const seen = await outcome(call(others.viewer));
      if (READS.has(name)) expect([name, seen]).toEqual([name, 'ok']);
      else expect([name, seen]).not.toEqual([name, 'ok']);
    }
    for (const call of Object.values(calls)) if (call !== calls['remove']) await call(ann).catch(() => {});
  });

  test('an erased or frozen member has no access, and what they gave ends', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, trips, file, grant } = await sharedWithBen(app);
    await ben.call(peopleApi.accept, { params: { id: grant } });
    const { web_content_link: link } = await ben.call(driveApi.get, { params: { id: file }, query: {} });
    await app.accounts.freeze(ben.id, true);
    expect(await read(app, link)).not.toBe('dear diary');
    expect((await ann.call(peopleApi.list, { params: { id: trips } })).people).toEqual([]);
    await app.accounts.freeze(ben.id, false);
    const again = await signIn(app.http, ben);
    expect(await names(again, trips)).toEqual(['Rome']);
    await app.accounts.freeze(ann.id, true);
    expect(await shared(again)).toEqual([]);
    await expect(names(again, trips)).rejects.toMatchObject({ id: 'file_not_found' });
  });

  test('what is deleted forever takes the access along, and what is only trashed keeps it', async () => {
    await using app = await openTestApp({ dialect });
    const { ann, ben, trips, outer, grant } = await sharedWithBen(app);
    await ben.call(peopleApi.accept, { params: { id: grant } });
    const given = async (): Promise<string[]> =>
      (
        await app.database
          .on<{ access_grant: { id: string } }>()
          .selectFrom('access_grant')
          .select('id')
          .execute()
      ).map(({ id }) => id);
    await ann.call(driveApi.trash, { body: { ids: [outer] } });
    await runJob(app, 'forget-grants');
    expect(await given()).toEqual([grant]);
    await ann.call(driveApi.untrash, { body: { ids: [outer] } });
    expect(await names(ben, trips)).toEqual(['Rome']);
    await ann.call(driveApi.remove, { params: { id: outer } });
    await runJob(app, 'forget-grants');
    expect(await given()).toEqual([]);
    expect(await shared(ben)).toEqual([]);
  });
});
