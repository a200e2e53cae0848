import { driveApi, taskApi, type SearchHit } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Member, type TestApp } from '../../../testing/index.ts';
import { NAMES, QUERIES } from '../../../testing/search/queries.ts';

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let bob: Member;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
    ann = await app.signUp('ann');
    bob = await app.signUp('bob');
    await plant(app, ann.id, Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  });
  afterAll(() => app.close());

  const search = async (q: string, more: object = {}, who = ann): Promise<SearchHit[]> => {
    const found: SearchHit[] = [];
    for (let token = ''; ;) {
      const page = await who.call(driveApi.search, { query: { q, page_token: token, ...more } });
      found.push(...page.files);
      token = page.next_page_token;
      if (token === '') return found;
    }
  };
  const names = async (q: string, more: object = {}, who = ann): Promise<string[]> =>
    (await search(q, more, who)).map(({ name }) => name);

  for (const [language, queries] of Object.entries(QUERIES))
    test(`${language}: ${queries.length} queries find what readers expect`, async () => {
      for (const [query, ...expected] of queries)
        expect((await names(query)).toSorted(), query).toEqual(expected.toSorted());
      await app.jobs.drain();
      for (const [query, ...expected] of queries)
        expect((await names(query, { limit: 3 })).toSorted(), `${query}, merged`).toEqual(
          expected.toSorted(),
        );
    });

  test('nobody finds the files of others, and an empty search finds nothing', async () => {
    expect(await names('beach', {}, bob)).toEqual([]);
    for (const empty of ['', '  ', '""', '\u0301', '\u200b'] as const)
      expect(await names(empty), empty).toEqual([]);
    expect((await app.http.inject({ url: '/drive/v1/search?q=beach' })).statusCode).toBe(401);
  });

  test('the best matches come first, and of equal ones the newest', async () => {
    const eve = await app.signUp('eve');
    await plant(app, eve.id, {
      'a sea.txt': 'x',
      'nausea.txt': 'x',
      sea: {},
      'sea one.txt': 'x',
      'sea two.txt': 'x',
      'the SEA.txt': 'x',
    });
    const expected = ['sea', 'sea two.txt', 'sea one.txt', 'the SEA.txt', 'a sea.txt', 'nausea.txt'];
    for (const limit of [1, 2, 5, 100]) expect(await names('sea', { limit }, eve)).toEqual(expected);
    expect(await names('"sea two"', {}, eve)).toEqual(['sea two.txt']);
    expect(await names('sea TWO.txt', {}, eve)).toEqual(['sea two.txt']);
  });

  test('matches are marked where readers see them', async () => {
    const marks = async (query: string): Promise<string[]> =>
      (await search(query)).flatMap(({ name, matches }) => matches.map(([from, to]) => name.slice(from, to)));
    expect(await marks('muller')).toEqual(['Müller']);
    expect(await marks('mueller strasse')).toEqual(
      expect.arrayContaining(['Mueller', 'Strasse', 'Müller', 'Straße']),
    );
    expect(await marks('ｶﾒﾗ')).toEqual(expect.arrayContaining(['カメラ', 'ｶﾒﾗ']));
    expect(await marks('글')).toEqual(expect.arrayContaining(['글', '글'.normalize('NFD')]));
    expect(await marks('fi')).toEqual(expect.arrayContaining(['ﬁ', 'fi']));
    expect(await marks('family')).toEqual(['family']);
    expect(await marks('type:video')).toEqual([]);
    expect((await search('a_b'))[0]!.matches).toEqual([[0, 3]]);
  });

  test('a search below a folder finds what is in it at any depth, with its path', async () => {
    const eve = await app.signUp('eve2');
    const ids = await plant(app, eve.id, {
      Photos: { 2026: { 'sea.jpg': 'x', deep: { 'sea.png': 'x' } }, 'sea 0.jpg': 'x' },
      'My photos': { 'sea.gif': 'x' },
      'sea.txt': 'x',
    });
    const within = (parent: string): Promise<string[]> => names('sea', { parent_id: ids[parent] }, eve);
    expect(await within('Photos')).toEqual(['sea 0.jpg', 'sea.png', 'sea.jpg']);
    expect(await within('Photos/2026')).toEqual(['sea.png', 'sea.jpg']);
    expect(await within('My photos')).toEqual(['sea.gif']);
    expect(await names('in:photos', {}, eve)).toHaveLength(5);
    expect(await names('sea in:Photos/2026', {}, eve)).toEqual(['sea.png', 'sea.jpg']);
    expect(await names('sea in:"my photos"', {}, eve)).toEqual(['sea.gif']);
    expect(await names('sea in:2025', {}, eve)).toEqual([]);
    const [deepest] = await search('sea.png', {}, eve);
    expect(deepest!.path).toEqual([
      { id: ids['Photos'], name: 'Photos' },
      { id: ids['Photos/2026'], name: '2026' },
      { id: ids['Photos/2026/deep'], name: 'deep' },
    ]);
    expect((await search('sea.txt', {}, eve))[0]!.path).toEqual([]);
    const { files } = await eve.call(driveApi.list, { query: { parent_id: '' } });
    const { path: _, matches: __, ...photos } = (await search('"Photos"', {}, eve))[0]!;
    expect(photos).toEqual(files.find(({ name }) => name === 'Photos'));
    expect(photos).toMatchObject({ folder_size: '3', file_count: 3, folder_count: 2 });
    await expect(names('sea', { parent_id: ids['sea.txt'] }, eve)).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(names('sea', { parent_id: ids['Photos'] }, bob)).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('every change is found at once: names, places, the trash, deleting forever', async () => {
    const eve = await app.signUp('eve3');
    const ids = await plant(app, eve.id, { box: { 'one cat.txt': 'x' }, 'two cat.txt': 'x', to: {} });
    const done = async (reply: Promise<{ task_id: string }>): Promise<void> => {
      const { task_id: id } = await reply;
      await app.jobs.drain();
      expect((await eve.call(taskApi.get, { params: { id } })).phase).toBe('PHASE_TYPE_COMPLETE');
    };
    const trash = (q: string): Promise<string[]> => names(q, { place: 'trash' }, eve);
    await eve.call(driveApi.rename, { params: { id: ids['two cat.txt']! }, body: { name: 'two dog.txt' } });
    expect(await names('cat', {}, eve)).toEqual(['one cat.txt']);
    expect(await names('dog', {}, eve)).toEqual(['two dog.txt']);
    await done(eve.call(driveApi.trash, { body: { ids: [ids['box']!] } }));
    expect(await names('cat', {}, eve)).toEqual([]);
    expect(await trash('cat')).toEqual(['one cat.txt']);
    expect((await search('cat', { place: 'trash' }, eve))[0]).toMatchObject({
      trashed: true,
      path: [{ name: 'box' }],
    });
    expect((await search('box', { place: 'trash' }, eve))[0]).toMatchObject({ trashed: true, path: [] });
    await done(eve.call(driveApi.untrash, { body: { ids: [ids['box']!] } }));
    expect(await names('cat', {}, eve)).toEqual(['one cat.txt']);
    expect(await trash('cat')).toEqual([]);
    await done(eve.call(driveApi.copy, { body: { ids: [ids['box']!], to: { parent_id: ids['to']! } } }));
    expect((await search('cat', {}, eve)).map(({ path }) => path.map(({ name }) => name).join('/'))).toEqual([
      'to/box',
      'box',
    ]);
    await done(eve.call(driveApi.move, { body: { ids: [ids['box']!], to: { parent_id: ids['to']! } } }));
    expect(
      (await search('cat', {}, eve)).map(({ path }) => path.map(({ name }) => name).join('/')).toSorted(),
    ).toEqual(['to/box', 'to/box(1)']);
    await eve.call(driveApi.remove, { params: { id: ids['to']! } });
    expect(await names('cat', {}, eve)).toEqual([]);
    expect(await names('dog', {}, eve)).toEqual(['two dog.txt']);
  });

  test('sizes, dates, stars and shares narrow a search', async () => {
    const eve = await app.signUp('eve4');
    const ids = await plant(app, eve.id, { small: 'x', large: 'x'.repeat(5000), old: 'xx', folder: {} });
    await app.database.transaction((tx) =>
      sql`update node set modified_at = ${Date.UTC(2020, 0, 1, 0, 30)} where id = ${ids['old']!}`.execute(
        tx.on(),
      ),
    );
    const found = async (q: string, more: object = {}): Promise<string[]> =>
      (await names(q, more, eve)).toSorted();
    expect(await found('>4kb')).toEqual(['large']);
    expect(await found('<1kb')).toEqual(['old', 'small']);
    expect(await found('size:2..4096')).toEqual(['old']);
    expect(await found('before:2021')).toEqual(['old']);
    expect(await found('after:2020-01-01 before:2020-01-02')).toEqual(['old']);
    expect(await found('before:2020-01-01', { time_zone: 'America/New_York' })).toEqual(['old']);
    expect(await found('before:2020-01-01', { time_zone: 'Asia/Tokyo' })).toEqual([]);
    expect(await found('modified:today')).toEqual(['folder', 'large', 'small']);
    expect(await found('modified:today', { time_zone: 'no such zone' })).toEqual([
      'folder',
      'large',
      'small',
    ]);
    expect(await found('modified:week l')).toEqual(['folder', 'large', 'small']);
    expect(await found('type:folder')).toEqual(['folder']);
    await eve.call(driveApi.star, { body: { ids: [ids['old']!] } });
    expect(await found('is:starred')).toEqual(['old']);
    expect(await found('is:starred x')).toEqual([]);
    expect(await found('is:shared')).toEqual([]);
  });

  test('tokens of other searches are refused, and any text is a search', async () => {
    const { next_page_token: token } = await ann.call(driveApi.search, { query: { q: 'txt', limit: 1 } });
    expect(token).not.toBe('');
    await expect(names('jpg', { page_token: token })).rejects.toMatchObject({ id: 'invalid_argument' });
    for (const odd of [
      "'; drop table node; --",
      '\u0000',
      '\ud800',
      '%25',
      '"'.repeat(50),
      'in:/',
      'ext:"',
      '٪',
    ])
      await names(odd);
    await expect(names('x'.repeat(2001))).rejects.toMatchObject({ id: 'invalid_argument' });
  });
});
