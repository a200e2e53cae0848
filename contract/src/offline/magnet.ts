/** A magnet link reduced to its info-hash and the parts that help find the torrent. */
export interface Magnet {
  /** 40 lower-case hexadecimal digits. */
  readonly infoHash: string;
  /** Name of the torrent in the link; "" if it has none. */
  readonly name: string;
  readonly trackers: readonly string[];
  readonly webSeeds: readonly string[];
}

const BTIH = /^(?:urn:)?btih:(?:([0-9a-f]{40})|([a-z2-7]{32}))$/i;
const BARE = /^(?:urn:btih:|btih:)?(?:[0-9a-f]{40}|[a-z2-7]{32})$/i;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** True if a text is nothing but an info-hash, in hexadecimal digits or in base 32. */
export const isInfoHash = (text: string): boolean => BARE.test(text);

/** Parses a magnet link or a bare info-hash; undefined if it doesn't name a torrent that can be looked up. */
export function readMagnet(text: string): Magnet | undefined {
  if (isInfoHash(text)) {
    const infoHash = infoHashOf(`urn:btih:${text.replace(/^.*:/, '')}`)!;
    return { infoHash, name: '', trackers: [], webSeeds: [] };
  }
  const [, rest] = /^magnet:(?:\/\/)?\/?\??(.*)$/is.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const values = (key: string): string[] =>
    parameters.flatMap(([name, value]) => (name === key ? [value] : []));
  // Parameter names are case-insensitive, and numbered if they occur several times.
  const parameters = [...new URLSearchParams(rest)].map(([name, value]): [string, string] => [
    name.toLowerCase().replace(/\.\d+$/, ''),
    value.trim(),
  ]);
  const infoHash = values('xt')
    .map(infoHashOf)
    .find((hash) => hash !== undefined);
  if (infoHash === undefined) return undefined;
  return {
    infoHash,
    name: values('dn')[0] ?? '',
    trackers: values('tr').filter((tracker) => /^(?:https?|udp|wss?):\/\//i.test(tracker)),
    webSeeds: values('ws').filter((seed) => /^https?:\/\//i.test(seed)),
  };
}

/** Serializes the link with known parameters only and without duplicate addresses. */
export function writeMagnet({ infoHash, name, trackers, webSeeds }: Magnet, most = Infinity): string {
  const write = (key: string, addresses: readonly string[]): string[] =>
    [...new Set(addresses)].slice(0, most).map((one) => `${key}=${encodeURIComponent(one.toWellFormed())}`);
  return [
    `magnet:?xt=urn:btih:${infoHash}`,
    ...(name === '' ? [] : [`dn=${encodeURIComponent(name.toWellFormed())}`]),
    ...write('tr', trackers),
    ...write('ws', webSeeds),
  ].join('&');
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
