import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Tx } from '../../foundation/database/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Quota } from '../../membership/index.ts';
import { movedTo, type FolderSizeStore } from '../folder-size/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { createLineage } from '../lineage.ts';
import { admit, nameColumns, type Nodes } from '../node/index.ts';
import type { TrashCan } from '../trash/index.ts';
import type { TreeCopyStore } from './tree-copy-store.ts';
import type { Built, TreeCopy, TreeCopyResult } from './tree-copy.ts';

/** Moves the copies into their folder and charges them. `reserved` is the quota that was set aside for them. */
export type AttachTreeCopy = (
  tx: Tx,
  treeCopy: TreeCopy,
  built: readonly Built[],
  reserved: number,
) => Promise<TreeCopyResult>;

export function createTreeCopyAttachment({
  store,
  copyStore,
  nodes,
  trash,
  sizes,
  quota,
  jobs,
}: {
  store: DriveStore;
  copyStore: TreeCopyStore;
  nodes: Nodes;
  trash: TrashCan;
  sizes: FolderSizeStore;
  quota: Quota;
  jobs: Jobs;
}): AttachTreeCopy {
  return async function attach(
    tx: Tx,
    treeCopy: TreeCopy,
    built: readonly Built[],
    reserved: number,
  ): Promise<TreeCopyResult> {
    const { account, task } = treeCopy;
    await nodes.lock(tx, account);
    const parent = await nodes.folder(tx, account, treeCopy.parent);
    const rows = await store.byIds(
      tx,
      built.map(({ copy }) => copy),
    );
    const copies = new Map(rows.map((row) => [row.id, row]));
    const wantedNames = new Map(rows.map(({ id, name }) => [id, treeCopy.name ?? name]));
    const arriving = built.filter(({ copy }) => copies.has(copy));
    const sources = createLineage(
      treeCopy.conflict === 'replace'
        ? await store.lineage(
            tx,
            arriving.map(({ source }) => source),
          )
        : [],
    );
    const above = new Set(arriving.flatMap(({ source }) => sources.chain(source).map(({ id }) => id)));
    const putAside = (inner: Tx, nodeIds: readonly string[]): Promise<void> =>
      trash.put(inner, account, nodeIds);
    const names = await admit(
      tx,
      store,
      arriving.map(({ copy }) => ({ ...copies.get(copy)!, name: wantedNames.get(copy)! })),
      { parent, conflict: treeCopy.conflict, above, putAside },
    );
    const admitted = arriving.filter((_, at) => names[at] !== undefined);
    await yieldToEventLoop();
    const named = arriving.flatMap(({ copy }, at) =>
      names[at] === undefined ? [] : [{ row: copies.get(copy)!, name: names[at] }],
    );
    await store.rename(
      tx,
      named
        .filter(({ row, name }) => row.name !== name)
        .map(({ row, name }) => ({ id: row.id, ...nameColumns(name, row.kind) })),
      parent,
    );
    await yieldToEventLoop();
    await copyStore.attach(
      tx,
      named.filter(({ row, name }) => row.name === name).map(({ row }) => row.id),
      parent,
    );
    if (admitted.length < built.length) await jobs.enqueue(tx, 'clear-graft', { account, task });
    const copied = movedTo(
      parent,
      admitted.map(({ bytes: b, nodes: n, files }) => ({ parent, bytes: b, files, folders: n - files })),
    );
    await sizes.add(tx, [copied]);
    const { bytes } = copied;
    await quota.charge(tx, account, bytes, {
      reason: treeCopy.reason,
      reference: task,
      fromReserved: reserved,
    });
    return {
      made: new Map(admitted.map(({ source, copy }) => [source, copy])),
      bytes,
      nodes: admitted.reduce((sum, root) => sum + root.nodes, 0),
    };
  };
}
