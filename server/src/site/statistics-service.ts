import type { Happening } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import { createGathering, type Clock, type Log } from '../foundation/index.ts';
import { statisticsStore as store, type Count } from './statistics-store.ts';

/** What happens on the pages, counted without a trace of who it was. */
export interface Statistics {
  happened(name: Happening, detail: string): void;
  /** Counts of the last days, today's first. */
  of(days: number): Promise<Count[]>;
  /** Writes what is still in memory. */
  flush(): Promise<void>;
}

const GATHERED_MS = 3000;
/** More kinds of a thing in a day are somebody's game; they count as one. */
const MOST_DETAILS = 100;
const DAY_MS = 24 * 3600_000;

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

export function createStatistics({
  database,
  clock,
  log,
  isOn,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  isOn: boolean;
}): Statistics {
  const gathering = createGathering<Count>({
    mostKeys: 10 * MOST_DETAILS,
    everyMs: GATHERED_MS,
    sum: (one, other) => ({ ...one, count: one.count + other.count }),
    write: (counts) => database.transaction((tx) => write(tx, counts.values())),
    failed: (error) => log.warn({ err: error }, 'happenings could not be counted'),
  });

  return {
    happened(name, detail) {
      if (!isOn) return;
      const day = dayOf(clock.now());
      const key = `${day} ${name} ${detail}`;
      gathering.add(key, { day, name, detail, count: 1 });
    },

    async of(days) {
      await gathering.flush();
      return store.since(database, dayOf(clock.now() - (days - 1) * DAY_MS));
    },

    flush: gathering.flush,
  };
}

async function write(tx: Tx, counts: Iterable<Count>): Promise<void> {
  const known = new Map<string, Set<string>>();
  for (const count of counts) {
    const kind = `${count.day} ${count.name}`;
    if (!known.has(kind)) known.set(kind, new Set(await store.details(tx, count.day, count.name)));
    const details = known.get(kind)!;
    const fits = details.has(count.detail) || details.size < MOST_DETAILS;
    if (fits) details.add(count.detail);
    await store.add(tx, fits ? count : { ...count, detail: 'other' });
  }
}
