// Types for the parts of these packages that we use. Names with _ are private to them, so their versions are pinned.

declare module 'webtorrent' {
  import type { EventEmitter } from 'node:events';
  import type Wire from 'bittorrent-protocol';

  export interface ParsedTorrent {
    infoHash: string;
    name: string;
    announce: string[];
    urlList: string[];
    private: boolean;
    info?: object;
    length?: number;
    pieceLength?: number;
    lastPieceLength?: number;
    pieces?: string[];
    files?: { name: string; path: string; length: number; offset: number }[];
  }

  export type Done<T = void> = (error: Error | null, value?: T) => void;

  export interface ChunkStore {
    chunkLength: number;
    put(index: number, bytes: Uint8Array, done: Done): void;
    get(
      index: number,
      range: { offset?: number; length?: number } | null | undefined,
      done: Done<Uint8Array>,
    ): void;
    close(done: Done): void;
    destroy(done: Done): void;
  }

  export interface TorrentOptions {
    store: new (pieceLength: number) => ChunkStore;
    storeCacheSlots: number;
    bitfield?: Uint8Array;
    deselect: boolean;
    strategy: 'sequential' | 'rarest';
  }

  export interface Torrent extends EventEmitter {
    readonly infoHash: string;
    readonly destroyed: boolean;
    readonly ready: boolean;
    readonly wires: readonly Wire[];
    readonly pieces: readonly ({ readonly length: number; readonly missing: number } | null)[];
    readonly bitfield: { get(index: number): boolean };
    readonly downloadSpeed: number;
    readonly uploaded: number;
    readonly received: number;
    readonly numPeers: number;
    addPeer(address: string, source?: string): boolean;
    addWebSeed(connection: Wire & { connId: string }): void;
    select(from: number, to: number, priority?: number): void;
    deselect(from: number, to: number): void;
    destroy(options: object, done?: () => void): void;
    readonly _selections: { readonly length: number };
    _addPeer(peer: unknown, ...rest: unknown[]): { retries: number } | null;
    _rarityMap: { destroy(): void };
    _update(): void;
    _updateWire(wire: Wire): unknown;
    _updateWireWrapper(): void;
    _updateWireInterest(wire: Wire): void;
  }

  export default class WebTorrent extends EventEmitter {
    constructor(options: object);
    readonly torrents: readonly Torrent[];
    readonly torrentPort: number;
    readonly peerId: string;
    readonly listening: boolean;
    blocked?: { contains(host: string): boolean };
    add(torrent: ParsedTorrent, options: TorrentOptions): Torrent;
    destroy(done?: () => void): void;
  }
}

declare module 'bittorrent-protocol' {
  import type { Duplex } from 'node:stream';

  export interface Extension {
    onExtendedHandshake?(handshake: Record<string, unknown>): void;
    onMessage?(bytes: Uint8Array): void;
  }

  export default class Wire extends Duplex {
    constructor(type?: string | null, encryption?: number);
    readonly type: string;
    readonly remoteAddress?: string;
    readonly remotePort?: number;
    downloadSpeed: (bytes?: number) => number;
    readonly peerRequests: readonly unknown[];
    readonly extendedHandshake: Record<string, unknown>;
    handshake(infoHash: string, peerId: string, extensions?: object): void;
    use(extension: new (wire: Wire) => Extension): void;
    extended(name: string, bytes: Uint8Array): void;
    bitfield(pieces: unknown): void;
    have(index: number): void;
    unchoke(): void;
    interested(): void;
    uninterested(): void;
    setKeepAlive(on: boolean): void;
    haveAll(): void;
    readonly lt_donthave: { donthave(index: number): void };
    _write(bytes: Uint8Array, done: (error: Error | null) => void): void;
    _onMessageLength(bytes: Uint8Array): void;
    _onRequest(piece: number, offset: number, length: number): void;
  }
}

declare module 'bittorrent-tracker' {
  import type { EventEmitter } from 'node:events';

  export class Server extends EventEmitter {
    constructor(options: object);
    readonly torrents: Record<string, { readonly complete: number; readonly incomplete: number } | undefined>;
    listen(port: number, done: () => void): void;
    close(done?: () => void): void;
  }
}
