import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, isErrorId } from '@bowerbird/contract';
import { FILE, type Drive, type NodeRow } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { isFinished, type Tasks } from '../task/index.ts';
import type { Locks } from './dav-lock-service.ts';
import type { Properties } from './dav-property-service.ts';
import { conditionFailed, folderMissing, forbidden, notThere } from './dav-refusal.ts';
import type { Resources } from './dav-resource-service.ts';
import { checkName, type LockedChange, type LockedChanges } from './dav-locked-change-service.ts';
import type { DavRequest, Resource } from './dav.ts';

export interface CopyMove {
  readonly to: readonly string[];
  readonly overwrite: boolean;
  /** Copies a folder without its contents. Ignored by moves. */
  readonly shallow: boolean;
}

/** Copies and moves from one path to another. */
export interface CopyMoves {
  /** Returns true if the destination is new. Large copies are made by a job, for which the request waits. */
  copy(asking: DavRequest, transfer: CopyMove): Promise<boolean>;
  move(asking: DavRequest, transfer: CopyMove): Promise<boolean>;
}

interface Parts {
  readonly database: Database;
  readonly drive: Drive;
  readonly lockedChanges: LockedChanges;
  readonly resources: Resources;
  readonly locks: Locks;
  readonly properties: Properties;
  readonly tasks: Tasks;
  /** Aborted when the process is about to end: waiting for jobs stops, as they continue elsewhere or later. */
  readonly closing: AbortSignal;
}

const LOOK_AGAIN_MS = 150;

export function createCopyMoves(parts: Parts): CopyMoves {
  const { database, drive, lockedChanges, resources, locks, properties, tasks, closing } = parts;
  const { nodes, placements } = drive;

  /** Returns the destination of a copy or move. Throws if it is invalid or locked. */
  async function destination(
    { tx, asking, found, demand, demandAll }: LockedChange,
    { to, overwrite }: CopyMove,
  ): Promise<{ source: Resource & { node: NodeRow }; there: Resource | undefined; folder: Resource }> {
    const source = found.resource;
    if (!source) throw notThere();
    if (!source.node) throw forbidden('The drive itself stays where it is.');
    const { resource: there, parent: folder } = await resources.find(tx, asking.account, to);
    if (to.length === 0) throw forbidden('Nothing can take the place of the drive itself.');
    if (!folder) throw folderMissing();
    checkName(to);
    if (there && source.chain.slice(0, -1).some(({ id }) => id === there.id))
      throw new ApiFailure('file_move_into_itself');
    if (there && there.id !== source.id && !overwrite)
      throw conditionFailed('The destination is taken, and not to be overwritten.');
    if (there) await demandAll(there);
    if (!there || there.isFolder || source.isFolder) demand(folder);
    return { source: source as Resource & { node: NodeRow }, there, folder };
  }

  const bothFiles = (source: Resource, there: Resource | undefined): there is Resource & { node: NodeRow } =>
    there?.node?.kind === FILE && source.node?.kind === FILE;

  /** Waits until a task has finished. */
  async function finished(task: string): Promise<void> {
    for (;;) {
      const row = await tasks.byId(database, task);
      if (!row) throw new ApiFailure('cancelled');
      if (row.phase === 'PHASE_TYPE_ERROR')
        throw new ApiFailure(row.error && isErrorId(row.error) ? row.error : 'internal');
      if (isFinished(row.phase)) return;
      if (closing.aborted) throw new ApiFailure('unavailable');
      await sleep(LOOK_AGAIN_MS);
    }
  }

  return {
    async copy(asking, transfer) {
      const made = await lockedChanges.run(asking, async (change) => {
        const { tx, held } = change;
        const { source, there, folder } = await destination(change, transfer);
        if (there?.id === source.id) throw forbidden('It is there already.');
        if (bothFiles(source, there)) {
          const { blob, size, modified_at: modifiedAt } = source.node;
          if (source.node.quarantined_at !== null) throw new ApiFailure('file_not_found');
          const content = { blob: blob!, size, modifiedAt, by: 'webdav' } as const;
          await placements.replaceContent(tx, there.node, content);
          await properties.replace(tx, source.node, there.node);
          return { isNew: false, task: undefined };
        }
        if (there) await locks.forget(tx, held, there);
        const spot = { parent: folder.id, name: transfer.to.at(-1)! };
        if (source.isFolder && transfer.shallow) {
          if (there) await drive.trash(tx, asking.account, [there.id]);
          const copy = await nodes.addFolder(tx, { account: asking.account, ...spot, conflict: 'fail' });
          await placements.setModified(tx, copy, source.node.modified_at);
          await properties.replace(tx, source.node, copy);
          return { isNew: !there, task: undefined };
        }
        const copied = await drive.copyAs(tx, source.node, spot);
        return { isNew: !there, task: 'task' in copied ? copied.task : undefined };
      });
      if (made.task !== undefined) await finished(made.task);
      return made.isNew;
    },

    move: (asking, transfer) =>
      lockedChanges.run(asking, async (change) => {
        const { tx, held, found } = change;
        const { source, there, folder } = await destination(change, transfer);
        const name = transfer.to.at(-1)!;
        if (there?.id === source.id && source.node.name === name) throw forbidden('It is there already.');
        change.demand(found.parent!);
        await change.demandAll(source);
        await locks.forget(tx, held, source);
        if (there?.id !== source.id && bothFiles(source, there)) {
          await placements.moveOnto(tx, source.node, there.node);
          await properties.replace(tx, source.node, there.node);
          return false;
        }
        if (there) await locks.forget(tx, held, there);
        await placements.move(tx, source.node, { parent: folder.id, name });
        return !there || there.id === source.id;
      }),
  };
}
