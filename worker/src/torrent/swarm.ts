import type Wire from 'bittorrent-protocol';
import type { ChunkStore, Done, Torrent as Joined } from 'webtorrent';
import type { Client } from './client.ts';
import { createHttp } from './http.ts';
import type { Bits, Layout } from './layout.ts';
import { offerMetadata } from './metadata.ts';
import type { Torrent } from './torrent-file.ts';
import { announceTo } from './trackers.ts';
import { createWebSeed } from './web-seed.ts';
import { alternateEncryption } from './peer-connections.ts';

/** Stores and reads pieces. */
export interface PieceStore {
  put(piece: number, bytes: Uint8Array): Promise<void>;
  get(piece: number, offset: number, length: number): Promise<Uint8Array>;
}

/** The connection to the swarm of one torrent. */
export interface Swarm {
  readonly peers: number;
  /** Bytes per second. */
  readonly speed: number;
  readonly uploaded: number;
  /** The number of ranges still requested. */
  readonly asking: number;
  /** Requests exactly these pieces, in this order. */
  ask(ranges: readonly { readonly from: number; readonly to: number }[]): void;
  leave(): Promise<void>;
}

export interface SwarmOptions {
  readonly layout: Layout;
  /** Pieces that exist already. */
  readonly found: Bits;
  readonly store: PieceStore;
  /** Addresses of peers that a lookup connected to. */
  readonly knownPeers: readonly string[];
  /** Called when a piece was verified and stored. */
  arrived(piece: number): void;
  failed(error: unknown): void;
}

/** webtorrent scans its files after each piece; it gets artificial ones of this size, which keeps that cheap. */
const PIECES_PER_FILE = 256;
const LEAVE_MS = 1200;
const WEB_SEED_RETRY_MS = 5000;
const MOST_WEB_SEED_FAILURES = 5;

/** Joins a swarm. Leaves it again if joining fails. */
export async function joinSwarm(client: Client, torrent: Torrent, options: SwarmOptions): Promise<Swarm> {
  const { layout, found, store, knownPeers, arrived, failed } = options;
  const { webtorrent, peerBans } = client;
  const joined = webtorrent.add(parsedOf(torrent, layout), {
    store: storeClass(store, layout),
    storeCacheSlots: 0,
    bitfield: found.bytes.slice(),
    deselect: true,
    strategy: 'sequential',
  });
  // Emitted once, when the torrent ends unexpectedly.
  joined.on('error', failed);
  joined.on('warning', () => {});
  const offer = offerMetadata(torrent.info);
  joined.on('wire', (wire: Wire) => wire.use(offer.extension));
  joined.once('metadata', () => reduceWork(joined));
  requestAhead(joined);
  alternateEncryption(joined);
  joined.on('verified', arrived);
  peerBans.watch(joined, (piece) => joined.bitfield.get(piece));
  await ready(joined, client.broken);

  const connectTo = (address: string): void => {
    if (!joined.destroyed) joined.addPeer(address, 'tracker');
  };
  const http = createHttp();
  const trackers = announceTo(torrent.trackers, {
    http,
    tell: () => ({
      infoHash: torrent.infoHash,
      peerId: webtorrent.peerId,
      port: webtorrent.torrentPort,
      uploaded: joined.uploaded,
      downloaded: joined.received,
      left: Math.max(0, torrent.length - joined.received),
    }),
    found: connectTo,
    isLonely: () => joined.wires.length === 0,
  });
  knownPeers.forEach(connectTo);
  for (const address of torrent.webSeeds) addWebSeed(address, MOST_WEB_SEED_FAILURES);

  function addWebSeed(address: string, chances: number): void {
    if (joined.destroyed || chances === 0) return;
    let left = chances;
    const again = (): void => {
      setTimeout(() => addWebSeed(address, left - 1), WEB_SEED_RETRY_MS).unref();
    };
    const answered = (): void => void (left = MOST_WEB_SEED_FAILURES);
    joined.addWebSeed(createWebSeed(address, torrent, layout, http, { answered, failed: again }));
  }

  return {
    get peers() {
      return joined.wires.length;
    },
    get speed() {
      return Math.round(joined.downloadSpeed);
    },
    get uploaded() {
      return joined.uploaded;
    },
    get asking() {
      return joined._selections.length;
    },
    ask(ranges) {
      if (joined.destroyed) return;
      joined.deselect(0, layout.pieceCount - 1);
      for (const { from, to } of ranges) joined.select(from, to);
    },
    async leave() {
      await Promise.race([
        Promise.all([trackers.leave(), destroy(joined)]),
        new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref()),
      ]);
      await http.close();
    },
  };
}

/** Leaves a swarm and closes all of its connections. */
export function destroy(joined: Joined): Promise<void> {
  return new Promise((resolve) => {
    if (joined.destroyed) resolve();
    else joined.destroy({ destroyStore: false }, () => resolve());
  });
}

async function ready(joined: Joined, broken: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => reject(broken.reason as Error);
  joined.once('ready', resolve);
  joined.once('error', reject);
  broken.addEventListener('abort', giveUp, { once: true });
  if (broken.aborted) giveUp();
  try {
    await promise;
  } catch (error) {
    await destroy(joined);
    throw error;
  } finally {
    broken.removeEventListener('abort', giveUp);
  }
}

/** Replaces work that webtorrent does for every message of every peer in proportion to the torrent's length. */
function reduceWork(joined: Joined): void {
  joined._rarityMap.destroy();
  joined._rarityMap = { destroy: () => {} };
  joined._updateWireInterest = (wire) => {
    if (joined._selections.length > 0) wire.interested();
    else wire.uninterested();
  };
  // Messages of a peer may be handled before the listeners are set, so the state is updated again.
  joined.on('wire', () => setImmediate(() => joined._update()));
  let isDue = false;
  joined._update = () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (!joined.destroyed) joined._updateWireWrapper();
    });
  };
}

/** Minimum of bytes requested ahead from a peer that is new or not slow. */
const AHEAD_BYTES = 2 * 1024 * 1024;
/** Requests cover this many seconds ahead, up to a maximum of bytes. */
const AHEAD_SECONDS = 3;
const MOST_AHEAD_BYTES = 16 * 1024 * 1024;
const NEW_MS = 10_000;
const REMEMBERED = 0.8;
const SLOW_BYTES = 64 * 1024;

/**
 * Increases the number of pipelined requests. webtorrent requests as much ahead as a peer sent in the last second, and
 * two blocks at first. With a round trip of half a second, that takes half a minute to reach full speed.
 */
function requestAhead(joined: Joined): void {
  const update = joined._updateWire;
  let asked: Wire | undefined;
  joined._updateWire = (wire) => {
    asked = wire;
    try {
      return update.call(joined, wire);
    } finally {
      asked = undefined;
    }
  };
  joined.on('wire', (wire: Wire) => {
    const measured = wire.downloadSpeed;
    const met = performance.now();
    wire.on('extended', (kind: unknown, handshake: { reqq?: unknown }) => {
      // Some clients drop the last request of the queue length (`reqq`) that they announce.
      if (kind === 'handshake' && typeof handshake.reqq === 'number') handshake.reqq *= REMEMBERED;
    });
    wire.downloadSpeed = (bytes) => {
      const speed = measured(bytes);
      const isPromising = speed > SLOW_BYTES || performance.now() - met < NEW_MS;
      if (wire !== asked || !isPromising) return speed;
      return Math.max(speed, Math.min(speed * AHEAD_SECONDS, MOST_AHEAD_BYTES), AHEAD_BYTES);
    };
  });
}

/** Builds the parsed torrent that webtorrent expects. Only the hashes in it come from strangers. */
function parsedOf(torrent: Torrent, layout: Layout): Parameters<Client['webtorrent']['add']>[0] {
  const { infoHash, length, pieceLength, pieceCount } = torrent;
  const span = PIECES_PER_FILE * pieceLength;
  return {
    infoHash,
    name: infoHash,
    announce: [],
    urlList: [],
    private: torrent.private,
    info: {},
    length,
    pieceLength,
    lastPieceLength: layout.pieceSize(pieceCount - 1),
    pieces: Array.from({ length: pieceCount }, (_, piece) =>
      Buffer.from(torrent.pieceHash(piece)).toString('hex'),
    ),
    files: Array.from({ length: Math.ceil(length / span) }, (_, n) => ({
      name: String(n),
      path: String(n),
      offset: n * span,
      length: Math.min(span, length - n * span),
    })),
  };
}

function storeClass(store: PieceStore, layout: Layout): new (pieceLength: number) => ChunkStore {
  return class implements ChunkStore {
    readonly chunkLength: number;

    constructor(pieceLength: number) {
      this.chunkLength = pieceLength;
    }

    put(piece: number, bytes: Uint8Array, done: Done): void {
      store.put(piece, bytes).then(() => done(null), done);
    }

    get(
      piece: number,
      range: { offset?: number; length?: number } | null | undefined,
      done: Done<Uint8Array>,
    ): void {
      const offset = range?.offset ?? 0;
      const length = range?.length ?? layout.pieceSize(piece) - offset;
      if (offset + length > layout.pieceSize(piece)) return done(new RangeError('Past the end of a piece'));
      store.get(piece, offset, length).then((bytes) => done(null, bytes), done);
    }

    close(done: Done): void {
      done(null);
    }

    destroy(done: Done): void {
      done(null);
    }
  };
}
