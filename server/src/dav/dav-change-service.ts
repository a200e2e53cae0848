import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, isErrorId, nameProblem } from '@bowerbird/contract';
import { FILE, type Drive, type NodeRow } from '../drive/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import { isFinished, type Tasks } from '../task/index.ts';
import type { Received, Upload } from '../upload/index.ts';
import type { Conditions } from './dav-condition-service.ts';
import type { HeldLocks, Locks, LockWish } from './dav-lock-service.ts';
import type { Properties, PropertyResult } from './dav-property-service.ts';
import type { PropertyChange } from './dav-property.ts';
import { conditionFailed, DavRefusal, folderMissing, forbidden, notThere } from './dav-refusal.ts';
import { resourceOf, type Resources } from './dav-resource-service.ts';
import type { Asking, Found, LockRow, Resource } from './dav.ts';

export interface Body {
  readonly source: AsyncIterable<Uint8Array>;
  /** Undefined where the request does not say. */
  readonly size: number | undefined;
  /** What the client says of the content, found true when the source ends. */
  readonly checksum: { readonly algorithm: string; readonly value: string } | undefined;
  readonly userModifiedAt: number | undefined;
}

export interface Written {
  readonly node: NodeRow;
  readonly isNew: boolean;
}

export interface Transfer {
  readonly to: readonly string[];
  readonly overwrite: boolean;
  /** A folder without what is in it. Copies only. */
  readonly shallow: boolean;
}

/** Everything that changes a drive over WebDAV. Each checks conditions and locks in the transaction that changes. */
export interface Changes {
  put(asking: Asking, open: () => Body): Promise<Written>;
  makeFolder(asking: Asking): Promise<void>;
  remove(asking: Asking): Promise<void>;
  /** True where nothing had the destination before. */
  copy(asking: Asking, transfer: Transfer): Promise<boolean>;
  move(asking: Asking, transfer: Transfer): Promise<boolean>;
  changeProperties(
    asking: Asking,
    changes: readonly PropertyChange[],
  ): Promise<{ resource: Resource; results: PropertyResult[] }>;
  /** Makes an empty file where there is nothing yet. */
  lock(asking: Asking, wish: LockWish): Promise<{ lock: LockRow; resource: Resource; isNew: boolean }>;
  refreshLock(asking: Asking, seconds: number): Promise<{ lock: LockRow; resource: Resource }>;
  unlock(asking: Asking, token: string): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly drive: Drive;
  readonly receive: Upload['receive'];
  readonly resources: Resources;
  readonly conditions: Conditions;
  readonly locks: Locks;
  readonly properties: Properties;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly clock: Clock;
  /** Aborted when the process is about to end: nobody waits for what goes on elsewhere, or later. */
  readonly closing: AbortSignal;
}

const LOOK_AGAIN_MS = 150;

/** What a change starts from: the tree is held, conditions stand. */
interface Scene {
  readonly tx: Tx;
  readonly found: Found;
  readonly held: HeldLocks;
}

export function createChanges(parts: Parts): Changes {
  const { database, drive, receive, resources, conditions, locks, properties, quota, tasks, clock, closing } =
    parts;
  const { nodes, placements } = drive;

  const within = <R>(asking: Asking, work: (scene: Scene) => Promise<R>): Promise<R> =>
    database.transaction((tx) => begin(tx, asking, work));

  async function begin<R>(tx: Tx, asking: Asking, work: (scene: Scene) => Promise<R>): Promise<R> {
    await nodes.lock(tx, asking.account);
    const found = await resources.find(tx, asking.account, asking.names);
    const held = await locks.of(tx, asking.account);
    await conditions.check(tx, asking, found, held);
    return work({ tx, found, held });
  }

  /** Throws where a name can't be added to, or taken from, its folder. */
  const demandFolder = (asking: Asking, held: HeldLocks, folder: Resource): void =>
    locks.demand(held, asking.tokens, folder);

  async function demandAll(tx: Sql, asking: Asking, held: HeldLocks, resource: Resource): Promise<void> {
    locks.demand(held, asking.tokens, resource);
    await locks.demandWithin(tx, held, asking.tokens, resource);
  }

  /** What a PUT meets: a file to write over, or a folder to write into. */
  function target(
    asking: Asking,
    found: Found,
    held: HeldLocks,
  ): { file: NodeRow | undefined; folder: string } {
    const { resource, parent } = found;
    if (resource?.isFolder) throw new DavRefusal(405, 'A folder has this name.');
    if (!parent) throw folderMissing();
    if (resource) locks.demand(held, asking.tokens, resource);
    else {
      checkName(asking.names);
      demandFolder(asking, held, parent);
    }
    return { file: resource?.node, folder: parent.id };
  }

  async function write(
    { tx, found, held }: Scene,
    asking: Asking,
    { hash, size }: Received,
    userModifiedAt = clock.now(),
  ): Promise<Written> {
    const { account, names } = asking;
    const { file, folder } = target(asking, found, held);
    if (file)
      return {
        node: await placements.replaceContent(tx, file, { blob: hash, size, userModifiedAt }),
        isNew: false,
      };
    const node = await nodes.addFile(tx, {
      account,
      parent: folder,
      name: names.at(-1)!,
      blob: hash,
      size,
      conflict: 'fail',
      userModifiedAt,
    });
    await quota.charge(tx, account, size, { reason: 'upload', reference: node.id });
    return { node, isNew: true };
  }

  /** Destination of a copy or move: refused where it makes no sense, or is locked. */
  async function destination(
    { tx, found, held }: Scene,
    asking: Asking,
    { to, overwrite }: Transfer,
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
    if (there) await demandAll(tx, asking, held, there);
    if (!there || there.isFolder || source.isFolder) demandFolder(asking, held, folder);
    return { source: source as Resource & { node: NodeRow }, there, folder };
  }

  const bothFiles = (source: Resource, there: Resource | undefined): there is Resource & { node: NodeRow } =>
    there?.node?.kind === FILE && source.node?.kind === FILE;

  /** Waits for what goes on behind the request. */
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

  /** An empty file for a lock on a name that nothing has yet; undefined where something has it. */
  async function reserveName(asking: Asking, wish: LockWish) {
    const { resource, parent } = await resources.find(database, asking.account, asking.names);
    if (resource) return undefined;
    if (!parent) throw folderMissing();
    return receive({ source: nothing(), size: 0, most: 0 }, (tx, received) =>
      begin(tx, asking, async (scene) => {
        if (scene.found.resource) return undefined;
        const { node } = await write(scene, asking, received);
        const resource = resourceOf(asking.account, [...scene.found.parent!.chain, node]);
        return { lock: await locks.take(tx, resource, wish), resource, isNew: true };
      }),
    );
  }

  return {
    async put(asking, open) {
      if (asking.names.length === 0) throw new DavRefusal(405, 'A folder has this name.');
      const found = await resources.find(database, asking.account, asking.names);
      const held = await locks.of(database, asking.account);
      await conditions.check(database, asking, found, held);
      const { file } = target(asking, found, held);
      const { limit, used, reserved } = await quota.of(database, asking.account);
      const most = Math.max(0, limit - used - reserved) + (file?.size ?? 0);
      const body = open();
      if ((body.size ?? 0) > most) throw new ApiFailure('file_space_not_enough');
      return receive({ ...body, most }, (tx, received) =>
        begin(tx, asking, async (scene) => {
          const written = await write(scene, asking, received, body.userModifiedAt);
          if (body.checksum) await properties.noteChecksum(tx, received.hash, body.checksum);
          return written;
        }),
      );
    },

    makeFolder: (asking) =>
      within(asking, async ({ tx, found: { resource, parent }, held }) => {
        if (resource) throw new DavRefusal(405, 'The name is taken.', 'resource-must-be-null');
        if (!parent) throw folderMissing();
        checkName(asking.names);
        demandFolder(asking, held, parent);
        await nodes.addFolder(tx, {
          account: asking.account,
          parent: parent.id,
          name: asking.names.at(-1)!,
          conflict: 'fail',
        });
      }),

    remove: (asking) =>
      within(asking, async ({ tx, found: { resource, parent }, held }) => {
        if (!resource) throw notThere();
        if (!parent) throw forbidden('The drive itself can not be deleted.');
        demandFolder(asking, held, parent);
        await demandAll(tx, asking, held, resource);
        await drive.trash(tx, asking.account, [resource.id]);
        await locks.forget(tx, held, resource);
      }),

    async copy(asking, transfer) {
      const made = await within(asking, async (scene) => {
        const { tx, held } = scene;
        const { source, there, folder } = await destination(scene, asking, transfer);
        if (there?.id === source.id) throw forbidden('It is there already.');
        if (bothFiles(source, there)) {
          const { blob, size, user_modified_at: userModifiedAt } = source.node;
          if (source.node.quarantined_at !== null) throw new ApiFailure('file_not_found');
          await placements.replaceContent(tx, there.node, { blob: blob!, size, userModifiedAt });
          await properties.replace(tx, source.node, there.node);
          return { isNew: false, task: undefined };
        }
        if (there) await locks.forget(tx, held, there);
        const spot = { parent: folder.id, name: transfer.to.at(-1)! };
        if (source.isFolder && transfer.shallow) {
          if (there) await drive.trash(tx, asking.account, [there.id]);
          const copy = await nodes.addFolder(tx, { account: asking.account, ...spot, conflict: 'fail' });
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
      within(asking, async (scene) => {
        const { tx, held, found } = scene;
        const { source, there, folder } = await destination(scene, asking, transfer);
        const name = transfer.to.at(-1)!;
        if (there?.id === source.id && source.node.name === name) throw forbidden('It is there already.');
        demandFolder(asking, held, found.parent!);
        await demandAll(tx, asking, held, source);
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

    changeProperties: (asking, changes) =>
      within(asking, async ({ tx, found: { resource }, held }) => {
        if (!resource) throw notThere();
        locks.demand(held, asking.tokens, resource);
        return { resource, results: await properties.change(tx, resource, changes) };
      }),

    async lock(asking, wish) {
      const reserved = await reserveName(asking, wish);
      if (reserved) return reserved;
      return within(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        return { lock: await locks.take(tx, resource, wish), resource, isNew: false };
      });
    },

    refreshLock: (asking, seconds) =>
      within(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        const lock = await locks.refresh(tx, resource, asking.tokens, seconds);
        if (!lock)
          throw new DavRefusal(412, 'There is no such lock on it.', 'lock-token-matches-request-uri');
        return { lock, resource };
      }),

    unlock: (asking, token) =>
      within(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        if (!(await locks.release(tx, resource, token)))
          throw new DavRefusal(409, 'There is no such lock on it.', 'lock-token-matches-request-uri');
      }),
  };
}

function checkName(names: readonly string[]): void {
  const problem = nameProblem(names.at(-1) ?? '');
  if (problem) throw new ApiFailure(problem);
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
