import { ApiFailure, labelText, LIMITS, type Pin } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import { FOLDER } from '../drive.ts';
import type { Nodes } from '../node/index.ts';
import type { AnnotationStore } from './annotation-store.ts';
import type { PinStore } from './pin-store.ts';

/** Pinned folders of members. Their changes hold the lock of the account's pins; the tree stays as it is. */
export interface Pins {
  /** Lists those that aren't in the trash. */
  list(account: string): Promise<Pin[]>;
  /** Throws `file_not_found`, `pin_limit`. */
  add(account: string, id: string, name: string): Promise<void>;
  /** Throws `file_not_found`. */
  rename(account: string, id: string, name: string): Promise<void>;
  remove(account: string, id: string): Promise<void>;
  /** Pins that aren't among the ids follow them. */
  order(account: string, ids: readonly string[]): Promise<void>;
}

function checked(name: string): string {
  if (name.trim() === '') return '';
  const label = labelText(name, LIMITS.pinNameMax);
  if (label === undefined) throw new ApiFailure('invalid_argument', { field: 'name' });
  return label;
}

export function createPins({
  database,
  store,
  annotations,
  nodes,
}: {
  database: Database;
  store: PinStore;
  annotations: Pick<AnnotationStore, 'of'>;
  nodes: Pick<Nodes, 'find' | 'findMany' | 'lock'>;
}): Pins {
  return {
    async list(account) {
      const rows = await store.list(database, account);
      if (rows.length === 0) return [];
      const ids = rows.map(({ node }) => node);
      const live = new Map((await nodes.findMany(database, account, ids)).map((node) => [node.id, node]));
      const looks = await annotations.of(database, account, ids);
      return rows.flatMap(({ node: id, name }) => {
        const node = live.get(id);
        if (!node) return [];
        return {
          id,
          name,
          folder_name: node.name,
          parent_id: node.parent === account ? '' : node.parent,
          folder_color: looks.get(id)?.color ?? '',
          folder_emoji: looks.get(id)?.emoji ?? '',
        };
      });
    },

    add: (account, id, name) =>
      database.transaction(async (tx) => {
        const label = checked(name);
        // A folder that is being deleted must not be pinned afterwards.
        await nodes.lock(tx, account);
        const node = await nodes.find(tx, account, id);
        if (node?.kind !== FOLDER) throw new ApiFailure('file_not_found');
        const pins = await store.list(tx, account);
        if (pins.some((pin) => pin.node === id)) return;
        if (pins.length >= LIMITS.pins) throw new ApiFailure('pin_limit', { limit: String(LIMITS.pins) });
        await store.insert(tx, account, { node: id, name: label });
      }),

    rename: (account, id, name) =>
      database.transaction(async (tx) => {
        if (!(await store.rename(tx, account, id, checked(name)))) throw new ApiFailure('file_not_found');
      }),

    remove: (account, id) => database.transaction((tx) => store.remove(tx, account, id)),

    order: (account, ids) =>
      database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        const known = (await store.list(tx, account)).map(({ node }) => node);
        const first = [...new Set(ids)].filter((id) => known.includes(id));
        await store.place(tx, account, [...first, ...known.filter((id) => !first.includes(id))]);
      }),
  };
}
