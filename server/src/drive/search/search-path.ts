import type { Database } from '../../foundation/database/index.ts';
import type { Candidate } from './search-conditions.ts';
import type { Above, SearchStore } from './search-store.ts';

/** Part of a drive: everything but the trash, the trash, or the live roots of a share with their contents. */
export type Area = 'drive' | 'trash' | { readonly roots: ReadonlySet<string> };

/** The folders above a node in its area, from the top down. */
export type Path = readonly { readonly id: string; readonly name: string }[];

/** Finds the paths of nodes, and reads each folder only once. */
export function createPaths({
  database,
  store,
  account,
  area,
}: {
  database: Database;
  store: Pick<SearchStore, 'above'>;
  account: string;
  area: Area;
}) {
  const folders = new Map<string, Above>();
  const unknown = new Set<string>();

  return {
    /** Reads the folders above nodes. */
    async learn(some: readonly Candidate[]): Promise<void> {
      const wanted = new Set<string>();
      for (const { parent } of some)
        if (parent !== account && !folders.has(parent) && !unknown.has(parent)) wanted.add(parent);
      if (wanted.size === 0) return;
      for (const row of await store.above(database, [...wanted])) folders.set(row.id, row);
      for (const id of wanted) if (!folders.has(id)) unknown.add(id);
    },

    /** Returns the path of a node whose folders were read; undefined if it is not in the area. */
    of(node: Candidate): Path | undefined {
      const path: { id: string; name: string }[] = [];
      for (let at: Omit<Above, 'name'> = node; ;) {
        if (typeof area === 'object' && at.trashed_at === null && area.roots.has(at.id)) return path;
        if (at.trashed_at !== null) return area === 'trash' ? path : undefined;
        if (at.parent === account) return area === 'drive' ? path : undefined;
        const above = folders.get(at.parent);
        if (!above || path.length > folders.size) return undefined;
        path.unshift({ id: above.id, name: above.name });
        at = above;
      }
    },
  };
}
