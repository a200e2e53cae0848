import { join } from 'node:path';

/** What rolldown tells of the modules while it makes chunks of them. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const app = join(import.meta.dirname, 'app');
const OWN = join(app, 'share');

/**
 * Chunks by what needs them. The share page is the first that most people see: what it begins with, other pages begin
 * with as well; what its list is made of comes right after, and makes the lists of the drive, too.
 */
const CHUNKS = [
  // The few lines of use-is-browser are the list's and the sign-in's, which waits for no list.
  {
    name: 'base',
    needed: ['entry.client.tsx', 'root.tsx', 'share/share.tsx'],
    also: ['ui/use-is-browser.ts'],
  },
  { name: 'list', needed: ['share/share-files.tsx'], also: [] },
] as const;

/** What members alone call: the contract's front door leads to all of it, and these pages call none of it. */
const OF_MEMBERS = /\/contract\/src\/(?:drive|offline|security|subscription)\.ts$/;

/**
 * Shared modules by chunk. Left alone, they are divided by who uses them into half a hundred small files, which a phone
 * fetches six at a time.
 */
export function sharedChunk() {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  return {
    debugName: 'shared',
    name(id: string, graph: Graph): string | null {
      chunkOf ??= divided(graph);
      return chunkOf.get(id) ?? null;
    },
  };
}

function divided(graph: Graph): ReadonlyMap<string, string> {
  const chunkOf = new Map<string, string>();
  for (const { name, needed, also } of CHUNKS) {
    for (const file of also) chunkOf.set(join(app, file), name);
    const beginnings = needed
      .map((file) => join(app, file))
      .flatMap((file) => [file, `${file}?__react-router-build-client-route`]);
    for (const id of reachable(graph, beginnings))
      if (!id.startsWith(OWN) && !OF_MEMBERS.test(id) && !chunkOf.has(id)) chunkOf.set(id, name);
  }
  return chunkOf;
}

/** All that comes with these modules, without themselves. */
function reachable(graph: Graph, beginnings: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (id: string): void => {
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      walk(next);
    }
  };
  for (const id of beginnings) walk(id);
  for (const id of beginnings) found.delete(id);
  return found;
}
