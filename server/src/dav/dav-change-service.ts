import { ApiFailure } from '@bowerbird/contract';
import type { Drive, NodeRow } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import type { Received, Upload } from '../upload/index.ts';
import type { Conditions } from './dav-condition-service.ts';
import type { HeldLocks, Locks, LockWish } from './dav-lock-service.ts';
import type { Properties, PropertyResult } from './dav-property-service.ts';
import type { PropertyChange } from './dav-property.ts';
import { DavRefusal, folderMissing, forbidden, notThere } from './dav-refusal.ts';
import { resourceOf, type Resources } from './dav-resource-service.ts';
import { checkName, type LockedChange, type LockedChanges } from './dav-locked-change-service.ts';
import type { DavRequest, Found, LockRow, Resource } from './dav.ts';

export interface Body {
  readonly source: AsyncIterable<Uint8Array>;
  /** Undefined if the request does not state it. */
  readonly size: number | undefined;
  readonly modifiedAt: number | undefined;
}

export interface Written {
  readonly node: NodeRow;
  readonly isNew: boolean;
}

/** Changes at one path of a drive. Each checks preconditions and locks in the transaction of the change. */
export interface Changes {
  put(asking: DavRequest, open: () => Body): Promise<Written>;
  makeFolder(asking: DavRequest): Promise<void>;
  remove(asking: DavRequest): Promise<void>;
  changeProperties(
    asking: DavRequest,
    changes: readonly PropertyChange[],
  ): Promise<{ resource: Resource; results: PropertyResult[] }>;
  /** Locks a resource; creates an empty file if there is none. */
  lock(asking: DavRequest, wish: LockWish): Promise<{ lock: LockRow; resource: Resource; isNew: boolean }>;
  refreshLock(asking: DavRequest, seconds: number): Promise<{ lock: LockRow; resource: Resource }>;
  unlock(asking: DavRequest, token: string): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly drive: Drive;
  readonly receive: Upload['receive'];
  readonly lockedChanges: LockedChanges;
  readonly resources: Resources;
  readonly conditions: Conditions;
  readonly locks: Locks;
  readonly properties: Properties;
  readonly quota: Quota;
  readonly traffic: Pick<Traffic, 'check'>;
  readonly clock: Clock;
}

export function createChanges(parts: Parts): Changes {
  const {
    database,
    drive,
    receive,
    resources,
    conditions,
    locks,
    properties,
    quota,
    traffic,
    clock,
    lockedChanges,
  } = parts;
  const { nodes, placements } = drive;

  /** Returns the target of a PUT: a file to overwrite, or a folder to create the file in. */
  function target(
    asking: DavRequest,
    found: Found,
    held: HeldLocks,
  ): { file: NodeRow | undefined; folder: string } {
    const { resource, parent } = found;
    if (resource?.isFolder) throw new DavRefusal(405, 'A folder has this name.');
    if (!parent) throw folderMissing();
    if (resource) locks.demand(held, asking.tokens, resource);
    else {
      checkName(asking.names);
      locks.demand(held, asking.tokens, parent);
    }
    return { file: resource?.node, folder: parent.id };
  }

  async function write(
    { tx, asking, found, held }: LockedChange,
    { hash, size }: Received,
    modifiedAt = clock.now(),
  ): Promise<Written> {
    const { account, names } = asking;
    const { file, folder } = target(asking, found, held);
    if (file) {
      const content = { blob: hash, size, modifiedAt, by: 'webdav', uploaded: { reserved: 0 } } as const;
      const { node } = await placements.replaceContent(tx, file, content);
      return { node, isNew: false };
    }
    const node = await nodes.addFile(tx, {
      account,
      parent: folder,
      name: names.at(-1)!,
      blob: hash,
      size,
      conflict: 'fail',
      modifiedAt,
    });
    await quota.charge(tx, account, size, { reason: 'upload', reference: node.id });
    await drive.events.came(tx, account, 'TYPE_UPLOAD', [node.id]);
    return { node, isNew: true };
  }

  /** Creates and locks an empty file under an unused name. Returns undefined if the name is in use. */
  async function reserveName(asking: DavRequest, wish: LockWish) {
    const { resource, parent } = await resources.find(database, asking.account, asking.names);
    if (resource) return undefined;
    if (!parent) throw folderMissing();
    return receive({ source: nothing(), size: 0, most: 0 }, (tx, received) =>
      lockedChanges.runIn(tx, asking, async (change) => {
        if (change.found.resource) return undefined;
        const { node } = await write(change, received);
        const resource = resourceOf(asking.account, [...change.found.parent!.chain, node]);
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
      const older = file ? file.size + (await drive.versions.removable(database, file.id)) : 0;
      const most = Math.max(0, limit - used - reserved) + older;
      const body = open();
      if ((body.size ?? 0) > most) throw new ApiFailure('file_space_not_enough');
      await traffic.check(database, asking.account, 'upload', Math.max(1, body.size ?? 1));
      return receive({ ...body, most }, (tx, received) =>
        lockedChanges.runIn(tx, asking, (change) => write(change, received, body.modifiedAt)),
      );
    },

    makeFolder: (asking) =>
      lockedChanges.run(asking, async ({ tx, found: { resource, parent }, demand }) => {
        if (resource) throw new DavRefusal(405, 'The name is taken.', 'resource-must-be-null');
        if (!parent) throw folderMissing();
        checkName(asking.names);
        demand(parent);
        await nodes.addFolder(tx, {
          account: asking.account,
          parent: parent.id,
          name: asking.names.at(-1)!,
          conflict: 'fail',
        });
      }),

    remove: (asking) =>
      lockedChanges.run(asking, async ({ tx, found: { resource, parent }, held, demand, demandAll }) => {
        if (!resource) throw notThere();
        if (!parent) throw forbidden('The drive itself can not be deleted.');
        demand(parent);
        await demandAll(resource);
        await drive.trash(tx, asking.account, [resource.id]);
        await locks.forget(tx, held, resource);
      }),

    changeProperties: (asking, changes) =>
      lockedChanges.run(asking, async ({ tx, found: { resource }, demand }) => {
        if (!resource) throw notThere();
        demand(resource);
        return { resource, results: await properties.change(tx, resource, changes) };
      }),

    async lock(asking, wish) {
      const reserved = await reserveName(asking, wish);
      if (reserved) return reserved;
      return lockedChanges.run(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        return { lock: await locks.take(tx, resource, wish), resource, isNew: false };
      });
    },

    refreshLock: (asking, seconds) =>
      lockedChanges.run(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        const lock = await locks.refresh(tx, resource, asking.tokens, seconds);
        if (!lock)
          throw new DavRefusal(412, 'There is no such lock on it.', 'lock-token-matches-request-uri');
        return { lock, resource };
      }),

    unlock: (asking, token) =>
      lockedChanges.run(asking, async ({ tx, found: { resource } }) => {
        if (!resource) throw notThere();
        if (!(await locks.release(tx, resource, token)))
          throw new DavRefusal(409, 'There is no such lock on it.', 'lock-token-matches-request-uri');
      }),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
