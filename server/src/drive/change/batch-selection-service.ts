import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Database, KeysetPosition, Tx } from '../../foundation/database/index.ts';
import { FILE, FOLDER } from '../drive.ts';
import type { ListPage, Lists, Nodes } from '../node/index.ts';
import { EVERYTHING_TRASHED, type Plan, type Selection } from './batch.ts';

/** Finds the nodes of a batch. */
export interface Selections {
  /** Returns a page of the nodes in an `all_in`, in the order of names so that pages don't overlap. */
  page(
    sql: Tx | Database,
    account: string,
    area: string,
    limit: number,
    place: KeysetPosition | undefined,
  ): Promise<ListPage>;
  /** Returns the ids of a selection, if a request can process them all. */
  idsOf(tx: Tx, account: string, selection: Selection): Promise<readonly string[] | undefined>;
  /** Returns the ids of all nodes in the area of a plan. */
  allIn(account: string, plan: Plan): Promise<string[]>;
}

export function createSelections({
  database,
  nodes,
  lists,
}: {
  database: Database;
  nodes: Nodes;
  lists: Lists;
}): Selections {
  const page = (
    sql: Tx | Database,
    account: string,
    area: string,
    limit: number,
    place: KeysetPosition | undefined,
  ): Promise<ListPage> => {
    const inTrash = area === EVERYTHING_TRASHED;
    const view = {
      area: inTrash ? { trashOf: account } : { folder: area === '' ? account : area },
      order: { key: 'name', descending: false, foldersFirst: true },
      kinds: [FOLDER, FILE],
      trashed: [inTrash],
    } as const;
    return lists.page(sql, view, { limit, place });
  };

  async function idsOf(
    tx: Tx,
    account: string,
    selection: Selection,
  ): Promise<readonly string[] | undefined> {
    if (selection.all_in === undefined) {
      const ids = selection.ids ?? [];
      if (ids.length === 0) throw new ApiFailure('invalid_argument', { field: 'ids' });
      if (ids.length > LIMITS.batch)
        throw new ApiFailure('operating_file_count_exceeded', { most: String(LIMITS.batch) });
      return ids;
    }
    const except = new Set(selection.except_ids);
    if (except.size > LIMITS.batch)
      throw new ApiFailure('operating_file_count_exceeded', { most: String(LIMITS.batch) });
    if (selection.all_in !== EVERYTHING_TRASHED) await nodes.folder(tx, account, selection.all_in);
    const { rows, next } = await page(tx, account, selection.all_in, LIMITS.batch + except.size, undefined);
    const ids = rows.map(({ id }) => id).filter((id) => !except.has(id));
    return next || ids.length > LIMITS.batch ? undefined : ids;
  }

  async function allIn(account: string, plan: Plan): Promise<string[]> {
    const ids: string[] = [];
    for (let place: KeysetPosition | undefined; ;) {
      const { rows, next } = await page(database, account, plan.area!, LIMITS.pageMax, place);
      ids.push(...rows.map(({ id }) => id));
      if (!next) return ids.filter((id) => !plan.except.includes(id));
      place = next;
      await yieldToEventLoop();
    }
  }

  return { page, idsOf, allIn };
}
