import { driveApi, type Version } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  askTicket,
  drivenByAnn,
  eachDatabase,
  grantBenefit,
  objectClient,
  openTestApp,
  plant,
  runJob,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const versionsOf = async (member: Member, id: string): Promise<Version[]> =>
  (await member.call(driveApi.versions, { params: { id }, query: {} })).versions;
const sizes = async (member: Member, id: string): Promise<string[]> =>
  (await versionsOf(member, id)).map(({ size }) => size);
const one = (id: string, version: string) => ({ params: { id, version_id: version } });
const save = (member: Member, id: string, content: string, base = '*') =>
  member.call(driveApi.saveContent, { params: { id }, body: { base }, bytes: new Blob([content]) });
const used = async (app: TestApp, { id }: Member): Promise<number> =>
  (await app.quota.of(app.database, id)).used;
const read = async (app: TestApp, { link }: Version): Promise<string> =>
  (await app.http.inject({ url: new URL(link!.url).pathname + new URL(link!.url).search })).body;
const setLimit = (app: TestApp, { id }: Member, bytes: number) =>
  app.database.transaction((tx) => app.quota.setLimit(tx, id, bytes));

eachDatabase((dialect) => {
  test('a content that an upload, a network drive or the editor replaces can be read, and nothing is stored twice', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, member: ann } = await drivenByAnn(app);
    const file = await upload(app, ann, 'a.txt', 'one');
    await upload(app, ann, 'a.txt', 'three', { conflict: 'replace' });
    await dav.put('/a.txt', 'seven!!');
    await dav.put('/a.txt', 'seven!!');
    await save(ann, file.id, 'edited content');
    const found = await versionsOf(ann, file.id);
    expect(found.map(({ size, replaced_by: by }) => [size, by])).toEqual([
      ['7', 'edit'],
      ['5', 'webdav'],
      ['3', 'upload'],
    ]);
    expect(await Promise.all(found.map((version) => read(app, version)))).toEqual([
      'seven!!',
      'three',
      'one',
    ]);
    expect(await used(app, ann)).toBe(14 + 7 + 5 + 3);
    expect((await Array.fromAsync(app.storage.list('blob/'))).length).toBe(4);
    await dav.put('/b.txt', 'from b');
    await dav.move('/b.txt', '/a.txt');
    expect(await sizes(ann, file.id)).toEqual(['14', '7', '5', '3']);
    await dav.copy('/a.txt', '/c.txt');
    const { files } = await ann.call(driveApi.list, { query: { order: 'name_asc' } });
    expect(await sizes(ann, files.find(({ name }) => name === 'c.txt')!.id)).toEqual([]);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('restoring a version can be undone, and takes no storage', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'a.txt', 'one');
    await save(ann, file.id, 'three');
    const [first] = await versionsOf(ann, file.id);
    const restored = await ann.call(driveApi.restoreVersion, one(file.id, first!.id));
    expect(restored.file).toMatchObject({ id: file.id, size: '3' });
    expect(await sizes(ann, file.id)).toEqual(['5']);
    expect(await used(app, ann)).toBe(8);
    await ann.call(driveApi.restoreVersion, one(file.id, restored.version_id));
    expect(await ann.call(driveApi.get, { params: { id: file.id }, query: {} })).toMatchObject({ size: '5' });
    expect(await sizes(ann, file.id)).toEqual(['3']);
    // A version with a label stays in the list as well.
    const [labeled] = await versionsOf(ann, file.id);
    await ann.call(driveApi.changeVersion, {
      ...one(file.id, labeled!.id),
      body: { label: ' Draft ', keep_forever: true },
    });
    await ann.call(driveApi.restoreVersion, one(file.id, labeled!.id));
    expect(await versionsOf(ann, file.id)).toMatchObject([
      { size: '5', replaced_by: 'restore' },
      { size: '3', label: 'Draft', keep_forever: true },
    ]);
    expect(await used(app, ann)).toBe(11);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('a text that somebody saved in the meantime is not overwritten, except on request', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'a.txt', 'one');
    const mine = await save(ann, file.id, 'mine', file.hash);
    await expect(save(ann, file.id, 'other', file.hash)).rejects.toMatchObject({ id: 'content_changed' });
    // The same content again, after an answer that was lost.
    expect(await save(ann, file.id, 'mine', file.hash)).toMatchObject({ hash: mine.hash });
    const results = await Promise.allSettled(
      ['a', 'bb', 'ccc'].map((content) => save(ann, file.id, content, mine.hash)),
    );
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.size] : []));
    expect(won).toHaveLength(1);
    // A content that is overwritten on purpose stays as a version, however new it is.
    await save(ann, file.id, 'whatever is there');
    expect(await sizes(ann, file.id)).toEqual([...won, '3']);
    await expect(save(ann, file.id, 'x'.repeat(2 * 2 ** 20 + 1))).rejects.toMatchObject({
      id: 'invalid_argument',
    });
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('a program that saves again and again leaves one version for five minutes', async () => {
    const clock = turnableClock(Date.UTC(2027, 1, 1));
    await using app = await openTestApp({ dialect, clock });
    const { dav, member: ann } = await drivenByAnn(app);
    const file = await upload(app, ann, 'a.txt', '1');
    for (const [at, content] of ['22', '333', '', '4444', '55555'].entries()) {
      await dav.put('/a.txt', content);
      clock.advance(at === 3 ? 5 * MINUTE : MINUTE);
    }
    expect(await sizes(ann, file.id)).toEqual(['4', '1']);
    // Contents that people choose are kept, however soon they are replaced.
    await upload(app, ann, 'a.txt', '666666', { conflict: 'replace' });
    await upload(app, ann, 'a.txt', '7777777', { conflict: 'replace' });
    expect(await sizes(ann, file.id)).toEqual(['6', '5', '4', '1']);
    expect(await used(app, ann)).toBe(7 + 6 + 5 + 4 + 1);
  });

  test('the number and the age of versions are limited by plan, except of those with a label or kept forever', async () => {
    const clock = turnableClock(Date.UTC(2027, 1, 1));
    await using app = await openTestApp({
      dialect,
      clock,
      environment: { MEMBER_VERSIONS: '2', MEMBER_VERSION_DAYS: '10' },
      documents: { external_products: { plans: [{ id: 'vip', versions: 4, version_days: 20 }] } },
    });
    let ann = await app.signUp('ann');
    const file = await upload(app, ann, 'a.txt', '1');
    const grow = async (from: number, to: number) => {
      for (let size = from; size <= to; size += 1)
        await upload(app, ann, 'a.txt', 'x'.repeat(size), { conflict: 'replace' });
    };
    await grow(2, 3);
    const [, oldest] = await versionsOf(ann, file.id);
    const change = (id: string, body: { label?: string; keep_forever?: boolean }) =>
      ann.call(driveApi.changeVersion, { ...one(file.id, id), body });
    await change(oldest!.id, { keep_forever: true });
    await grow(4, 7);
    expect(await sizes(ann, file.id)).toEqual(['6', '5', '1']);
    await grantBenefit(app, ann, { plan: 'vip', days: 100 });
    await grow(8, 10);
    expect(await sizes(ann, file.id)).toEqual(['9', '8', '7', '6', '1']);
    await change((await versionsOf(ann, file.id))[2]!.id, { label: 'Seven' });
    clock.advance(15 * DAY);
    ann = await signIn(app.http, ann);
    await runJob(app, 'expire-versions');
    expect(await sizes(ann, file.id)).toHaveLength(5);
    clock.advance(6 * DAY);
    ann = await signIn(app.http, ann);
    await runJob(app, 'expire-versions');
    expect(await sizes(ann, file.id)).toEqual(['7', '1']);
    expect(await used(app, ann)).toBe(10 + 7 + 1);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('an upload that replaces a file needs room for what is left afterwards, and never exceeds the limit', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'a.bin', 'a'.repeat(100));
    await setLimit(app, ann, 150);
    const begin = (size: number) => askTicket(ann, { name: 'a.bin', size, conflict: 'replace' });
    const of = () => app.quota.of(app.database, ann.id);
    await expect(begin(151)).rejects.toMatchObject({ id: 'file_space_not_enough' });
    // A file that replaces nothing needs room for all of it.
    await expect(askTicket(ann, { name: 'b.bin', size: 51 })).rejects.toMatchObject({
      id: 'file_space_not_enough',
    });

    const first = await begin(120);
    expect(await of()).toMatchObject({ used: 100, reserved: 20 });
    expect(await app.drive.check({ repair: false })).toEqual([]);
    const client = objectClient(app, first.resumable!.params);
    await client.abort();
    expect(await of()).toMatchObject({ used: 100, reserved: 0 });

    await upload(app, ann, 'a.bin', 'b'.repeat(140), { conflict: 'replace' });
    expect(await of()).toMatchObject({ used: 140, reserved: 0 });
    expect(await sizes(ann, file.id)).toEqual([]);
    await upload(app, ann, 'a.bin', 'c'.repeat(10), { conflict: 'replace' });
    expect(await sizes(ann, file.id)).toEqual(['140']);

    // The file is gone when the bytes arrive: there is nothing that would make room.
    const late = await begin(145);
    await ann.call(driveApi.trash, { body: { ids: [file.id] } });
    const reply = await objectClient(app, late.resumable!.params).put('d'.repeat(145));
    expect(reply.status).toBe(403);
    expect(await of()).toMatchObject({ used: 150, reserved: 0 });
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('in a full drive older versions of a file make room for its next content, and kept ones do not', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, member: ann } = await drivenByAnn(app);
    const file = await upload(app, ann, 'a.txt', 'x'.repeat(10));
    for (const size of [20, 30]) await upload(app, ann, 'a.txt', 'x'.repeat(size), { conflict: 'replace' });
    await setLimit(app, ann, 60);
    const [newest, oldest] = await versionsOf(ann, file.id);
    await ann.call(driveApi.changeVersion, { ...one(file.id, oldest!.id), body: { keep_forever: true } });
    expect((await dav.put('/a.txt', 'y'.repeat(20))).status).toBe(204);
    // The version of 20 bytes left, and the content of 30 became a version.
    expect(await sizes(ann, file.id)).toEqual(['30', '10']);
    await expect(ann.call(driveApi.removeVersion, one(file.id, newest!.id))).rejects.toMatchObject({
      id: 'version_not_found',
    });
    expect((await dav.put('/a.txt', 'z'.repeat(50))).status).toBe(204);
    expect(await sizes(ann, file.id)).toEqual(['10']);
    expect((await dav.put('/a.txt', 'z'.repeat(51))).status).toBe(507);
    await expect(save(ann, file.id, 'z'.repeat(51))).rejects.toMatchObject({ id: 'file_space_not_enough' });
    expect((await dav.get('/a.txt')).text).toBe('z'.repeat(50));
    expect(await used(app, ann)).toBe(60);
    // A version that is kept forever stays beside its restored content, so the former content makes room.
    const restored = await ann.call(driveApi.restoreVersion, one(file.id, oldest!.id));
    expect(restored).toMatchObject({ file: { size: '10' }, version_id: expect.any(String) as string });
    expect(await sizes(ann, file.id)).toEqual(restored.version_id === '' ? ['10'] : ['50', '10']);
    expect(await used(app, ann)).toBeLessThanOrEqual(60);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('a file that is moved over another brings its versions, and the oldest beyond the limit leave', async () => {
    await using app = await openTestApp({ dialect, environment: { MEMBER_VERSIONS: '3' } });
    const { dav, member: ann } = await drivenByAnn(app);
    const content = 'the same in both';
    for (const [name, from] of [
      ['a.txt', 1],
      ['b.txt', 3],
    ] as const)
      for (const text of ['x'.repeat(from), 'x'.repeat(from + 1), content])
        await upload(app, ann, name, text, { conflict: 'replace' });
    const { files } = await ann.call(driveApi.list, { query: {} });
    expect((await dav.move('/a.txt', '/b.txt')).status).toBe(204);
    // Nothing is kept of a content that is replaced by the same one.
    expect(await sizes(ann, files.find(({ name }) => name === 'b.txt')!.id)).toEqual(['4', '3', '2']);
    expect(await used(app, ann)).toBe(content.length + 4 + 3 + 2);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('versions go with their file, and their bytes are collected only then', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { d: { 'a.txt': 'first' }, 'b.txt': 'other' });
    const collect = () => app.drive.collector.collect(new AbortController().signal, 0);
    await save(ann, ids['d/a.txt']!, 'second');
    await save(ann, ids['b.txt']!, 'first');
    await ann.call(driveApi.remove, { params: { id: ids['b.txt']! } });
    expect(await collect()).toBe(1);
    await ann.call(driveApi.trash, { body: { ids: [ids['d']!] } });
    await expect(versionsOf(ann, ids['d/a.txt']!)).rejects.toMatchObject({ id: 'file_not_found' });
    expect(await used(app, ann)).toBe(11);
    await ann.call(driveApi.untrash, { body: { ids: [ids['d']!] } });
    expect(await read(app, (await versionsOf(ann, ids['d/a.txt']!))[0]!)).toBe('first');
    await ann.call(driveApi.trash, { body: { ids: [ids['d']!] } });
    await ann.call(driveApi.emptyTrash, {});
    expect(await used(app, ann)).toBe(0);
    expect(await collect()).toBe(2);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('nobody else can list, read, change or restore versions; one or all can be deleted', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const file = await upload(app, ann, 'a.txt', '1');
    const other = await upload(app, ann, 'b.txt', 'other');
    for (const size of [2, 3, 4]) await save(ann, file.id, 'x'.repeat(size));
    const [newest, second] = await versionsOf(ann, file.id);
    const asked = one(file.id, newest!.id);
    await expect(versionsOf(bob, file.id)).rejects.toMatchObject({ id: 'file_not_found' });
    for (const call of [driveApi.restoreVersion, driveApi.removeVersion])
      await expect(bob.call(call, asked)).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(bob.call(driveApi.changeVersion, { ...asked, body: { label: 'x' } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(save(bob, file.id, 'theirs')).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(ann.call(driveApi.removeVersion, one(other.id, newest!.id))).rejects.toMatchObject({
      id: 'version_not_found',
    });
    // A link is valid for the version that it was signed for, and for no other.
    const url = new URL(newest!.link!.url);
    url.searchParams.set('v', second!.id);
    expect((await app.http.inject({ url: url.pathname + url.search })).statusCode).toBe(403);

    await ann.call(driveApi.removeVersion, asked);
    await ann.call(driveApi.changeVersion, { ...one(file.id, second!.id), body: { label: 'kept' } });
    expect(await ann.call(driveApi.clearVersions, { params: { id: file.id } })).toEqual({
      removed: 1,
      bytes: '1',
    });
    expect(await sizes(ann, file.id)).toEqual(['2']);
    expect(await used(app, ann)).toBe(5 + 4 + 2);
    expect(await read(app, second!)).toBe('xx');
  });

  test('the check finds versions without a file and repairs them', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'a.txt', '1');
    for (const size of [2, 3]) await save(ann, file.id, 'x'.repeat(size));
    const [newest, oldest] = await versionsOf(ann, file.id);
    await app.database.transaction(async (tx) => {
      await sql`update version set node = 'VGONE' where id = ${newest!.id}`.execute(tx.on());
      await sql`update version set size = 9 where id = ${oldest!.id}`.execute(tx.on());
    });
    const kinds = async (repair: boolean) =>
      (await app.drive.check({ repair })).map(({ what }) => what).toSorted();
    expect(await kinds(false)).toEqual(['ledger', 'quota-used', 'version-size', 'version-stray']);
    await kinds(true);
    expect(await kinds(false)).toEqual([]);
    expect(await used(app, ann)).toBe(4);
  });
});
