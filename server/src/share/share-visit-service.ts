import type { Database } from '../foundation/database/index.ts';
import type { Caller } from '../foundation/http/index.ts';
import { createWriteBuffer, type Clock, type Log } from '../foundation/index.ts';
import type { Pushes } from '../push/index.ts';
import type { ShareStore } from './share-store.ts';
import type { ShareRow } from './share.ts';

type Visit = 'view' | 'download';

/** Counts views and downloads of shares, once per visitor and day. */
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
/**
 * Maximum number of visitors remembered per day; when exceeded they are forgotten, which limits the memory
 * used.
 */
const SEEN_MOST = 200_000;

export function createVisits({
  database,
  store,
  pushes,
  clock,
  log,
}: {
  database: Database;
  store: ShareStore;
  pushes: Pick<Pushes, 'tell'>;
  clock: Clock;
  log: Log;
}): Visits {
  let day = 0;
  let seen = new Set<string>();

  const buffer = createWriteBuffer<Readonly<Record<Visit, number>>>({
    everyMs: FLUSH_MS,
    sum: (one, other) => ({ view: one.view + other.view, download: one.download + other.download }),
    write: (counts) =>
      database.transaction(async (tx) => {
        for (const [id, { view, download }] of counts) {
          const first = await store.addVisits(tx, id, view, download);
          if (first) await pushes.tell(tx, first.account, { kind: 'share', name: first.title });
        }
      }),
    failed: (error) => log.warn({ err: error }, 'could not write share visit counts'),
  });

  return {
    flush: buffer.flush,
    count(what, share, { viewer, deviceId, address }) {
      if (viewer?.account === share.account) return;
      const today = Math.floor(clock.now() / DAY_MS);
      if (today !== day || seen.size >= SEEN_MOST) seen = new Set();
      day = today;
      const visit = `${what} ${share.id} ${viewer?.account ?? (deviceId || address)}`;
      if (seen.has(visit)) return;
      seen.add(visit);
      buffer.add(share.id, { view: 0, download: 0, [what]: 1 });
    },
  };
}
