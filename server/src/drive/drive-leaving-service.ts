import { setImmediate as yielded } from 'node:timers/promises';
import { removeRows, type Database } from '../foundation/database/index.ts';
import type { Grafts } from './drive-graft-service.ts';
import type { Nodes } from './drive-node-service.ts';
import { purgePlace, type Purges } from './drive-purge-service.ts';
import type { DriveStore } from './drive-store.ts';

const SLICE = 400;

interface Parts {
  database: Database;
  store: DriveStore;
  nodes: Nodes;
  purges: Purges;
  grafts: Grafts;
}

/**
 * Takes away the whole drive of an account that goes; gives how much there was. Its roots are put away, and go from there
 * as all that is deleted for ever does: leaves first, letting go of bytes that nobody else has.
 */
export function createLeaving({ database, store, nodes, purges, grafts }: Parts) {
  /** One slice of what lies in the root or in the trash. */
  const putAway = (account: string): Promise<number> =>
    database.transaction(async (tx) => {
      await nodes.lock(tx, account);
      const ids = await store.rootsOf(tx, account, SLICE);
      await store.putAway(tx, ids, purgePlace(`leaving-${account}`));
      return ids.length;
    });

  return async (account: string, signal: AbortSignal): Promise<number> => {
    let removed = 0;
    for (let moved = SLICE; moved > 0;) {
      signal.throwIfAborted();
      moved = await putAway(account);
      removed += moved;
      await yielded();
    }
    // Also what was on its way out, or in, before.
    for (const place of await store.placesOf(database, account)) {
      const task = /^!graft\/(.+)\/$/.exec(place)?.[1];
      if (task === undefined) await purges.run({ account, place }, signal);
      else await grafts.clear(account, task, signal);
      removed += 1;
    }
    for (const table of ['graft', 'event'] as const)
      removed += await removeRows(database, table, { account }, signal);
    return removed;
  };
}
