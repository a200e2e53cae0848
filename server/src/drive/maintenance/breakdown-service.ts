import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../../foundation/index.ts';
import { createFlights, createWeightedCache } from '../../foundation/index.ts';
import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import { FILE, FOLDER } from '../drive.ts';
import type { DriveStore } from '../drive-store.ts';
import type { Lists, Nodes } from '../node/index.ts';
import { createWalk, type SourceNode, type TreeCopyStore } from '../tree-copy/index.ts';
import type { VersionStore } from '../version/index.ts';
import { categoryIn, createSums, type Amount, type Breakdown } from './breakdown.ts';

/** Returns what an account's drive consists of; remembered until the drive changes. */
export type Breakdowns = (account: string) => Promise<Breakdown>;

interface Remembered {
  readonly version: number;
  readonly at: number;
  readonly nodes: number;
  readonly breakdown: Breakdown;
}

const SLICE = 1000;
/** Folders that are listed one by one. */
const LISTED = 100;
/** A drive with more nodes isn't walked again within {@link FRESH_MS}, even if it has changed. */
const LARGE = 5000;
const FRESH_MS = 10_000;
/** Rows of all remembered breakdowns together. */
const REMEMBERED = 20_000;

export function createBreakdowns({
  database,
  store,
  copyStore,
  versionStore,
  nodes,
  lists,
  clock,
}: {
  database: Database;
  store: DriveStore;
  copyStore: TreeCopyStore;
  versionStore: VersionStore;
  nodes: Nodes;
  lists: Lists;
  clock: Clock;
}): Breakdowns {
  const remembered = createWeightedCache<Remembered>({
    most: REMEMBERED,
    weightOf: ({ breakdown }) => 1 + breakdown.kinds.length + breakdown.folders.length,
  });
  const flights = createFlights<Remembered>(() => true);

  /** Iterates over nodes and everything below them, a slice at a time. */
  async function* below(
    roots: readonly SourceNode[],
  ): AsyncGenerator<readonly SourceNode[], void, undefined> {
    const walk = createWalk(copyStore, { roots, slice: SLICE });
    for (;;) {
      const rows = await walk.next(database);
      if (rows.length === 0) return;
      yield rows;
      // SQLite reads in this thread.
      await yieldToEventLoop();
    }
  }

  async function* trashed(account: string): AsyncGenerator<readonly SourceNode[], void, undefined> {
    const view = {
      area: { trashOf: account },
      order: { key: 'name', descending: false, foldersFirst: true },
      kinds: [FOLDER, FILE],
      trashed: [true],
    } as const;
    for (let place: KeysetPosition | undefined, more = true; more;) {
      const { rows, next } = await lists.page(database, view, { limit: SLICE, place });
      yield* below(
        await copyStore.byIds(
          database,
          rows.map(({ id }) => id),
        ),
      );
      place = next;
      more = next !== undefined;
    }
  }

  async function sumTrash(account: string): Promise<Amount> {
    let [bytes, files] = [0, 0];
    for await (const rows of trashed(account))
      for (const row of rows)
        if (row.kind === FILE) {
          bytes += row.size;
          files += 1;
        }
    return { bytes, files };
  }

  async function measure(account: string): Promise<Omit<Remembered, 'version'>> {
    const kinds = createSums<ReturnType<typeof categoryIn>>();
    const folders = createSums<string>();
    /** Folder at the top of the drive that contains each folder; the account stands for the top itself. */
    const topOf = new Map<string, string>([[account, account]]);
    const tops = new Set<string>();
    const top = { id: account, parent: '', kind: FOLDER, type_key: '', size: 0, quarantined_at: null };
    for await (const rows of below([top]))
      for (const { id, parent, kind, size, type_key } of rows) {
        if (id === account) continue;
        const within = topOf.get(parent) ?? account;
        if (kind === FILE) {
          kinds.add(categoryIn(type_key), size);
          folders.add(within, size);
        } else if (parent === account) {
          tops.add(id);
          topOf.set(id, id);
        } else topOf.set(id, within);
      }
    const largest = folders.largest().filter(([id]) => id !== account);
    const listed = largest.slice(0, LISTED);
    const names = new Map(
      (
        await store.byIds(
          database,
          listed.map(([id]) => id),
        )
      ).map(({ id, name }) => [id, name]),
    );
    const others = largest.slice(LISTED).map(([, amount]) => amount);
    const trash = await sumTrash(account);
    const { count, bytes } = await versionStore.total(database, account);
    return {
      at: clock.now(),
      nodes: topOf.size + kinds.largest().reduce((sum, [, { files }]) => sum + files, trash.files),
      breakdown: {
        kinds: kinds.largest().map(([category, amount]) => ({ category, ...amount })),
        folders: listed.flatMap(([id, amount]) => {
          const name = names.get(id);
          return name === undefined ? [] : [{ id, name, ...amount }];
        }),
        otherFolders: {
          folders: tops.size - listed.length,
          bytes: others.reduce((sum, { bytes }) => sum + bytes, 0),
          files: others.reduce((sum, { files }) => sum + files, 0),
        },
        root: folders.of(account),
        trash,
        versions: { bytes, files: count },
      },
    };
  }

  return async (account) => {
    const version = await nodes.version(database, account);
    const known = remembered.get(account);
    if (known) {
      const isFresh = known.nodes > LARGE && Math.abs(clock.now() - known.at) < FRESH_MS;
      if (known.version === version || isFresh) return known.breakdown;
    }
    const { breakdown } = await flights(account, async () => {
      const measured = { version, ...(await measure(account)) };
      remembered.set(account, measured);
      return measured;
    });
    return breakdown;
  };
}
