import { readMagnet } from '@bowerbird/contract';

/** Trackers and web seeds of a torrent. */
export interface Sources {
  readonly trackers: readonly string[];
  readonly webSeeds: readonly string[];
}

const MAX_ADDRESS_LENGTH = 2000;
const MAX_TRACKERS = 60;
const MAX_WEB_SEEDS = 20;
const NOTHING: Sources = { trackers: [], webSeeds: [] };

/** Keeps supported addresses, without duplicates and within a limit. */
export function cleanSources(trackers: Iterable<string>, webSeeds: Iterable<string>): Sources {
  return {
    trackers: pick(trackers, ['http:', 'https:', 'udp:'], MAX_TRACKERS),
    webSeeds: pick(webSeeds, ['http:', 'https:'], MAX_WEB_SEEDS),
  };
}

function pick(addresses: Iterable<string>, protocols: readonly string[], most: number): string[] {
  const picked = new Set<string>();
  for (const address of addresses) {
    if (picked.size >= most) break;
    const text = address.trim();
    if (text.length > MAX_ADDRESS_LENGTH) continue;
    const url = URL.parse(text);
    if (url && url.hostname && protocols.includes(url.protocol)) picked.add(url.href);
  }
  return [...picked];
}

/** Returns the trackers and web seeds in a magnet link. */
export function sourcesOf(magnet: string): Sources {
  const { trackers, webSeeds } = readMagnet(magnet) ?? NOTHING;
  return cleanSources(trackers, webSeeds);
}
