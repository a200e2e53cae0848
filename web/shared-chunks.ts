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
  { name: 'base', needed: ['entry.client.tsx', 'root.tsx', 'share/share.tsx'] },
  { name: 'list', needed: ['share/share-files.tsx'] },
] as const;

/** What these pages never call: the contract's front door leads to all of it. */
const OF_OTHERS =
  /\/contract\/src\/(?:account|admin|archive|check-in|closing|contact|decompress|drive|event|membership|oauth|offline|preference|security|shield|site|subscription|takeout|task|unsubscribe|webdav|legacy-text\/[a-z-]+)\.ts$/;

/** One icon is a few hundred bytes: those of the other pages come together. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
/** The list's and the sign-in dialog's, which waits for no list. */
const ICON_OF_DIALOGS = /\/icons\/(?:x|minus|circle-exclamation-point)\.mjs$/;

/** By what goes first: a chunk takes along what its modules need and no earlier one has. */
const NAMES = ['base', 'list-icons', 'list', 'icons'] as const;

/**
 * Shared modules by chunk. Left alone, they are divided by who uses them into half a hundred small files, which a phone
 * fetches six at a time.
 */
export function sharedChunks() {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, graph: Graph): string | undefined => {
    chunkOf ??= divided(graph);
    const chunk = ICON_OF_DIALOGS.test(id) ? 'base' : chunkOf.get(id);
    if (!ICON.test(id) || chunk === 'base') return chunk;
    // Other pages draw some of the list's icons, and wait for no list.
    return chunk === 'list' ? 'list-icons' : 'icons';
  };
  return NAMES.map((name, at) => ({
    debugName: name,
    priority: NAMES.length - at,
    name: (id: string, graph: Graph): string | null => (nameOf(id, graph) === name ? name : null),
  }));
}

function divided(graph: Graph): ReadonlyMap<string, string> {
  const chunkOf = new Map<string, string>();
  for (const { name, needed } of CHUNKS) {
    const beginnings = needed
      .map((file) => join(app, file))
      .flatMap((file) => [file, `${file}?__react-router-build-client-route`]);
    for (const id of reachable(graph, beginnings))
      if (!id.startsWith(OWN) && !OF_OTHERS.test(id) && !chunkOf.has(id)) chunkOf.set(id, name);
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
