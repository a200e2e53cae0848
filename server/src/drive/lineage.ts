import type { NodeRow } from './drive.ts';

/** Position of a node: `trashed` if it or a folder above it is in the trash. */
export interface Standing {
  readonly node: NodeRow;
  readonly trashed: boolean;
}

export interface Lineage {
  /** Returns undefined for nodes that are unknown, of another account, or being created or deleted. */
  standing(account: string, id: string): Standing | undefined;
  /** Returns the folders above a node and the node itself, root first; without the part beyond a broken link. */
  chain(id: string): NodeRow[];
  /**
   * Returns true if `id` is one of `above` or a descendant of one; nodes trashed by themselves are descendants of
   * nothing.
   */
  isWithin(id: string, above: ReadonlySet<string>): boolean;
  /** Returns true if moving one of `above` moves the node along. */
  goesWith(node: NodeRow, above: ReadonlySet<string>): boolean;
}

/** Answers questions about nodes whose whole chains of parents were read together. */
export function createLineage(rows: readonly NodeRow[]): Lineage {
  const known = new Map(rows.map((row) => [row.id, row]));
  const lineage: Lineage = {
    standing(account, id) {
      const node = known.get(id);
      if (node?.account !== account) return undefined;
      for (let at: NodeRow | undefined = node; at; at = known.get(at.parent)) {
        // A trashed node is independent of the folder that it came from.
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
