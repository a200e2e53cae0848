import { join } from 'node:path';

/** Module graph that rolldown provides while it creates chunks. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const app = join(import.meta.dirname, 'app');
const OWN = join(app, 'share');

/**
 * Chunks by the modules that need them. The share page is the first that most people see: other pages share
 * its initial scripts; the scripts of its list load right after, and also serve the drive's lists.
 */
const CHUNKS = [
  { name: 'base', needed: ['entry.client.tsx', 'root.tsx', 'share/share.tsx'] },
  { name: 'list', needed: ['share/share-files.tsx'] },
] as const;

/**
 * Modules of the contract that these pages never use, although its entry point imports them: the endpoints of all
 * domains but share, and the tables of legacy encodings.
 */
export const OF_OTHERS = new RegExp(
  String.raw`/contract/src/(?:${[
    'account/(?:account|closing|preference|profile|sign-in|sign-up|token|unsubscribe|verification)',
    'admin/(?:admin|admin-membership)',
    'archive/(?:archive|decompress|unpacking)',
    'contact',
    'drive/(?:annotation|batch|conflict|drive|event|gcid|look|node|note|people|pin|recent|renaming|resume|search|search-filters|search-query|selecting|tag|thumbnail-order|trash|upload-batch|upload-ticket|usage|version)',
    'legacy-text/[a-z-]+',
    'live',
    'picture/[a-z-]+',
    'membership/(?:activity|check-in|code|invite|invoice-sheet|ledger|membership|order|price|promoting|renewal|standing|status)',
    'oauth/(?:app|authorization|discovery|external|fields|handover|oauth)',
    'offline/(?:fetch-protocol|magnet|offline)',
    'share/copied-link',
    'security/(?:credential|own|pass|passkey|second-factor|security|session)',
    'shield',
    'site/site',
    'scopes',
    'subscription',
    'push',
    'takeout',
    'task',
    'webdav',
  ].join('|')})\.ts$`,
);

/** Modules that a page's first scripts don't use either, although the entry point of their folder exports them. */
const LATER = /\/web\/app\/account\/sign-in\/code-host\.tsx$/;

/** Icon modules, each a few hundred bytes; those of the other pages share one chunk. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
/** Icons of the list and also of the sign-in dialog, which must not wait for the list. */
const ICON_OF_DIALOGS = /\/icons\/(?:x|minus|circle-exclamation-point)\.mjs$/;

/** In order of priority: a chunk takes the dependencies of its modules that no earlier chunk contains. */
const NAMES = ['base', 'list-icons', 'list', 'icons'] as const;

/**
 * Assigns shared modules to chunks. By default, they are split by their importers into about fifty small
 * files, of which a phone fetches six at a time.
 */
export function sharedChunks() {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  const nameOf = (id: string, graph: Graph): string | undefined => {
    chunkOf ??= divided(graph);
    const chunk = ICON_OF_DIALOGS.test(id) ? 'base' : chunkOf.get(id);
    if (!ICON.test(id) || chunk === 'base') return chunk;
    // Other pages use some of the list's icons, and must not wait for the list.
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
      if (!id.startsWith(OWN) && !OF_OTHERS.test(id) && !LATER.test(id) && !chunkOf.has(id))
        chunkOf.set(id, name);
  }
  return chunkOf;
}

/** Modules that these import, directly or indirectly, without themselves. */
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
