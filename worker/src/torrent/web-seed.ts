import { createHash } from 'node:crypto';
import Wire from 'bittorrent-protocol';
import type { Http } from './http.ts';
import type { Layout, Segment } from './layout.ts';
import type { Torrent } from './torrent-file.ts';

/** A web server with the files of a torrent (BEP 19), presented to webtorrent as a peer. */
export type WebSeed = Wire & { readonly connId: string };

type Respond = (error: Error | null, bytes?: Uint8Array) => void;

/**
 * Creates a peer that announces all pieces and fetches requested blocks over HTTP. On any error it disconnects and
 * calls `failed`; it calls `answered` after each successful request.
 */
export function createWebSeed(
  address: string,
  torrent: Torrent,
  layout: Layout,
  http: Http,
  { answered, failed }: { answered: () => void; failed: (error: unknown) => void },
): WebSeed {
  const wire = new Wire();
  const hangingUp = new AbortController();
  const seed = Object.assign(wire, { connId: address });
  wire.setKeepAlive(true);
  wire.once('handshake', (infoHash: string) => {
    wire.handshake(infoHash, createHash('sha1').update(address).digest('hex'), { fast: true });
    wire.haveAll();
  });
  wire.once('interested', () => wire.unchoke());
  wire.once('close', () => hangingUp.abort());
  wire.on('request', (piece: number, offset: number, length: number, respond: Respond) => {
    request(piece, offset, length).then(
      (bytes) => {
        answered();
        respond(null, bytes);
      },
      (error: unknown) => {
        if (hangingUp.signal.aborted) return;
        wire.destroy();
        failed(error);
      },
    );
  });

  async function request(piece: number, offset: number, length: number): Promise<Uint8Array> {
    const end = offset + length;
    const parts = layout
      .segmentsOf(piece)
      .filter(({ at, size }) => at < end && at + size > offset)
      .map((segment) => {
        const from = Math.max(offset, segment.at);
        const size = Math.min(end, segment.at + segment.size) - from;
        return part(segment, segment.start + from - segment.at, size);
      });
    return Buffer.concat(await Promise.all(parts));
  }

  async function part({ file }: Segment, start: number, size: number): Promise<Uint8Array> {
    // Web servers do not have padding files, which are zeros.
    if (torrent.files[file]!.filler) return new Uint8Array(size);
    const { status, headers, body } = await http.get(addressOf(address, torrent, file), {
      headers: { range: `bytes=${start}-${start + size - 1}` },
      most: size,
      signal: hangingUp.signal,
    });
    const whole = status === 200 && start === 0 && size === torrent.files[file]!.size;
    const ranged = status === 206 && headers.get('content-range')?.startsWith(`bytes ${start}-`);
    if ((!whole && !ranged) || body.length !== size)
      throw new Error(`Web seed answered ${status} with ${body.length} bytes`);
    return body;
  }

  return seed;
}

function addressOf(seed: string, { single, name, files }: Torrent, file: number): string {
  if (single) return seed.endsWith('/') ? seed + encodeURIComponent(name) : seed;
  const path = [name, ...files[file]!.path]
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
  return `${seed.endsWith('/') ? seed : `${seed}/`}${path}`;
}
