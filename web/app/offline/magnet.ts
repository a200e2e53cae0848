/** A magnet link with nothing in it but what finds the torrent, and the torrent's fingerprint. */
export interface Magnet {
  /** 40 lower-case hexadecimal digits. */
  readonly infoHash: string;
  /** What the link calls it; "" where it doesn't. */
  readonly name: string;
  readonly url: string;
}

const BTIH = /^urn:btih:(?:([0-9a-f]{40})|([a-z2-7]{32}))$/i;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Reads a magnet link; undefined where it names no torrent that can be looked for. */
export function readMagnet(text: string): Magnet | undefined {
  const query = new URLSearchParams(text.slice(text.indexOf('?') + 1));
  const infoHash = query
    .getAll('xt')
    .map(infoHashOf)
    .find((hash) => hash !== undefined);
  if (infoHash === undefined) return undefined;
  const name = query.get('dn') ?? '';
  const trackers = query.getAll('tr').filter((tracker) => /^(?:https?|udp|wss?):\/\//i.test(tracker));
  const webSeeds = query.getAll('ws').filter((seed) => /^https?:\/\//i.test(seed));
  const parts = [
    ...(name === '' ? [] : [`dn=${encodeURIComponent(name.toWellFormed())}`]),
    ...[...new Set(trackers)].map((tracker) => `tr=${encodeURIComponent(tracker.toWellFormed())}`),
    ...[...new Set(webSeeds)].map((seed) => `ws=${encodeURIComponent(seed.toWellFormed())}`),
  ];
  return { infoHash, name, url: [`magnet:?xt=urn:btih:${infoHash}`, ...parts].join('&') };
}

function infoHashOf(topic: string): string | undefined {
  const [, hex, base32] = BTIH.exec(topic) ?? [];
  return hex?.toLowerCase() ?? (base32 === undefined ? undefined : fromBase32(base32));
}

function fromBase32(text: string): string {
  let bits = 0n;
  for (const letter of text.toLowerCase()) bits = (bits << 5n) | BigInt(BASE32.indexOf(letter));
  return bits.toString(16).padStart(40, '0');
}
