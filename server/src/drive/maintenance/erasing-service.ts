import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../foundation/database/index.ts';
import type { TreeCopies, TreeCopyStore } from '../tree-copy/index.ts';
import type { GrantStore } from '../access/index.ts';
import type { EventLog } from '../event/index.ts';
import type { Nodes } from '../node/index.ts';
import type { NameIndex } from '../name-index/index.ts';
import { purgePlace, type Purges } from '../trash/index.ts';
import type { AnnotationStore } from '../annotation/index.ts';
import type { VersionStore } from '../version/index.ts';
import type { DriveStore } from '../drive-store.ts';

const SLICE = 400;

interface Parts {
  database: Database;
  store: DriveStore;
  copyStore: TreeCopyStore;
  eventLog: EventLog;
  grantStore: GrantStore;
  versionStore: VersionStore;
  annotationStore: AnnotationStore;
  nodes: Nodes;
  purges: Purges;
  treeCopies: TreeCopies;
  names: NameIndex;
}

/**
 * Deletes everything in the account's drive. Returns the number of roots, places and rows removed. The drive's roots
 * are moved to a purge place and deleted from there as any permanent deletion is: leaf nodes first, releasing their
 * blobs.
 */
export function createDriveEraser(parts: Parts) {
  const {
    database,
    store,
    copyStore,
    eventLog,
    grantStore,
    versionStore,
    annotationStore,
    nodes,
    purges,
    treeCopies,
    names,
  } = parts;

  /** Moves one slice of the nodes in the root and in the trash to a purge place. Returns the number moved. */
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
      await yieldToEventLoop();
    }
    // Includes the places of purges and copies that began earlier.
    for (const place of await store.placesOf(database, account)) {
      const task = /^!graft\/(.+)\/$/.exec(place)?.[1];
      if (task === undefined) await purges.run({ account, place }, signal);
      else await treeCopies.clear(account, task, signal);
      removed += 1;
    }
    removed += await grantStore.eraseAccount(database, account, signal);
    removed += await copyStore.eraseAccount(database, account, signal);
    // Versions are deleted with their files; this is for those whose file was lost.
    removed += await versionStore.eraseAccount(database, account, signal);
    removed += await annotationStore.eraseAccount(database, account, signal);
    removed += await names.eraseAccount(account, signal);
    await database.transaction((tx) => store.eraseVersion(tx, account));
    return removed + (await eventLog.eraseAccount(database, account, signal));
  };
}
