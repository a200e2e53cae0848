import type { Announcement, Answer } from './announcement.ts';
import { BencodeError, readBencoded, type Bencoded, type BencodedDictionary } from './bencode.ts';
import type { Http } from './http.ts';
import { namedPeer, readCompactPeers } from './peer-addresses.ts';

const MOST_BYTES = 256 * 1024;

/** Announces to a tracker over HTTP (BEP 3, 7, 23). Rejects with any error. */
export async function askHttpTracker(
  tracker: string,
  announcement: Announcement,
  http: Http,
  signal: AbortSignal,
): Promise<Answer> {
  const { infoHash, peerId, event, ...numbers } = announcement;
  const query = [
    `info_hash=${escapeHex(infoHash)}`,
    `peer_id=${escapeHex(peerId)}`,
    ...Object.entries(numbers).map(([name, value]) => `${name}=${value}`),
    'compact=1',
    'numwant=100',
    ...(event ? [`event=${event}`] : []),
  ].join('&');
  const address = `${tracker}${tracker.includes('?') ? '&' : '?'}${query}`;
  const { status, body } = await http.get(address, { most: MOST_BYTES, signal });
  if (status !== 200) throw new Error(`Tracker answered ${status}`);
  return readAnswer(body);
}

export function readAnswer(body: Uint8Array): Answer {
  let answer: Bencoded;
  try {
    answer = readBencoded(body);
  } catch (error) {
    if (error instanceof BencodeError)
      throw new Error('Tracker response is not a bencoded dictionary', { cause: error });
    throw error;
  }
  if (!(answer instanceof Map)) throw new Error('Tracker response is not a bencoded dictionary');
  const reason = answer.get('failure reason');
  if (reason instanceof Uint8Array) throw new Error(`Tracker refused: ${Buffer.from(reason).toString()}`);
  const interval = answer.get('interval');
  return {
    seconds: typeof interval === 'number' ? interval : undefined,
    peers: [...peersIn(answer.get('peers'), 4), ...peersIn(answer.get('peers6'), 6)],
  };
}

function peersIn(peers: Bencoded | undefined, family: 4 | 6): string[] {
  if (peers instanceof Uint8Array) return readCompactPeers(peers, family);
  if (!Array.isArray(peers)) return [];
  return peers
    .filter((peer): peer is BencodedDictionary => peer instanceof Map)
    .flatMap((peer) => {
      const [host, port] = [peer.get('ip'), peer.get('port')];
      if (!(host instanceof Uint8Array) || typeof port !== 'number') return [];
      return namedPeer(Buffer.from(host).toString('latin1'), port) ?? [];
    });
}

const escapeHex = (hex: string): string => hex.replace(/../g, '%$&');
