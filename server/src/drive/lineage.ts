import type { NodeRow } from './drive.ts';

/** Where a node stands: `trashed` where it or a folder above it lies in the trash. */
export interface Standing {
  readonly node: NodeRow;
  readonly trashed: boolean;
}

export interface Lineage {
  /** Undefined for what is unknown, of another account, or on its way in or out of existence. */
  standing(account: string, id: string): Standing | undefined;
  /** The folders above a node and the node itself, root first; without what a broken chain lacks. */
  chain(id: string): NodeRow[];
  /** True where `id` is one of `above` or belongs to one; what lies in the trash by itself belongs to nothing. */
  isWithin(id: string, above: ReadonlySet<string>): boolean;
  /** True where a node goes wherever one of `above` goes. */
  goesWith(node: NodeRow, above: ReadonlySet<string>): boolean;
}

/** Answers about nodes whose whole chains of parents were read together. */
export function createLineage(rows: readonly NodeRow[]): Lineage {
  const known = new Map(rows.map((row) => [row.id, row]));
  const lineage: Lineage = {
    standing(account, id) {
      const node = known.get(id);
      if (node?.account !== account) return undefined;
      for (let at: NodeRow | undefined = node; at; at = known.get(at.parent)) {
        // What lies in the trash stands there by itself, wherever it came from.
        if (at.trashed_at !== null) return { node, trashed: true };
        if (at.parent === account) return { node, trashed: false };
      }
      return undefined;
    },
    chain(id) {
      const chain: NodeRow[] = [];
      for (let at = known.get(id); at; at = known.get(at.parent)) chain.unshift(at);
      return chain;
    },
    isWithin(id, above) {
      for (let at = id; ;) {
        if (above.has(at)) return true;
        const node = known.get(at);
        if (!node || node.trashed_at !== null) return false;
        at = node.parent;
      }
    },
    goesWith: (node, above) => node.trashed_at === null && lineage.isWithin(node.parent, above),
  };
  return lineage;
}
