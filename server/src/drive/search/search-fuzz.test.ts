import { driveApi, type SearchHit } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Member, type TestApp } from '../../../testing/index.ts';
import { spellingsOf } from '../name-index/index.ts';

const STEPS = 80;
const PARTS = [
  'a',
  'B',
  'ä',
  'ß',
  'é',
  ' ',
  '_',
  '.',
  '1',
  '2',
  'й',
  'ё',
  '海',
  '京',
  'カ',
  'か',
  '글',
  '😀',
  '%',
  'ه',
];

/** Numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** A node as the model knows it. */
interface Known {
  readonly id: string;
  readonly name: string;
  readonly isFolder: boolean;
}

interface Row {
  readonly id: string;
  readonly parent: string;
  readonly kind: number;
  readonly name: string;
  readonly trashed_at: number | null;
}

eachDatabase((dialect) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  afterAll(() => app.close());

  /** Reads all nodes that are in a place, from their rows. */
  async function everything(who: Member, place: 'drive' | 'trash'): Promise<Known[]> {
    const { rows } =
      await sql<Row>`select id, parent, kind, name, trashed_at from node where account = ${who.id}`.execute(
        app.database.on(),
      );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const placeOf = (row: Row): 'drive' | 'trash' | undefined => {
      for (let at: Row | undefined = row; at; at = byId.get(at.parent)) {
        if (at.trashed_at !== null) return 'trash';
        if (at.parent === who.id) return 'drive';
      }
      return undefined;
    };
    return rows
      .filter((row) => placeOf(row) === place)
      .map(({ id, name, kind }) => ({ id, name, isFolder: Number(kind) === 0 }));
  }

  const matching = (nodes: readonly Known[], words: readonly string[]): string[] =>
    nodes
      .filter(({ name }) =>
        words.every((word) =>
          spellingsOf(word).some((text) => spellingsOf(name).some((form) => form.includes(text))),
        ),
      )
      .map(({ id }) => id)
      .toSorted();

  async function search(who: Member, q: string, more: object): Promise<SearchHit[]> {
    const found: SearchHit[] = [];
    for (let token = ''; ;) {
      const page = await who.call(driveApi.search, { query: { q, page_token: token, ...more } });
      found.push(...page.files);
      token = page.next_page_token;
      if (token === '') return found;
    }
  }

  async function change(
    who: Member,
    random: (below: number) => number,
    nodes: readonly Known[],
  ): Promise<void> {
    const name = (): string =>
      `${Array.from({ length: 1 + random(6) }, () => PARTS[random(PARTS.length)]).join('')}x`;
    const one = nodes[random(Math.max(nodes.length, 1))];
    const folders = ['', ...nodes.filter(({ isFolder }) => isFolder).map(({ id }) => id)];
    const to = { parent_id: folders[random(folders.length)]! };
    const work: (() => Promise<unknown>)[] = [
      () => who.call(driveApi.create, { body: { kind: 'drive#folder', name: name(), ...to } }),
      () => plant(app, who.id, { [name()]: 'x', [name()]: { [name()]: 'x' } }),
      () => who.call(driveApi.rename, { params: { id: one!.id }, body: { name: name() } }),
      () => who.call(driveApi.move, { body: { ids: [one!.id], to } }),
      () => who.call(driveApi.copy, { body: { ids: [one!.id], to } }),
      () => who.call(driveApi.trash, { body: { ids: [one!.id] } }),
      async () => {
        const [trashed] = (
          await who.call(driveApi.list, { query: { parent_id: '*', filters: '{"trashed":{"eq":true}}' } })
        ).files;
        await who.call(driveApi.untrash, { body: { ids: [trashed!.id] } });
      },
      () => who.call(driveApi.remove, { params: { id: one!.id } }),
    ];
    // Many changes are refused, such as moving a folder into itself.
    const chosen = work[random(work.length)]!;
    await (async () => chosen())().catch(() => {});
  }

  test('after any changes, a search finds what a scan of all names finds', { timeout: 120_000 }, async () => {
    const ann = await app.signUp('ann');
    const random = randomNumbers(4242);
    for (let step = 0; step < STEPS; step++) {
      const nodes = await everything(ann, 'drive');
      if (step % 4 === 0) await Promise.all(Array.from({ length: 4 }, () => change(ann, random, nodes)));
      else await change(ann, random, nodes);
      if (step % 10 === 0) await app.jobs.drain();
      if (step % 3 > 0) continue;
      const place = random(3) === 0 ? 'trash' : 'drive';
      const now = await everything(ann, place);
      for (let query = 0; query < 3; query++) {
        const words = Array.from(
          { length: 1 + random(2) },
          () => PARTS.filter((part) => part !== ' ')[random(19)]!,
        );
        const found = await search(ann, words.join(' '), { place, limit: 1 + random(60) });
        expect(found.map(({ id }) => id).toSorted(), `${step}: ${words.join(' ')} in ${place}`).toEqual(
          matching(now, words),
        );
        for (const { name, matches } of found)
          for (const [from, to] of matches) expect(to > from && to <= name.length, name).toBe(true);
      }
    }
    await app.jobs.drain();
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });
});
