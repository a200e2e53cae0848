import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '@bowerbird/contract';
import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import { FILE, FOLDER, type ListOrder, type NodeRow, type ShownNode } from '../drive.ts';
import { compareKeys, type ListPage, type Lists } from './list-service.ts';
import { sortColumns } from './list-store.ts';
import type { Nodes } from './node-service.ts';

type Keep = (row: ShownNode) => boolean;

/** Finds nodes to select. */
export interface Selecting {
  /** Returns the live ones among the nodes that are to be kept, sorted as lists are. */
  among(account: string, ids: readonly string[], order: ListOrder, keep: Keep): Promise<NodeRow[]>;
  /** Returns a page of the nodes of a folder that are to be kept. */
  inFolder(
    folder: string,
    order: ListOrder,
    keep: Keep,
    place: KeysetPosition | undefined,
  ): Promise<ListPage<ShownNode>>;
}

/** Number of nodes that are read before others get a turn. */
const SLICE = 1000;

export function createSelecting({
  database,
  nodes,
  lists,
}: {
  database: Database;
  nodes: Nodes;
  lists: Lists;
}): Selecting {
  return {
    async among(account, ids, order, keep) {
      const rows: NodeRow[] = [];
      const wanted = [...new Set(ids)];
      for (let at = 0; at < wanted.length; at += SLICE) {
        rows.push(...(await nodes.findMany(database, account, wanted.slice(at, at + SLICE))).filter(keep));
        await yieldToEventLoop();
      }
      const columns = sortColumns({ folder: account }, order.key);
      const keys = new Map(rows.map((row) => [row.id, columns.map((column) => row[column]!)]));
      const turn = order.descending ? -1 : 1;
      return rows.toSorted((a, b) =>
        order.foldersFirst && a.kind !== b.kind
          ? a.kind - b.kind
          : turn * compareKeys(keys.get(a.id)!, keys.get(b.id)!),
      );
    },

    inFolder: (folder, order, keep, place) =>
      lists.shownPage(
        database,
        {
          area: { folder },
          order,
          kinds: [FOLDER, FILE],
          trashed: [false],
          keep: (rows) => rows.filter(keep),
        },
        { limit: LIMITS.renames, place },
      ),
  };
}
