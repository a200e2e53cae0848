import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock } from '../../foundation/index.ts';
import type { Database, Tx } from '../../foundation/database/index.ts';
import { admit, checkName, freeNames, nameColumns, type Nodes } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FOLDER, type Conflict, type NodeRow } from '../drive.ts';
import { createLineage, type Lineage, type Standing } from '../lineage.ts';
import { nameFold } from '../name-key.ts';

/** Nodes to change, all verified to exist and to belong to the account, with their ancestors. */
export interface Chosen {
  readonly account: string;
  readonly standings: readonly Standing[];
  readonly lineage: Lineage;
}

/**
 * Changes of the tree. All but `rename` run in a transaction that holds the account's tree lock, over at most one
 * batch.
 */
export interface Changes {
  /** Selects the nodes, each once, without descendants of another one; throws `file_not_found` if one is missing. */
  choose(tx: Tx, account: string, ids: readonly string[]): Promise<Chosen>;
  rename(account: string, id: string, name: string): Promise<NodeRow>;
  move(tx: Tx, chosen: Chosen, to: { parent: string | undefined; conflict: Conflict }): Promise<void>;
  trash(tx: Tx, chosen: Chosen): Promise<void>;
  /** Restores to a folder, or to the folders from which the nodes came. */
  untrash(tx: Tx, chosen: Chosen, to?: string): Promise<void>;
  /** Deletes permanently. `batch` identifies the nodes that are purged together. */
  remove(tx: Tx, chosen: Chosen, batch: string): Promise<void>;
  star(account: string, ids: readonly string[], starred: boolean): Promise<void>;
}

interface ChangeDeps {
  readonly database: Database;
  readonly store: DriveStore;
  readonly nodes: Nodes;
  readonly trash: TrashCan;
  readonly purges: Purges;
  readonly sizes: FolderSizeStore;
  readonly clock: Clock;
}

export function createChanges({ database, store, nodes, trash, purges, sizes, clock }: ChangeDeps): Changes {
  const live = ({ standings }: Chosen): NodeRow[] => {
    if (standings.some(({ trashed }) => trashed)) throw new ApiFailure('file_not_found');
    return standings.map(({ node }) => node);
  };

  /**
   * Moves nodes to their new parents and names. All are taken out of the old parent first, so that no names
   * clash in between.
   */
  async function place(
    tx: Tx,
    arrivals: readonly { node: NodeRow; name: string }[],
    { parent, ...change }: { parent: string; trashed_at?: null },
  ): Promise<void> {
    const renamed = arrivals.filter(({ node, name }) => node.name !== name);
    await yieldToEventLoop();
    await store.rename(
      tx,
      renamed.map(({ node, name }) => ({ id: node.id, ...nameColumns(name, node.kind) })),
      parent,
    );
    await yieldToEventLoop();
    if (change.trashed_at === null)
      await store.updateMany(
        tx,
        renamed.map(({ node }) => node.id),
        change,
      );
    await store.updateMany(
      tx,
      arrivals.filter(({ node, name }) => node.name === name).map(({ node }) => node.id),
      { ...change, parent },
    );
  }

  return {
    async choose(tx, account, ids) {
      await nodes.lock(tx, account);
      const lineage = createLineage(await store.lineage(tx, ids));
      // A full batch takes a few turns of the event loop; the tree lock keeps the rows that were read valid.
      await yieldToEventLoop();
      const wanted = new Set(ids);
      const standings = Array.from(wanted, (id) => lineage.standing(account, id));
      if (standings.includes(undefined)) throw new ApiFailure('file_not_found');
      return {
        account,
        lineage,
        standings: (standings as Standing[]).filter(({ node }) => !lineage.goesWith(node, wanted)),
      };
    },

    async rename(account, id, name) {
      checkName(name);
      return database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        const node = await nodes.find(tx, account, id);
        if (!node) throw new ApiFailure('file_not_found');
        if (node.name === name) throw new ApiFailure('file_rename_to_same_name');
        const residents = await store.named(tx, node.parent, [nameFold(name)]);
        if (residents.some((resident) => resident.id !== id))
          throw new ApiFailure('file_duplicated_name', { name });
        await store.update(tx, id, nameColumns(name, node.kind));
        return (await store.byId(tx, id))!;
      });
    },

    async move(tx, chosen, to) {
      const { account } = chosen;
      const moving = live(chosen);
      const parent = await nodes.folder(tx, account, to.parent);
      const destination = createLineage(parent === account ? [] : await store.lineage(tx, [parent]));
      if (
        destination.isWithin(
          parent,
          new Set(moving.filter(({ kind }) => kind === FOLDER).map(({ id }) => id)),
        )
      )
        throw new ApiFailure('file_move_into_itself');
      const arriving = moving.filter((node) => node.parent !== parent);
      if (arriving.length === 0) throw new ApiFailure('file_move_or_copy_to_cur');
      const above = new Set(
        arriving.flatMap(({ id }) =>
          chosen.lineage
            .chain(id)
            .slice(0, -1)
            .map((folder) => folder.id),
        ),
      );
      const names = await admit(tx, store, arriving, {
        parent,
        conflict: to.conflict,
        above,
        putAside: (inner, ids) => trash.put(inner, account, ids),
      });
      const admitted = arriving.flatMap((node, at) =>
        names[at] === undefined ? [] : [{ node, name: names[at] }],
      );
      const moved = await sizes.of(
        tx,
        admitted.map(({ node }) => node.id),
      );
      await place(tx, admitted, { parent });
      await sizes.move(tx, moved, parent);
    },

    async trash(tx, chosen) {
      await trash.put(
        tx,
        chosen.account,
        chosen.standings.filter(({ trashed }) => !trashed).map(({ node }) => node.id),
      );
    },

    async untrash(tx, { account, standings }, to) {
      const returning = standings.filter(({ trashed }) => trashed).map(({ node }) => node);
      // Nodes trashed with a folder are restored with it, not alone.
      if (returning.some((node) => node.trashed_at === null)) throw new ApiFailure('file_not_found');
      if (to !== undefined && returning.length > 0) {
        const parent = await nodes.folder(tx, account, to);
        const names = await freeNames(tx, store, parent, returning);
        await place(
          tx,
          returning.map((node, at) => ({ node, name: names[at]! })),
          { parent, trashed_at: null },
        );
        await sizes.arrive(
          tx,
          returning.map(({ id }) => id),
        );
        return trash.changed(tx, account);
      }
      let waiting = returning;
      while (waiting.length > 0) {
        const homes = createLineage(
          await store.lineage(tx, [...new Set(waiting.map(({ parent }) => parent))]),
        );
        const others = new Set(waiting.map(({ id }) => id));
        // A folder in the same batch is restored before its children.
        const first = waiting.filter(({ parent }) => !homes.chain(parent).some(({ id }) => others.has(id)));
        const ready = new Set(first.length > 0 ? first : waiting);
        for (const [parent, group] of Map.groupBy(ready.values(), ({ parent }) =>
          homeOf(homes, account, parent),
        )) {
          const names = await freeNames(tx, store, parent, group);
          await place(
            tx,
            group.map((node, at) => ({ node, name: names[at]! })),
            { parent, trashed_at: null },
          );
          await sizes.arrive(
            tx,
            group.map(({ id }) => id),
          );
        }
        waiting = waiting.filter((node) => !ready.has(node));
      }
      if (returning.length > 0) await trash.changed(tx, account);
    },

    async remove(tx, { account, standings }, batch) {
      await purges.take(
        tx,
        account,
        standings.map(({ node }) => node.id),
        batch,
      );
      if (standings.some(({ trashed }) => trashed)) await trash.changed(tx, account);
    },

    async star(account, ids, starred) {
      await database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        const wanted = new Set(ids);
        if ((await nodes.findMany(tx, account, [...wanted])).length < wanted.size)
          throw new ApiFailure('file_not_found');
        await store.updateMany(tx, ids, { starred_at: starred ? clock.now() : null });
      });
    },
  };
}

/** Returns the parent to restore a node to: its old folder, or the root if that is deleted or trashed itself. */
function homeOf(homes: Lineage, account: string, parent: string): string {
  const home = homes.standing(account, parent);
  return home && !home.trashed && home.node.kind === FOLDER ? parent : account;
}
