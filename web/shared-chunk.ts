import { join } from 'node:path';

/** What rolldown tells of the modules while it makes chunks of them. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const app = join(import.meta.dirname, 'app');
/** The share page is the first that most people see; what it needs from the beginning, other pages need as well. */
const BEGINNINGS = ['entry.client.tsx', 'root.tsx', 'share/share.tsx'].map((file) => join(app, file));
const OWN = join(app, 'share');

/**
 * One chunk for what every page begins with. Left alone, modules are divided by who uses them into half a hundred small
 * files, which a phone fetches six at a time.
 */
export function sharedChunk() {
  let shared: ReadonlySet<string> | undefined;
  return {
    debugName: 'base',
    name(id: string, graph: Graph): string | null {
      shared ??= reachable(graph);
      return shared.has(id) ? 'base' : null;
    },
  };
}

function reachable(graph: Graph): ReadonlySet<string> {
  const beginnings = BEGINNINGS.flatMap((file) => [file, `${file}?__react-router-build-client-route`]);
  const found = new Set<string>();
  const walk = (id: string): void => {
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      walk(next);
    }
  };
  for (const id of beginnings) walk(id);
  for (const id of found) if (id.startsWith(OWN) || beginnings.includes(id)) found.delete(id);
  return found;
}
