import { driveApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  plant,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { FILE, FOLDER, type NodeRow } from '../drive.ts';

type Row = Pick<
  NodeRow,
  'id' | 'parent' | 'kind' | 'name' | 'size' | 'file_count' | 'folder_count' | 'trashed_at'
>;
const rowsOf = async (app: TestApp): Promise<Row[]> =>
  (
    await sql<Row>`select id, parent, kind, name, size, file_count, folder_count, trashed_at from node`.execute(
      app.database.on(),
    )
  ).rows;

/** Compares the sums of all folders with a plain recursive sum. Returns the number of folders. */
async function expectSums(app: TestApp): Promise<number> {
  const rows = await rowsOf(app);
  const children = Map.groupBy(
    rows.filter(({ trashed_at }) => trashed_at === null),
    ({ parent }) => parent,
  );
  const sumOf = (id: string): number[] => {
    const sum = [0, 0, 0];
    for (const child of children.get(id) ?? []) {
      const below = child.kind === FILE ? [child.size, 1, 0] : sumOf(child.id);
      for (let at = 0; at < 3; at++) sum[at]! += below[at]!;
      if (child.kind === FOLDER) sum[2]! += 1;
    }
    return sum;
  };
  const hidden = new Set<string>();
  const hide = (id: string): void => {
    hidden.add(id);
    for (const child of children.get(id) ?? []) hide(child.id);
  };
  for (const { id, parent } of rows) if (parent.startsWith('!')) hide(id);
  const folders = rows.filter(({ id, kind }) => kind === FOLDER && !hidden.has(id));
  for (const { id, name, size, file_count, folder_count } of folders)
    expect([name, size, file_count, folder_count]).toEqual([name, ...sumOf(id)]);
  return folders.length;
}

/** Random numbers from a seed. */
function chance(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (count: number): number => Math.floor(next() * count),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  };
}

eachDatabase((dialect) => {
  test('after random changes at the same time, every folder has the sums of a plain recursion', async () => {
    await using app = await openTestApp({ dialect, environment: { MEMBER_STORAGE: '1 GB' } });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, {
      a: { b: { c: { 'one.txt': '1', 'two.txt': '22' }, 'three.txt': '333' }, empty: {} },
      d: { e: { 'four.txt': '4444' }, b: { 'one.txt': '55555' } },
      'five.txt': '666666',
    });
    await plant(app, bob.id, { x: { y: { 'z.txt': 'zzzzzzz' } } });
    const random = chance(20);

    const nodeIn = async (pass: (row: Row) => boolean): Promise<NodeRow | undefined> => {
      const { rows } = await sql<{ id: string }>`select id from node where account = ${ann.id}`.execute(
        app.database.on(),
      );
      const found = await app.drive.nodes.lineage(
        app.database,
        rows.map(({ id }) => id),
      );
      const fitting = found.filter(pass).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return fitting.length === 0 ? undefined : random.of(fitting);
    };
    const any = async (): Promise<string> => (await nodeIn(() => true))?.id ?? ids['a']!;
    const folder = async (): Promise<string> =>
      random.below(5) === 0 ? '' : ((await nodeIn(({ kind }) => kind === FOLDER))?.id ?? '');
    const conflict = () => random.of(['rename', 'fail', 'skip', 'replace'] as const);
    const to = async () => ({ to: { parent_id: await folder(), conflict: conflict() } });
    const placing = async (
      place: (tx: Parameters<typeof app.drive.placements.move>[0], node: NodeRow, other: NodeRow) => unknown,
      kind?: 0 | 1,
    ): Promise<void> => {
      const [one, two] = [
        await nodeIn((row) => kind === undefined || row.kind === kind),
        await nodeIn((row) => row.kind === (kind ?? FOLDER)),
      ];
      if (!one || !two || one.id === two.id) return;
      await app.database.transaction(async (tx) => {
        await app.drive.nodes.lock(tx, ann.id);
        const [node, other] = [
          await app.drive.nodes.find(tx, ann.id, one.id),
          await app.drive.nodes.find(tx, ann.id, two.id),
        ];
        if (node && other) await place(tx, node, other);
      });
    };
    const { placements } = app.drive;
    const changes: ((member: Member) => Promise<unknown>)[] = [
      async ({ call }) =>
        call(driveApi.create, {
          body: { kind: 'drive#folder', name: `f${random.below(4)}`, parent_id: await folder() },
        }),
      async ({ call }) => call(driveApi.move, { body: { ids: [await any(), await any()], ...(await to()) } }),
      async ({ call }) => call(driveApi.move, { body: { ids: [await any()], ...(await to()) } }),
      async ({ call }) => call(driveApi.copy, { body: { ids: [await any(), await any()], ...(await to()) } }),
      async ({ call }) => call(driveApi.trash, { body: { ids: [await any(), await any()] } }),
      async ({ call }) => call(driveApi.untrash, { body: { ids: [await any(), await any()] } }),
      async ({ call }) => {
        const trashed = await nodeIn(({ trashed_at }) => trashed_at !== null);
        if (trashed) await call(driveApi.untrash, { body: { ids: [trashed.id] } });
      },
      async ({ call }) => call(driveApi.rename, { params: { id: await any() }, body: { name: 'renamed' } }),
      async ({ call }) =>
        random.below(3) === 0
          ? call(driveApi.removeMany, { body: { ids: [await any(), await any()] } })
          : undefined,
      async ({ call }) => (random.below(6) === 0 ? call(driveApi.emptyTrash, {}) : undefined),
      () =>
        placing(
          (tx, node, { blob, size }) =>
            placements.replaceContent(tx, node, { blob: blob!, size, modifiedAt: 1, by: 'upload' }),
          FILE,
        ),
      () => placing((tx, node, other) => placements.moveOnto(tx, node, other), FILE),
      () => placing((tx, node, other) => placements.move(tx, node, { parent: other.id, name: node.name })),
      () => plant(app, ann.id, { [`p${random.below(3)}`]: { q: { 'r.txt': 'r'.repeat(random.below(9)) } } }),
    ];
    let [folders, done] = [0, 0];
    for (let round = 0; round < 40; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => random.of(changes)(ann)));
      for (const outcome of outcomes)
        if (outcome.status === 'fulfilled') done += 1;
        else expect(outcome.reason).toMatchObject({ id: expect.any(String) as string });
      folders = Math.max(folders, await expectSums(app));
    }
    // The changes really changed something.
    expect(done).toBeGreaterThan(100);
    expect(folders).toBeGreaterThan(20);
    await app.jobs.drain();
    await expectSums(app);
    expect(
      (await app.drive.check({ repair: false })).filter(({ what }) => what !== 'blob-forgotten'),
    ).toEqual([]);
  }, 60_000);

  test('a large copy has the sums of its source, and so has the folder that contains it', async () => {
    await using app = await openTestApp({ dialect, environment: { MEMBER_STORAGE: '1 TB' } });
    const ann = await app.signUp('ann');
    const { d, to } = await plant(app, ann.id, { d: {}, to: {} });
    await growForest(app, ann.id, forest(app.ids, d!, 3000, { perFolder: 60 }));
    await expectSums(app);
    await ann.call(driveApi.copy, { body: { ids: [d!], to: { parent_id: to! } } });
    await app.jobs.drain();
    await expectSums(app);
    const folder = async (id: string) => {
      const { folder_size, file_count, folder_count } = await ann.call(driveApi.get, {
        params: { id },
        query: {},
      });
      return { folder_size, file_count, folder_count };
    };
    const source = await folder(d!);
    expect(await folder(to!)).toEqual({ ...source, folder_count: source.folder_count! + 1 });

    await ann.call(driveApi.removeMany, { body: { ids: [d!] } });
    await app.jobs.drain();
    expect(await expectSums(app)).toBe(source.folder_count! + 2);
  });

  test('the check finds wrong sums, and corrects them and those above', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { a: { b: { c: { 'one.txt': '1' } } }, t: { 'two.txt': '22' } });
    await ann.call(driveApi.trash, { body: { ids: [ids['t']!] } });
    await app.jobs.drain();
    await app.database.transaction((tx) =>
      sql`update node set size = size + 5, file_count = 9 where id in (${ids['a/b']!}, ${ids['t']!})`.execute(
        tx.on(),
      ),
    );
    const found = await app.drive.check({ repair: true });
    expect(found.map(({ what, id, repaired }) => [what, id, repaired])).toEqual(
      [ids['a']!, ids['a/b']!, ids['t']!].toSorted().map((id) => ['folder-size', id, true]),
    );
    await expectSums(app);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });
});
