import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createFlights, createWeightedCache, type Clock } from '../../foundation/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import { FOLDER } from '../drive.ts';
import type { Nodes } from '../node/index.ts';
import { createWalk } from '../tree-copy/index.ts';
import { categoryIn, createRanking, createSums, gainOf, type Duplicates, type Ranked } from './usage.ts';
import type { SurveyedNode, UsageStore } from './usage-store.ts';

/** Sums and lists of all live nodes of an account, which were read once. */
export interface Survey {
  readonly kinds: ReturnType<ReturnType<typeof createSums<ReturnType<typeof categoryIn>>>['largest']>;
  readonly largest: readonly Ranked[];
  readonly oldest: readonly Ranked[];
  /** Folders without any file below them; not those inside another one of them. */
  readonly emptyFolders: readonly Ranked[];
  /** Contents of several files, the one that would free the most first. */
  readonly duplicates: readonly Duplicates[];
}

/** Returns the survey of an account's drive; remembered until the drive changes. */
export type Surveys = (account: string) => Promise<Survey>;

interface Remembered {
  readonly version: number;
  readonly at: number;
  readonly nodes: number;
  readonly survey: Survey;
}

const SLICE = 1000;
/** Nodes in each list. */
const LISTED = 1000;
const MOST_GROUPS = 5000;
/** A drive with more nodes isn't read again within {@link FRESH_MS}, even if it has changed. */
const LARGE = 5000;
const FRESH_MS = 10_000;
/** Rows of all remembered surveys together. */
const REMEMBERED = 50_000;

export function createSurveys({
  database,
  usageStore,
  nodes,
  clock,
}: {
  database: Database;
  usageStore: UsageStore;
  nodes: Nodes;
  clock: Clock;
}): Surveys {
  const remembered = createWeightedCache<Remembered>({
    most: REMEMBERED,
    weightOf: ({ survey: { kinds, largest, oldest, emptyFolders, duplicates } }) =>
      1 + kinds.length + largest.length + oldest.length + emptyFolders.length + duplicates.length,
  });
  const flights = createFlights<Remembered>(() => true);

  async function survey(account: string): Promise<Omit<Remembered, 'version'>> {
    const kinds = createSums<ReturnType<typeof categoryIn>>();
    const [largest, oldest, empty] = [createRanking(LISTED), createRanking(LISTED), createRanking(LISTED)];
    const emptyFolders = new Set<string>();
    const counts = new Map<number, number>();
    const repeated = new Map<number, Duplicates>();
    let count = 0;

    const lookAt = ({ id, parent, kind, type_key, size, file_count, modified_at, blob }: SurveyedNode) => {
      count += 1;
      if (kind === FOLDER) {
        if (file_count > 0) return;
        emptyFolders.add(id);
        if (!emptyFolders.has(parent)) empty.add(id, 0);
        return;
      }
      kinds.add(categoryIn(type_key), size);
      largest.add(id, size);
      oldest.add(id, -modified_at);
      if (blob === null || size === 0) return;
      const copies = (counts.get(blob) ?? 0) + 1;
      counts.set(blob, copies);
      if (copies > 1) repeated.set(blob, { blob, size, count: copies });
    };

    const top: SurveyedNode = {
      id: account,
      parent: '',
      kind: FOLDER,
      type_key: '',
      size: 0,
      file_count: 1,
      modified_at: 0,
      blob: null,
    };
    const walk = createWalk(usageStore, { roots: [top], slice: SLICE });
    for (;;) {
      const rows = await walk.next(database);
      if (rows.length === 0) break;
      for (const row of rows) if (row.id !== account) lookAt(row);
      // SQLite reads in this thread.
      await yieldToEventLoop();
    }
    return {
      at: clock.now(),
      nodes: count,
      survey: {
        kinds: kinds.largest(),
        largest: largest.all(),
        oldest: oldest.all(),
        emptyFolders: empty.all(),
        duplicates: [...repeated.values()]
          .toSorted((a, b) => gainOf(b) - gainOf(a) || a.blob - b.blob)
          .slice(0, MOST_GROUPS),
      },
    };
  }

  return async (account) => {
    const version = await nodes.version(database, account);
    const known = remembered.get(account);
    if (known) {
      const isFresh = known.nodes > LARGE && Math.abs(clock.now() - known.at) < FRESH_MS;
      if (known.version === version || isFresh) return known.survey;
    }
    const found = await flights(account, async () => {
      const made = { version, ...(await survey(account)) };
      remembered.set(account, made);
      return made;
    });
    return found.survey;
  };
}
