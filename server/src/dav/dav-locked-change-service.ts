import { ApiFailure, nameProblem } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Conditions } from './dav-condition-service.ts';
import type { HeldLocks, Locks } from './dav-lock-service.ts';
import type { Resources } from './dav-resource-service.ts';
import type { DavRequest, Found, Resource } from './dav.ts';

/** Context of a change: the account's tree is locked, and the request's preconditions have been checked. */
export interface LockedChange {
  readonly tx: Tx;
  readonly asking: DavRequest;
  readonly found: Found;
  readonly held: HeldLocks;
  /** Throws if another client holds a WebDAV lock on the resource or, for a folder, on its names. */
  demand(resource: Resource): void;
  /** Checks the locks of a resource and of everything below it, as {@link LockedChange.demand} does. */
  demandAll(resource: Resource): Promise<void>;
}

export interface LockedChanges {
  /** Runs a change in a transaction of its own. */
  run<R>(asking: DavRequest, work: (change: LockedChange) => Promise<R>): Promise<R>;
  /** Runs a change within the given transaction. */
  runIn<R>(tx: Tx, asking: DavRequest, work: (change: LockedChange) => Promise<R>): Promise<R>;
}

interface Parts {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly resources: Resources;
  readonly conditions: Conditions;
  readonly locks: Locks;
}

export function createLockedChanges({ database, nodes, resources, conditions, locks }: Parts): LockedChanges {
  const lockedChanges: LockedChanges = {
    run: (asking, work) => database.transaction((tx) => lockedChanges.runIn(tx, asking, work)),

    async runIn(tx, asking, work) {
      await nodes.lock(tx, asking.account);
      const found = await resources.find(tx, asking.account, asking.names);
      const held = await locks.of(tx, asking.account);
      await conditions.check(tx, asking, found, held);
      const demand = (resource: Resource): void => locks.demand(held, asking.tokens, resource);
      return work({
        tx,
        asking,
        found,
        held,
        demand,
        async demandAll(resource) {
          demand(resource);
          await locks.demandWithin(tx, held, asking.tokens, resource);
        },
      });
    },
  };
  return lockedChanges;
}

/** Throws if the last name of a path is not a valid name. */
export function checkName(names: readonly string[]): void {
  const problem = nameProblem(names.at(-1) ?? '');
  if (problem) throw new ApiFailure(problem);
}
