import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Database, Sql } from '../../foundation/database/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FILE } from '../drive.ts';
import { createLineage } from '../lineage.ts';
import type { SourceNode, TreeCopyStore } from './tree-copy-store.ts';
import type { TreeCopy } from './tree-copy.ts';
import { createWalk } from './walk-service.ts';

/** The size of the trees to copy. `kept` holds their rows unless there are too many. */
export interface Counted {
  bytes: number;
  nodes: number;
  kept: SourceNode[] | undefined;
}

/** Finds and counts the nodes to copy. */
export interface TreeCopyCounts {
  /** Returns the nodes to copy without those that go with another. Throws `file_not_found` if there are none. */
  roots(sql: Sql, treeCopy: TreeCopy): Promise<SourceNode[]>;
  /** Returns all rows to copy; undefined if there are more than `most`. */
  atMost(sql: Sql, roots: readonly SourceNode[], most: number): Promise<SourceNode[] | undefined>;
  count(treeCopy: TreeCopy, roots: readonly SourceNode[], signal: AbortSignal): Promise<Counted>;
  /** Iterates over the counted rows: those that were kept, or the rows of a second walk. */
  again(roots: readonly SourceNode[], counted: Counted): AsyncGenerator<SourceNode[]>;
}

/** Files with quarantined bytes are skipped. */
const isCopied = ({ quarantined_at: quarantinedAt }: SourceNode): boolean => quarantinedAt === null;

const READ_SLICE = 2000;
/** Maximum number of rows that counting keeps in memory for the copying; about 20 MB. */
const KEPT = 120_000;

export function createTreeCopyCounts({
  database,
  store,
  copyStore,
  throwIfCancelled,
}: {
  database: Database;
  store: DriveStore;
  copyStore: TreeCopyStore;
  throwIfCancelled: (sql: Sql, task: string) => Promise<void>;
}): TreeCopyCounts {
  const walkOf = (roots: readonly SourceNode[], slice: number) =>
    createWalk(copyStore, { roots, visible: isCopied, slice });

  return {
    async roots(sql, treeCopy) {
      const wanted = new Set(treeCopy.roots);
      const lineage = await store.lineage(sql, [...wanted]);
      const { goesWith } = createLineage(lineage);
      const known = new Set(
        lineage.filter((node) => wanted.has(node.id) && !goesWith(node, wanted)).map(({ id }) => id),
      );
      const rows = new Map((await copyStore.byIds(sql, [...known])).map((row) => [row.id, row]));
      const roots = [...wanted].flatMap((id) => rows.get(id) ?? []).filter(isCopied);
      if (roots.length === 0) throw new ApiFailure('file_not_found');
      return roots;
    },

    async atMost(sql, roots, most) {
      // Walking reads whole rows; whether there are too many is in an index.
      if (await copyStore.exceeds(sql, roots, most)) return undefined;
      const walk = walkOf(roots, most);
      const found: SourceNode[] = [];
      for (let rows = await walk.next(sql); rows.length > 0; rows = await walk.next(sql)) {
        found.push(...rows);
        if (found.length > most) return undefined;
      }
      return found;
    },

    async count(treeCopy, roots, signal) {
      const walk = walkOf(roots, READ_SLICE);
      const counted: Counted = { bytes: 0, nodes: 0, kept: [] };
      for (;;) {
        signal.throwIfAborted();
        const rows = await walk.next(database);
        if (rows.length === 0) return counted;
        for (const row of rows) if (row.kind === FILE) counted.bytes += row.size;
        counted.nodes += rows.length;
        if (counted.nodes > KEPT) counted.kept = undefined;
        counted.kept?.push(...rows);
        await throwIfCancelled(database, treeCopy.task);
        await yieldToEventLoop();
      }
    },

    async *again(roots, { kept }) {
      if (kept) return yield kept;
      const walk = walkOf(roots, READ_SLICE);
      for (let rows = await walk.next(database); rows.length > 0; rows = await walk.next(database))
        yield rows;
    },
  };
}
