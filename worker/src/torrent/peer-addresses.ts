import { isIPv4, isIPv6 } from 'node:net';

/** Limits the peers of one tracker response. */
const MOST_PEERS = 300;

/** Parses compact peer lists into `host:port`: 6 bytes per peer for IPv4, 18 for IPv6. */
export function readCompactPeers(bytes: Uint8Array, family: 4 | 6): string[] {
  const host = family === 4 ? 4 : 16;
  const peers: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + host + 2 <= bytes.length && peers.length < MOST_PEERS; at += host + 2) {
    const port = view.getUint16(at + host);
    const address =
      family === 4
        ? bytes.subarray(at, at + host).join('.')
        : Array.from({ length: 8 }, (_, n) => view.getUint16(at + n * 2).toString(16)).join(':');
    if (port > 0) peers.push(writePeer(address, port));
  }
  return peers;
}

/** Returns `host:port` of a peer; undefined if the host is not an IP address. */
export function namedPeer(host: string, port: number): string | undefined {
  const isPort = Number.isInteger(port) && port > 0 && port < 65536;
  return isPort && (isIPv4(host) || isIPv6(host)) ? writePeer(host, port) : undefined;
}

const writePeer = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;
