import { ApiFailure, nameProblem } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Conditions } from './dav-condition-service.ts';
import type { HeldLocks, Locks } from './dav-lock-service.ts';
import type { Resources } from './dav-resource-service.ts';
import type { Asking, Found, Resource } from './dav.ts';

/** What a change starts from: the tree is held, and the request's conditions stand. */
export interface Scene {
  readonly tx: Tx;
  readonly asking: Asking;
  readonly found: Found;
  readonly held: HeldLocks;
  /** Throws where a resource, or what a folder's names are, is locked by another. */
  demand(resource: Resource): void;
  /** As {@link Scene.demand}, of a resource and everything beneath. */
  demandAll(resource: Resource): Promise<void>;
}

export interface Scenes {
  /** In a transaction of its own. */
  within<R>(asking: Asking, work: (scene: Scene) => Promise<R>): Promise<R>;
  begin<R>(tx: Tx, asking: Asking, work: (scene: Scene) => Promise<R>): Promise<R>;
}

interface Parts {
  readonly database: Database;
  readonly nodes: Nodes;
  readonly resources: Resources;
  readonly conditions: Conditions;
  readonly locks: Locks;
}

export function createScenes({ database, nodes, resources, conditions, locks }: Parts): Scenes {
  const scenes: Scenes = {
    within: (asking, work) => database.transaction((tx) => scenes.begin(tx, asking, work)),

    async begin(tx, asking, work) {
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
  return scenes;
}

/** Throws where the last name of a path can't be anything's. */
export function checkName(names: readonly string[]): void {
  const problem = nameProblem(names.at(-1) ?? '');
  if (problem) throw new ApiFailure(problem);
}
