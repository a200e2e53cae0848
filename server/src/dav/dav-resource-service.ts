import { nameProblem } from '@bowerbird/contract';
import { FILE, FOLDER, type NodeRow, type Nodes } from '../drive/index.ts';
import type { Sql } from '../foundation/database/index.ts';
import type { Found, Resource } from './dav.ts';

/** Resolves paths to resources. */
export interface Resources {
  find(sql: Sql, account: string, names: readonly string[]): Promise<Found>;
}

export function resourceOf(account: string, chain: readonly NodeRow[]): Resource {
  const node = chain.at(-1);
  return { account, chain, node, id: node?.id ?? account, isFolder: node?.kind !== FILE };
}

export function createResources({ nodes }: { nodes: Nodes }): Resources {
  return {
    async find(sql, account, names) {
      const chain: NodeRow[] = [];
      for (const [at, name] of names.entries()) {
        const above = chain.at(-1);
        if (above && above.kind !== FOLDER) return { resource: undefined, parent: undefined };
        // An invalid name never exists, and some databases reject a query for it.
        const isName = nameProblem(name) === undefined;
        const [hit] = isName ? await nodes.taken(sql, above?.id ?? account, [name]) : [];
        if (!hit) {
          const isLast = at === names.length - 1;
          return { resource: undefined, parent: isLast ? resourceOf(account, chain) : undefined };
        }
        chain.push(hit.node);
      }
      return {
        resource: resourceOf(account, chain),
        parent: chain.length > 0 ? resourceOf(account, chain.slice(0, -1)) : undefined,
      };
    },
  };
}
