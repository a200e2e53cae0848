import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import Wire from 'bittorrent-protocol';
import { writeBencoded } from '../torrent/bencode.ts';
import { offerMetadata } from '../torrent/metadata.ts';

// Malicious peers and trackers.

export interface TestPeer {
  readonly address: string;
  /** Connections received. */
  readonly met: number;
  /** Bytes sent. */
  readonly sent: number;
  /** Handshakes received. */
  readonly greetings: { dht?: boolean; extensions?: string[] }[];
  close(): Promise<void>;
}

const PEER_ID = Buffer.from('-XX0001-abcdefghijkl').toString('hex');

async function listen(host: string, met: (socket: Socket) => void): Promise<Omit<TestPeer, 'greetings'>> {
  const sockets = new Set<Socket>();
  let count = 0;
  let sent = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
    met(socket);
  }).listen(0, host);
  await once(server, 'listening');
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    get met() {
      return count;
    },
    get sent() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A peer that has a torrent, and sends its bytes as changed by `give`. It sends the first `most()` pieces that it is asked
 * for, and holds the others back; it sends nothing if `most()` is lower than what it has sent already.
 */
export async function startPeer(
  host: string,
  {
    infoHash,
    bytes,
    pieceLength,
    info,
    metadataSize,
    give = (block) => block,
    most = () => Infinity,
  }: {
    readonly infoHash: string;
    readonly bytes: Uint8Array;
    readonly pieceLength: number;
    readonly info?: Uint8Array;
    readonly metadataSize?: number;
    readonly give?: (block: Uint8Array) => Uint8Array;
    readonly most?: () => number;
  },
): Promise<TestPeer> {
  const greetings: TestPeer['greetings'] = [];
  const given = new Set<number>();
  const peer = await listen(host, (socket) => {
    const wire = new Wire('tcpIncoming', 0);
    wire.on('error', () => {});
    if (info) wire.use(offerMetadata(info).extension);
    if (metadataSize) wire.extendedHandshake['metadata_size'] = metadataSize;
    socket.pipe(wire as unknown as NodeJS.WritableStream);
    (wire as unknown as NodeJS.ReadableStream).pipe(socket);
    wire.once('handshake', (_hash: string, _id: string, extensions: { dht: boolean }) => {
      greetings.push({ dht: extensions.dht });
      wire.handshake(infoHash, PEER_ID, { fast: true });
      wire.haveAll();
      wire.unchoke();
    });
    wire.on('extended', (kind: unknown, handshake: { m?: object }) => {
      if (kind === 'handshake') greetings.push({ extensions: Object.keys(handshake.m ?? {}) });
    });
    wire.on(
      'request',
      (piece: number, offset: number, length: number, respond: (error: null, block: Uint8Array) => void) => {
        const isHeld = given.size > most() || (given.size === most() && !given.has(piece));
        if (isHeld) return;
        given.add(piece);
        const start = piece * pieceLength + offset;
        respond(null, give(bytes.subarray(start, start + length)));
      },
    );
  });
  return Object.assign(Object.create(peer) as typeof peer, { greetings });
}

/** A peer that completes the handshake, and then misbehaves. */
export function startRogue(
  host: string,
  infoHash: string,
  then: (socket: Socket) => void,
): Promise<TestPeer> {
  return listen(host, (socket) => {
    socket.once('data', () => {
      const reserved = Buffer.from('0000000000100005', 'hex');
      socket.write(
        Buffer.concat([
          Buffer.from('\x13BitTorrent protocol'),
          reserved,
          Buffer.from(infoHash, 'hex'),
          Buffer.from(PEER_ID, 'hex'),
        ]),
      );
      then(socket);
    });
  }).then((peer) => Object.assign(Object.create(peer) as typeof peer, { greetings: [] }));
}

/** A forbidden address; counts its connections. */
export function startTrap(host: string): Promise<TestPeer> {
  return listen(host, (socket) => void socket.destroy()).then((peer) =>
    Object.assign(Object.create(peer) as typeof peer, { greetings: [] }),
  );
}

export interface TestOrigin {
  readonly url: string;
  close(): Promise<void>;
}

export async function startOrigin(host: string, answer: RequestListener): Promise<TestOrigin> {
  const server = createHttpServer(answer).listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A tracker that returns the given peers. */
export const naming =
  (peers: () => readonly string[]): RequestListener =>
  (_request, response) => {
    const list = peers().map((address) => {
      const [ip, port] = address.split(':');
      return new Map<string, string | number>([
        ['ip', ip!],
        ['port', Number(port)],
      ]);
    });
    response.end(
      writeBencoded(
        new Map<string, number | typeof list>([
          ['interval', 1],
          ['peers', list],
        ]),
      ),
    );
  };

/** Writes a torrent of one file by hand, with any content. */
export function forge(
  bytes: Uint8Array,
  { name = 'forged.bin', pieceLength = 65_536, isPrivate = false } = {},
): { readonly info: Buffer; readonly infoHash: string; readonly pieceLength: number } {
  const pieces = [];
  for (let start = 0; start < bytes.length; start += pieceLength) {
    pieces.push(
      createHash('sha1')
        .update(bytes.subarray(start, start + pieceLength))
        .digest(),
    );
  }
  const hashes = Buffer.concat(pieces);
  const info = Buffer.concat([
    Buffer.from(`d6:lengthi${bytes.length}e4:name${name.length}:${name}12:piece lengthi${pieceLength}e`),
    Buffer.from(`6:pieces${hashes.length}:`),
    hashes,
    Buffer.from(isPrivate ? '7:privatei1ee' : 'e'),
  ]);
  return { info, infoHash: createHash('sha1').update(info).digest('hex'), pieceLength };
}
