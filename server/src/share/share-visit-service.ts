import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../foundation/database/index.ts';
import type { Caller } from '../foundation/http/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { ShareStore } from './share-store.ts';
import type { ShareRow } from './share.ts';

type Visit = 'view' | 'download';

/**
 * Counts who looked and who downloaded, once per visitor and day. Counting costs a request nothing: it is gathered in
 * memory and written every few seconds; what a killed process had gathered is lost, which statistics can bear.
 */
export interface Visits {
  count(
    what: Visit,
    share: Pick<ShareRow, 'id' | 'account'>,
    caller: Pick<Caller, 'viewer' | 'deviceId' | 'address'>,
  ): void;
  flush(): Promise<void>;
}

const FLUSH_MS = 5000;
const DAY_MS = 24 * 3600 * 1000;
/** Visitors remembered in a day; beyond that the day begins anew rather than the memory growing. */
const SEEN_MOST = 200_000;

export function createVisits({
  database,
  store,
  clock,
  log,
}: {
  database: Database;
  store: ShareStore;
  clock: Clock;
  log: Log;
}): Visits {
  let day = 0;
  let seen = new Set<string>();
  let gathered = new Map<string, { view: number; download: number }>();
  let waiting = false;

  async function flush(): Promise<void> {
    const counts = gathered;
    gathered = new Map();
    if (counts.size === 0) return;
    await database.transaction(async (tx) => {
      // One order for all processes, so that none waits for another in a ring.
      for (const id of [...counts.keys()].toSorted())
        await store.addVisits(tx, id, counts.get(id)!.view, counts.get(id)!.download);
    });
  }

  async function flushSoon(): Promise<void> {
    if (waiting) return;
    waiting = true;
    await sleep(FLUSH_MS, undefined, { ref: false });
    waiting = false;
    await flush().catch((error: unknown) =>
      log.warn({ err: error }, 'visits of shares could not be counted'),
    );
  }

  return {
    flush,
    count(what, share, { viewer, deviceId, address }) {
      if (viewer?.account === share.account) return;
      const today = Math.floor(clock.now() / DAY_MS);
      if (today !== day || seen.size >= SEEN_MOST) seen = new Set();
      day = today;
      const visit = `${what} ${share.id} ${viewer?.account ?? (deviceId || address)}`;
      if (seen.has(visit)) return;
      seen.add(visit);
      const counts = gathered.get(share.id) ?? { view: 0, download: 0 };
      counts[what] += 1;
      gathered.set(share.id, counts);
      void flushSoon();
    },
  };
}
