import { driveApi, LIMITS, recentApi, shareApi, type File } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  drivenByAnn,
  eachDatabase,
  openTestApp,
  plant,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const tag = (member: Member, name: string, color: 'red' | 'blue' = 'red') =>
  member.call(driveApi.createTag, { body: { name, color } });
const mark = (
  member: Member,
  ids: readonly string[],
  add: readonly string[],
  remove: readonly string[] = [],
) => member.call(driveApi.tagFiles, { body: { ids: [...ids], add: [...add], remove: [...remove] } });
const found = async (member: Member, q: string, more: object = {}): Promise<string[]> =>
  (await member.call(driveApi.search, { query: { q, ...more } })).files.map(({ name }) => name).toSorted();
const get = (member: Member, id: string): Promise<File> =>
  member.call(driveApi.get, { params: { id }, query: {} });
const count = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from tagged`.execute(
    app.database.on(),
  );
  return Number(rows[0]!.count);
};

eachDatabase((dialect) => {
  test('a tag is named, recolored and deleted; its name is unique whatever its case and accents', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const made = await tag(ann, '  Rent   2026 ');
    expect(made).toMatchObject({ name: 'Rent 2026', color: 'red' });
    await tag(ann, 'Résumés', 'blue');
    await expect(tag(ann, 'resumes')).rejects.toMatchObject({ id: 'tag_name_taken' });
    for (const name of ['', '  ', 'x'.repeat(51), 'a\u202eb', 'a\u0000'])
      await expect(tag(ann, name), name).rejects.toMatchObject({ id: 'invalid_argument' });
    await tag(ann, '🏠'.repeat(50));
    const params = { id: made.id };
    expect(await ann.call(driveApi.changeTag, { params, body: { name: 'rent 2026' } })).toMatchObject({
      name: 'rent 2026',
      color: 'red',
    });
    expect(await ann.call(driveApi.changeTag, { params, body: { color: 'blue' } })).toMatchObject({
      name: 'rent 2026',
      color: 'blue',
    });
    await expect(ann.call(driveApi.changeTag, { params, body: { name: 'RÉSUMÉS' } })).rejects.toMatchObject({
      id: 'tag_name_taken',
    });
    expect((await ann.call(driveApi.tags, {})).tags.map(({ name }) => name)).toEqual([
      'rent 2026',
      'Résumés',
      '🏠'.repeat(50),
    ]);
    await ann.call(driveApi.removeTag, { params });
    await expect(ann.call(driveApi.removeTag, { params })).rejects.toMatchObject({ id: 'tag_not_found' });
    const bob = await app.signUp('bob');
    expect((await bob.call(driveApi.tags, {})).tags).toEqual([]);
  });

  test('tags are added to many items and taken off, and the reply says what to undo', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { a: { 'one.txt': '1', 'two.txt': '2' }, 'three.txt': '3' });
    const [work, home] = [(await tag(ann, 'work')).id, (await tag(ann, 'to do')).id];
    const [one, two, folder] = [ids['a/one.txt']!, ids['a/two.txt']!, ids['a']!];
    expect(await mark(ann, [one], [work])).toEqual({ added: [{ tag_id: work, ids: [one] }], removed: [] });
    const reply = await mark(ann, [one, two, folder], [work, home], []);
    expect(reply.added.map(({ tag_id, ids: some }) => [tag_id, some.length])).toEqual(
      [
        [home, 3],
        [work, 2],
      ].toSorted(([a]) => (a === reply.added[0]!.tag_id ? -1 : 1)),
    );
    expect(await mark(ann, [one], [work], [home, work])).toMatchObject({
      added: [],
      removed: [{ tag_id: home, ids: [one] }],
    });
    const { files } = await ann.call(driveApi.list, { query: { parent_id: folder, order: 'NAME_ASC' } });
    expect(files.map(({ tag_ids: tags }) => tags?.length)).toEqual([1, 2]);
    expect(await get(ann, ids['three.txt']!)).not.toHaveProperty('tag_ids');

    expect(await found(ann, 'tag:work')).toEqual(['a', 'one.txt', 'two.txt']);
    expect(await found(ann, 'tag:WORK type:folder')).toEqual(['a']);
    expect(await found(ann, 'tag:work tag:"To do" t')).toEqual(['two.txt']);
    expect(await found(ann, 'tag:work two')).toEqual(['two.txt']);
    expect(await found(ann, 'tag:none')).toEqual([]);
    expect(await found(ann, 'tag:work is:starred')).toEqual([]);
    expect(await found(ann, 'tag:work', { parent_id: folder })).toEqual(['one.txt', 'two.txt']);
    const added = await upload(app, ann, 'new.txt', 'new');
    await mark(ann, [added.id], [work]);
    const recent = await ann.call(recentApi.list, { query: {} });
    expect(recent.entries.find(({ file }) => file.id === added.id)!.file.tag_ids).toEqual([work]);
    await ann.call(driveApi.removeMany, { body: { ids: [added.id] } });
    const hits = await ann.call(driveApi.search, { query: { q: 'tag:work two' } });
    expect(hits.files[0]!.tag_ids).toEqual([work, home].toSorted());

    // A page that is short because of its limit goes on after it.
    const first = await ann.call(driveApi.search, { query: { q: 'tag:work', limit: 2 } });
    const rest = await ann.call(driveApi.search, {
      query: { q: 'tag:work', limit: 2, page_token: first.next_page_token },
    });
    expect([...first.files, ...rest.files].map(({ name }) => name).toSorted()).toEqual([
      'a',
      'one.txt',
      'two.txt',
    ]);
    await ann.call(driveApi.removeTag, { params: { id: work } });
    expect((await get(ann, two)).tag_ids).toEqual([home]);
    expect(await found(ann, 'tag:work')).toEqual([]);
  });

  test('only one’s own items and tags can be marked, and neither has too many', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, { 'a.txt': 'a' });
    const its = await plant(app, bob.id, { 'b.txt': 'b' });
    const [mine, other] = [(await tag(ann, 'mine')).id, (await tag(bob, 'other')).id];
    await expect(mark(ann, [ids['a.txt']!], [other])).rejects.toMatchObject({ id: 'tag_not_found' });
    await expect(mark(ann, [ids['a.txt']!], [], [other])).rejects.toMatchObject({ id: 'tag_not_found' });
    await expect(mark(ann, [its['b.txt']!], [mine])).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(
      bob.call(driveApi.changeTag, { params: { id: mine }, body: { name: 'x' } }),
    ).rejects.toMatchObject({ id: 'tag_not_found' });
    await expect(bob.call(driveApi.removeTag, { params: { id: mine } })).rejects.toMatchObject({
      id: 'tag_not_found',
    });
    const many = await Promise.all(
      Array.from({ length: LIMITS.tagsOfItem }, async (_, at) => (await tag(ann, `tag ${at}`)).id),
    );
    await mark(ann, [ids['a.txt']!], many);
    await expect(mark(ann, [ids['a.txt']!], [mine])).rejects.toMatchObject({ id: 'tag_item_limit' });
    await mark(ann, [ids['a.txt']!], [mine], [many[0]!]);
    await app.database.transaction((tx) =>
      sql`update tag set account = ${ann.id}, name_fold = name_fold || ${'!'} where account = ${bob.id}`.execute(
        tx.on(),
      ),
    );
    for (let at = many.length + 2; at < LIMITS.tags; at++) await tag(ann, `more ${at}`);
    await expect(tag(ann, 'too many')).rejects.toMatchObject({ id: 'tag_limit' });
  });

  test('tags stay through changes of their item, go with it, and are copied only for their owner', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, member: ann } = await drivenByAnn(app);
    const bob = await app.signUp('bob');
    const { id } = await upload(app, ann, 'a.txt', 'one');
    const ids = await plant(app, ann.id, { box: { 'in.txt': 'x' }, away: {} });
    const box = ids['box']!;
    const { id: red } = await tag(ann, 'red');
    await mark(ann, [id, box, ids['box/in.txt']!], [red]);
    const marked = async (): Promise<string[] | undefined> => (await get(ann, id)).tag_ids;

    await ann.call(driveApi.rename, { params: { id }, body: { name: 'b.txt' } });
    await ann.call(driveApi.move, { body: { ids: [id], to: { parent_id: ids['away']! } } });
    await upload(app, ann, 'b.txt', 'two', { parent_id: ids['away']!, conflict: 'replace' });
    await dav.put('/away/b.txt', 'three');
    expect(await marked()).toEqual([red]);
    await ann.call(driveApi.trash, { body: { ids: [id] } });
    expect(await marked()).toEqual([red]);
    expect(await found(ann, 'tag:red')).toEqual(['box', 'in.txt']);
    expect(await found(ann, 'tag:red', { place: 'trash' })).toEqual(['b.txt']);
    await ann.call(driveApi.untrash, { body: { ids: [id] } });
    expect(await marked()).toEqual([red]);

    // A program that saves by replacing the file keeps the tags of both.
    const { id: blue } = await tag(ann, 'blue');
    await dav.put('/away/new.tmp', 'four');
    const { files } = await ann.call(driveApi.list, { query: { parent_id: ids['away']! } });
    await mark(ann, [files.find(({ name }) => name === 'new.tmp')!.id], [blue, red]);
    await dav.move('/away/new.tmp', '/away/b.txt');
    expect(await marked()).toEqual([red, blue].toSorted());
    await mark(ann, [id], [], [blue]);

    await ann.call(driveApi.copy, { body: { ids: [box], to: { parent_id: ids['away']! } } });
    expect(await found(ann, 'tag:red')).toEqual(['b.txt', 'box', 'box', 'in.txt', 'in.txt']);
    const share = await ann.call(shareApi.create, { body: { file_ids: [box] } });
    const shared = await app.visitor.call(shareApi.open, { query: { share_id: share.share_id } });
    expect(shared.files[0]).not.toHaveProperty('tag_ids');
    for (const [q, names] of [
      ['tag:red', []],
      ['in', ['in.txt']],
      ['in tag:red', ['in.txt']],
      ['in tag:none', ['in.txt']],
    ] as const) {
      const reply = await app.visitor.call(shareApi.search, { query: { share_id: share.share_id, q } });
      expect(
        reply.files.map(({ name }) => name),
        q,
      ).toEqual(names);
      for (const file of reply.files) expect(file).not.toHaveProperty('tag_ids');
    }
    await bob.call(shareApi.restore, { body: { share_id: share.share_id, file_ids: [box] } });
    await app.jobs.drain();
    const saved = await bob.call(driveApi.search, { query: { q: 'in.txt' } });
    expect(saved.files).toHaveLength(1);
    expect(saved.files[0]).not.toHaveProperty('tag_ids');

    expect(await app.drive.check({ repair: false })).toEqual([]);
    const before = await count(app);
    await ann.call(driveApi.removeMany, { body: { ids: [box] } });
    expect(await count(app)).toBe(before - 2);
  });

  test('rows without their file or tag are found and removed', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'a.txt': 'a' });
    const { id: red } = await tag(ann, 'red');
    await mark(ann, [ids['a.txt']!], [red]);
    await app.database.transaction(async (tx) => {
      await sql`insert into tagged (account, tag, node) values (${ann.id}, ${red}, 'VGONE'), (${ann.id}, 'gone', ${ids['a.txt']!})`.execute(
        tx.on(),
      );
      await sql`insert into annotation (node, account) values ('VGONE', ${ann.id})`.execute(tx.on());
      await sql`insert into pin (node, account, place) values ('VGONE', ${ann.id}, 1)`.execute(tx.on());
    });
    expect((await app.drive.check({ repair: true })).map(({ what }) => what)).toEqual(
      Array.from({ length: 4 }, () => 'annotation-stray'),
    );
    expect(await app.drive.check({ repair: false })).toEqual([]);
    expect((await get(ann, ids['a.txt']!)).tag_ids).toEqual([red]);
  });
});
