/** Trackers and web seeds of a torrent. */
export interface Sources {
  readonly trackers: readonly string[];
  readonly webSeeds: readonly string[];
}

const MAX_ADDRESS_LENGTH = 2000;
const MAX_TRACKERS = 60;
const MAX_WEB_SEEDS = 20;
const MAX_NAME_LENGTH = 300;

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

export function writeMagnet(infoHash: string, name: string, { trackers, webSeeds }: Sources): string {
  const title = name.slice(0, MAX_NAME_LENGTH).toWellFormed();
  return [
    `magnet:?xt=urn:btih:${infoHash}`,
    `dn=${encodeURIComponent(title)}`,
    ...trackers.map((address) => `tr=${encodeURIComponent(address)}`),
    ...webSeeds.map((address) => `ws=${encodeURIComponent(address)}`),
  ].join('&');
}

/** Parses the trackers and web seeds of a magnet link. */
export function readMagnet(magnet: string): Sources {
  const { searchParams } = new URL(magnet);
  return cleanSources(searchParams.getAll('tr'), searchParams.getAll('ws'));
}
