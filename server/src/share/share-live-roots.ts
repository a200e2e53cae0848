import type { Database, Sql } from '../foundation/database/index.ts';
import { createWeightedCache } from '../foundation/index.ts';
import type { NodeRow, Nodes } from '../drive/index.ts';
import type { ShareStore } from './share-store.ts';
import type { ShareRow } from './share.ts';

/** Live roots of a share, and the version of its owner’s tree that they were read after. */
export interface LiveRoots {
  readonly treeVersion: number;
  /** In the order in which they were shared; the same array as long as the tree doesn't change. */
  readonly roots: readonly NodeRow[];
}

/** Number of roots that are remembered, of all shares. A share itself counts as one. */
const ROOTS_KEPT = 3000;

/**
 * Reads the live roots of shares. They are remembered with the version of the tree, which every change raises before it
 * is committed: as long as the version is the same, reading them again would return the same rows.
 */
export function createLiveRoots({
  database,
  store,
  nodes,
}: {
  database: Database;
  store: ShareStore;
  nodes: Pick<Nodes, 'version' | 'findMany'>;
}): (sql: Sql, share: ShareRow) => Promise<LiveRoots> {
  const kept = createWeightedCache<LiveRoots>({
    most: ROOTS_KEPT,
    weightOf: ({ roots }) => roots.length + 1,
  });

  return async (sql, { id, account }) => {
    const treeVersion = await nodes.version(sql, account);
    // A transaction sees changes that may still be undone, and another one may get the same version later.
    const isCommitted = sql === database && !database.isJoined;
    const known = isCommitted ? kept.get(id) : undefined;
    if (known?.treeVersion === treeVersion) return known;
    const live = { treeVersion, roots: await nodes.findMany(sql, account, await store.roots(sql, id)) };
    if (isCommitted) kept.set(id, live);
    return live;
  };
}
