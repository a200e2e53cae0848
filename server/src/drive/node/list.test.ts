import { driveApi, type File, type InputOf } from '@bowerbird/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { compareBytes, nameKey, typeKey } from '../name-key.ts';

type Query = InputOf<typeof driveApi.list>['query'];

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
    ann = await app.signUp('ann');
  });
  afterAll(() => app.close());

  const list = (query: Query, member = ann) => member.call(driveApi.list, { query });
  const folder = async (name: string, parent = ''): Promise<string> =>
    (await ann.call(driveApi.create, { body: { kind: 'drive#folder', name, parent_id: parent } })).file!.id;

  /** Reads all pages of a list; fails on an empty page that announces more. */
  async function all(query: Query): Promise<File[]> {
    const files: File[] = [];
    for (let token = ''; ;) {
      const page = await list({ ...query, page_token: token });
      files.push(...page.files);
      if (page.next_page_token === '') return files;
      expect(page.files.length).toBeGreaterThan(0);
      expect(page.next_page_token).not.toBe(token);
      token = page.next_page_token;
    }
  }

  describe('a folder of files and folders', () => {
    let parent: string;
    const names = [
      'b 10.txt',
      'B 2.txt',
      'a.png',
      'Ä.mp4',
      'é.txt',
      '日本.pdf',
      '\u{1f600}.png',
      '\u{ff5a}.txt',
      'no extension',
      '.hidden',
      'x.tar.gz',
      '%41+#?.txt',
      '<script>.html',
      'ﬁ.md',
    ];
    beforeAll(async () => {
      parent = await folder('sorted');
      const saplings = names.flatMap((name, at) => [
        {
          id: app.ids.next(),
          parent,
          kind: 1 as const,
          name,
          size: 1000 - at * 7,
          modifiedAt: 1_700_000_000_000 + ((at * 37) % 11) * 1000,
        },
        {
          id: app.ids.next(),
          parent,
          kind: 0 as const,
          name: `dir ${name}`,
          modifiedAt: 1_700_000_000_000 + ((at * 53) % 7) * 1000,
        },
      ]);
      await growForest(app, ann.id, saplings);
    });

    const keyOf = (file: File, key: string): string | number =>
      key === 'size'
        ? Number(file.size)
        : key === 'modified'
          ? Date.parse(file.modified_time)
          : key === 'type'
            ? typeKey(file.name, file.kind === 'drive#folder' ? 0 : 1)
            : nameKey(file.name);
    const compare = (a: string | number, b: string | number): number =>
      typeof a === 'number' ? a - Number(b) : compareBytes(a, String(b));

    test.each(
      ['name', 'type', 'modified', 'size'].flatMap((key) =>
        ['asc', 'desc'].flatMap((way) => [true, false].map((first) => [key, way, first] as const)),
      ),
    )('is sorted by %s %s, folders first %s, in pages of every size', async (key, way, first) => {
      const order = `${key === 'modified' ? 'mod' : key}_${way}`;
      const files = await all({ parent_id: parent, order, folders_first: String(first), limit: 5 });
      expect(new Set(files.map(({ id }) => id)).size).toBe(names.length * 2);
      const place = (file: File): number => (first && file.kind === 'drive#folder' ? 0 : 1);
      for (let at = 1; at < files.length; at++) {
        const [one, two] = [files[at - 1]!, files[at]!];
        const sign = way === 'asc' ? 1 : -1;
        expect(
          place(one) - place(two) || sign * compare(keyOf(one, key), keyOf(two, key)),
        ).toBeLessThanOrEqual(0);
      }
      for (const limit of [9, 1000])
        expect(
          (await all({ parent_id: parent, order, folders_first: String(first), limit })).map(({ id }) => id),
        ).toEqual(files.map(({ id }) => id));
    });

    test('can be filtered by kind, type and time, and is counted on request', async () => {
      const folders = await list({
        parent_id: parent,
        filters: '{"kind":{"eq":"drive#folder"}, "trashed":{"eq":false}}',
        with_total: 'true',
        limit: 3,
      });
      expect(folders).toMatchObject({
        total: String(names.length),
        files: [{ kind: 'drive#folder' }, { kind: 'drive#folder' }, { kind: 'drive#folder' }],
      });
      const pictures = await all({
        parent_id: parent,
        filters: '{"mime_type":{"prefix":"image/"}}',
        limit: 1,
      });
      expect(pictures.map(({ name }) => name).toSorted()).toEqual(['a.png', '\u{1f600}.png']);
      expect(
        (await list({ parent_id: parent, filters: '{"phase":{"eq":"PHASE_TYPE_PENDING"}}' })).files,
      ).toEqual([]);
      expect(
        await all({
          parent_id: parent,
          filters: '{"phase":{"in":"PHASE_TYPE_PENDING,PHASE_TYPE_COMPLETE"}}',
        }),
      ).toHaveLength(names.length * 2);
      const late = await all({
        parent_id: parent,
        filters: JSON.stringify({
          modified_time: { gt: '2023-11-14T22:13:26+00:00' },
          kind: { eq: 'drive#file' },
        }),
      });
      expect(late.every((file) => Date.parse(file.modified_time) > Date.parse('2023-11-14T22:13:26Z'))).toBe(
        true,
      );
      expect(late.length).toBeGreaterThan(0);
    });

    test('rejects unknown filters and orders', async () => {
      for (const filters of [
        '{"name":{"eq":"a"}}',
        '{"kind":{"in":"drive#file"}}',
        '{"kind":{"eq":"x"}}',
        '[]',
        '{',
        'null',
        '{"trashed":true}',
        '{"trashed":{"eq":1}}',
        '{"modified_time":{"gt":"soon"}}',
        '{"__proto__":{"eq":1}}',
      ])
        await expect(list({ parent_id: parent, filters }), filters).rejects.toMatchObject({
          id: 'invalid_argument',
        });
      await expect(list({ parent_id: parent, order: 'color' })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
      await expect(list({ parent_id: '*' })).rejects.toMatchObject({ id: 'invalid_argument' });
      await expect(list({ parent_id: 'VNOBODY' })).rejects.toMatchObject({ id: 'file_not_found' });
    });

    test('rejects a page token of another list', async () => {
      const { next_page_token: token } = await list({ parent_id: parent, limit: 1 });
      await expect(list({ parent_id: '', page_token: token, limit: 1 })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
      await expect(list({ parent_id: parent, page_token: token, order: 'name_asc' })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
      await expect(list({ parent_id: parent, page_token: `${token}x` })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
      await expect(list({ parent_id: parent, page_token: 'x' })).rejects.toMatchObject({
        id: 'invalid_argument',
      });
    });

    test('returns names byte for byte', async () => {
      expect(
        (await all({ parent_id: parent, filters: '{"kind":{"eq":"drive#file"}}' }))
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(names.toSorted());
    });
  });

  test('paging has no duplicates or gaps while rows are added and deleted', async () => {
    const parent = await folder('moving');
    await growForest(
      app,
      ann.id,
      Array.from({ length: 40 }, (_, at) => ({
        id: app.ids.next(),
        parent,
        kind: 1 as const,
        name: `n ${at * 2}`,
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
        const stay = (await all({ parent_id: parent, order: 'name_asc' })).map(({ id }) => id);
        const first = await list({ parent_id: parent, order: 'name_asc', limit });
        const coming = await folder(`n ${first.files.length * 2 - 1} in between`, parent);
        await ann.call(driveApi.remove, { params: { id: first.files.at(-1)!.id } });
        const rest: string[] = [];
        for (let token = first.next_page_token; token !== '';) {
          const page = await list({ parent_id: parent, order: 'name_asc', limit, page_token: token });
          rest.push(...page.files.map(({ id }) => id));
          token = page.next_page_token;
        }
        expect([...first.files.map(({ id }) => id), ...rest].filter((id) => id !== coming)).toEqual(
          stay.filter((id) => id !== coming),
        );
        await ann.call(driveApi.remove, { params: { id: coming } });
      }),
      { numRuns: 4 },
    );
  });

  test('without a filter for the trash a folder lists live and trashed files, as older clients expect', async () => {
    const parent = await folder('both');
    const [live, gone] = [await folder('live', parent), await folder('gone', parent)];
    await ann.call(driveApi.trash, { body: { ids: [gone] } });
    const ids = async (filters?: string) =>
      (await all({ parent_id: parent, limit: 1, ...(filters ? { filters } : {}) }))
        .map(({ id }) => id)
        .toSorted();
    expect(await ids()).toEqual([live, gone].toSorted());
    expect(await ids('{"trashed":{"eq":false}}')).toEqual([live]);
    expect(await ids('{"trashed":{"eq":true}}')).toEqual([gone]);
    const [shown] = (await list({ parent_id: '*', filters: '{"trashed":{"eq":true}}' })).files;
    expect(shown).toMatchObject({ id: gone, trashed: true, parent_id: parent });
    expect(Date.parse(shown!.delete_time)).toBeGreaterThan(Date.now());
  });

  test('the starred list contains starred files from everywhere but the trash, even below a trashed folder', async () => {
    const parent = await folder('stars');
    const inner = await folder('inner', parent);
    const [one, two] = [await folder('one', parent), await folder('two', inner)];
    await ann.call(driveApi.star, { body: { ids: [one, two] } });
    const starred = async () =>
      (
        await all({
          parent_id: '*',
          filters: '{"system_tag":{"in":"STAR"},"trashed":{"eq":false}}',
          limit: 1,
        })
      ).map(({ id }) => id);
    expect(await starred()).toEqual([two, one]);
    await ann.call(driveApi.trash, { body: { ids: [inner] } });
    expect(await starred()).toEqual([one]);
    await ann.call(driveApi.unstar, { body: { ids: [one] } });
    expect(await starred()).toEqual([]);
    await expect(ann.call(driveApi.star, { body: { ids: [one, 'VX'] } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('nobody can list, open or star another member’s files', async () => {
    const bob = await app.signUp(`bob-${dialect}`);
    const secret = await folder('secret');
    await expect(list({ parent_id: secret }, bob)).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(bob.call(driveApi.get, { params: { id: secret }, query: {} })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(bob.call(driveApi.ancestors, { params: { id: secret } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(bob.call(driveApi.star, { body: { ids: [secret] } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    expect((await list({}, bob)).files).toEqual([]);
  });

  test('a live and a trashed item with the same name are each listed once, on pages of any size', async () => {
    const parent = await folder('same names');
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const trashed = await folder(name, parent);
      await ann.call(driveApi.trash, { body: { ids: [trashed] } });
      made.push(trashed, await folder(name, parent));
    }
    for (const order of ['name_asc', 'name_desc', 'type_asc', 'type_desc', 'mod_asc', 'size_desc'])
      for (const limit of [1, 2, 3, 10]) {
        const files = await all({ parent_id: parent, order, limit });
        expect(files.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
      }
  });

  test('every sort order of a large folder, and of the trash, uses an index range', async () => {
    const parent = await folder('large');
    await growForest(app, ann.id, forest(app.ids, parent, 3000, { perFolder: 3000, depth: 1 }));
    if (dialect !== 'sqlite') return;
    for (const [columns, where] of [
      ['name_key', 'parent'],
      ['type_key, name_key', 'parent'],
      ['modified_at, id', 'parent'],
      ['size, id', 'parent'],
      ['name_key, id', 'account'],
      ['type_key, name_key, id', 'account'],
      ['trashed_at, id', 'account'],
      ['size, id', 'account'],
    ] as const) {
      const state = where === 'parent' ? 'is null' : 'is not null';
      const plan = await sql<{
        detail: string;
      }>`explain query plan select * from node where ${sql.ref(where)} = 'x' and kind = 1 and trashed_at ${sql.raw(state)} and (${sql.raw(columns)}) > (${sql.raw(
        columns
          .split(', ')
          .map(() => '1')
          .join(', '),
      )}) order by ${sql.raw(columns)} limit 5`.execute(app.database.on());
      const text = plan.rows.map(({ detail }) => detail).join('; ');
      expect(text).toMatch(/SEARCH node USING INDEX/);
      expect(text).not.toMatch(/TEMP B-TREE/);
    }
  });
});
