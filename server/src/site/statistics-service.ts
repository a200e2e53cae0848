import type { Happening } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import { createWriteBuffer, type Clock, type Log } from '../foundation/index.ts';
import { statisticsStore as store, type Count } from './statistics-store.ts';

/** Counts events on the pages, without a trace of the visitor. */
export interface Statistics {
  happened(name: Happening, detail: string): void;
  /** Returns the counts of the last days, today's first. */
  of(days: number): Promise<Count[]>;
  /** Writes the buffered counts. */
  flush(): Promise<void>;
}

const WRITE_EVERY_MS = 3000;
/**
 * Maximum number of details per event and day; further ones, usually made up by abusers, count as `other`.
 */
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
  const buffer = createWriteBuffer<Count>({
    mostKeys: 10 * MOST_DETAILS,
    everyMs: WRITE_EVERY_MS,
    sum: (one, other) => ({ ...one, count: one.count + other.count }),
    write: (counts) => database.transaction((tx) => write(tx, counts.values())),
    failed: (error) => log.warn({ err: error }, 'could not write page event counts'),
  });

  return {
    happened(name, detail) {
      if (!isOn) return;
      const day = dayOf(clock.now());
      const key = `${day} ${name} ${detail}`;
      buffer.add(key, { day, name, detail, count: 1 });
    },

    async of(days) {
      await buffer.flush();
      return store.since(database, dayOf(clock.now() - (days - 1) * DAY_MS));
    },

    flush: buffer.flush,
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
