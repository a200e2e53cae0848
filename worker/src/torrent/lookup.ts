import type Wire from 'bittorrent-protocol';
import type { ChunkStore, Done } from 'webtorrent';
import { FetchFailed } from '../fetch/engine.ts';
import type { Client, Clients } from './client.ts';
import { createHttp } from './http.ts';
import type { Sources } from './sources.ts';
import { seekMetadata } from './metadata.ts';
import { destroy } from './swarm.ts';
import { parseInfo, type Torrent } from './torrent-file.ts';
import { announceTo, type Trackers } from './trackers.ts';
import { alternateEncryption } from './peer-connections.ts';

/** Fetches the metadata of magnet links from peers. Lookups of the same info-hash are shared. */
export interface Lookups {
  /** Returns the metadata. Rejects with {@link FetchFailed}, or with the signal's reason once aborted. */
  find(infoHash: string, sources: Sources, signal: AbortSignal): Promise<Torrent>;
  /** Ends a lookup whose result is known from elsewhere. Resolves when it has ended. */
  settle(torrent: Torrent): Promise<void>;
  /** Returns the peers that a lookup connected to, and forgets them. */
  knownPeers(infoHash: string): readonly string[];
}

interface Lookup {
  readonly answer: Promise<Torrent>;
  readonly ended: Promise<void>;
  /** Adds trackers to a running lookup. */
  add(sources: Sources): void;
  tell(torrent: Torrent): void;
  giveUp(): void;
  seekers: number;
}

const MOST_KNOWN_PEERS = 50;
const MOST_REMEMBERED = 200;
/** The number of missing bytes reported to trackers while the length is unknown. */
const UNKNOWN_LEFT = 16_384;

export function createLookups(clients: Clients): Lookups {
  const lookups = new Map<string, Lookup>();
  const knownPeersOf = new Map<string, string[]>();

  function begin(infoHash: string): Lookup {
    const { promise: answer, resolve, reject } = Promise.withResolvers<Torrent>();
    answer.catch(() => {});
    const trackers = new Set<string>();
    const waiting: Sources[] = [];
    const giveUp = (): void => reject(new Error('The lookup was canceled'));
    const lookup: Lookup = {
      answer,
      seekers: 0,
      add: (sources) => void waiting.push(sources),
      tell: resolve,
      giveUp,
      ended: clients.use((client) => look(client)).catch(reject),
    };

    async function look(client: Client): Promise<void> {
      const { webtorrent, broken } = client;
      const http = createHttp();
      const onBroken = (): void => reject(new FetchFailed('source_failed', { cause: broken.reason }));
      broken.addEventListener('abort', onBroken, { once: true });
      const joined = webtorrent.add(
        { infoHash, name: infoHash, announce: [], urlList: [], private: false },
        { store: NoStore, storeCacheSlots: 0, deselect: true, strategy: 'sequential' },
      );
      alternateEncryption(joined);
      joined.on('error', reject);
      joined.on('warning', () => {});
      const peers = new Set<string>();
      let sources: Sources = { trackers: [], webSeeds: [] };
      const seek = seekMetadata(infoHash, (info) => {
        try {
          resolve(parseInfo(info, sources));
        } catch (error) {
          reject(error);
        }
      });
      joined.on('wire', (wire: Wire, address: unknown) => {
        wire.use(seek.extension);
        if (typeof address === 'string' && wire.type === 'tcpOutgoing') peers.add(address);
      });
      const asked: Trackers[] = [];
      const connectTo = (address: string): void => {
        if (!joined.destroyed) joined.addPeer(address, 'tracker');
      };
      const announce = (more: Sources): void => {
        const fresh = more.trackers.filter((tracker) => !trackers.has(tracker));
        for (const tracker of fresh) trackers.add(tracker);
        sources = {
          trackers: [...trackers],
          webSeeds: [...new Set([...sources.webSeeds, ...more.webSeeds])],
        };
        const about = { infoHash, peerId: webtorrent.peerId, uploaded: 0, downloaded: 0, left: UNKNOWN_LEFT };
        asked.push(
          announceTo(fresh, {
            http,
            tell: () => ({ ...about, port: webtorrent.torrentPort }),
            found: connectTo,
            isLonely: () => true,
          }),
        );
      };
      joined.once('infoHash', () => {
        lookup.add = announce;
        waiting.forEach(announce);
      });
      try {
        await answer;
        knownPeersOf.set(infoHash, [...peers].slice(0, MOST_KNOWN_PEERS));
        if (knownPeersOf.size > MOST_REMEMBERED) knownPeersOf.delete(knownPeersOf.keys().next().value!);
      } finally {
        broken.removeEventListener('abort', onBroken);
        lookups.delete(infoHash);
        await Promise.all([destroy(joined), ...asked.map((trackersAsked) => trackersAsked.leave())]);
        await http.close();
      }
    }

    lookups.set(infoHash, lookup);
    return lookup;
  }

  return {
    async find(infoHash, sources, signal) {
      signal.throwIfAborted();
      const lookup = lookups.get(infoHash) ?? begin(infoHash);
      lookup.add(sources);
      lookup.seekers += 1;
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await Promise.race([lookup.answer, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', onAbort);
        lookup.seekers -= 1;
        if (lookup.seekers === 0) lookup.giveUp();
      }
    },
    async settle(torrent) {
      const lookup = lookups.get(torrent.infoHash);
      lookup?.tell(torrent);
      await lookup?.ended;
    },
    knownPeers(infoHash) {
      const peers = knownPeersOf.get(infoHash) ?? [];
      knownPeersOf.delete(infoHash);
      return peers;
    },
  };
}

/** A chunk store without pieces, for lookups. */
class NoStore implements ChunkStore {
  readonly chunkLength: number;

  constructor(pieceLength: number) {
    this.chunkLength = pieceLength;
  }

  put(_piece: number, _bytes: Uint8Array, done: Done): void {
    done(null);
  }

  get(_piece: number, _range: unknown, done: Done<Uint8Array>): void {
    done(new Error('A lookup has no pieces'));
  }

  close(done: Done): void {
    done(null);
  }

  destroy(done: Done): void {
    done(null);
  }
}
