import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on this machine that links can lead to; its responses can be changed between requests. */
export interface Origin extends AsyncDisposable {
  readonly url: string;
  /**
   * Responds to a path with these bytes; `bytesPerSecond` slows it down. With `until`, the second half of each response
   * waits for that.
   */
  serve(path: string, body: Buffer, options?: { bytesPerSecond?: number; until?: Promise<void> }): void;
  /** Responds to a path with an empty body and this status. */
  refuse(path: string, status: number): void;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const TICK_MS = 100;

export async function startOrigin(): Promise<Origin> {
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://origin').pathname);
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(path, body, { bytesPerSecond = Number.POSITIVE_INFINITY, until } = {}) {
      answers.set(path, (request, response) => {
        const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
        const from = Number(range?.[1] ?? 0);
        const to = Math.min(range?.[2] ? Number(range[2]) : body.length - 1, body.length - 1);
        response.writeHead(range ? 206 : 200, {
          'accept-ranges': 'bytes',
          'content-length': to - from + 1,
          'content-type': 'application/octet-stream',
          etag: `"${body.length}"`,
          ...(range ? { 'content-range': `bytes ${from}-${to}/${body.length}` } : {}),
        });
        const middle = from + Math.ceil((to + 1 - from) / 2);
        // Requests for one byte only look.
        if (request.method === 'HEAD') response.end();
        else if (until && to > from) {
          response.write(body.subarray(from, middle));
          void until.then(() => response.end(body.subarray(middle, to + 1)));
        } else trickle(response, body.subarray(from, to + 1), bytesPerSecond);
      });
    },
    refuse: (path, status) => void answers.set(path, (_, response) => response.writeHead(status).end()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function trickle(response: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  if (bytesPerSecond === Number.POSITIVE_INFINITY) {
    response.end(body);
    return;
  }
  const step = Math.max(1, Math.round((bytesPerSecond * TICK_MS) / 1000));
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + step));
    sent += step;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, TICK_MS);
  response.on('close', () => clearInterval(timer));
}

/** A .torrent file for files with these paths and sizes, which no peer has. */
export function torrentFile(
  name: string,
  files: readonly { readonly path: string; readonly size: number }[],
): Buffer {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const pieceLength = 2 ** 20;
  return bencode({
    announce: 'udp://127.0.0.1:9',
    info: {
      files: files.map(({ path, size }) => ({ length: size, path: path.split('/') })),
      name,
      'piece length': pieceLength,
      pieces: Buffer.alloc(20 * Math.ceil(total / pieceLength), name),
    },
  });
}

type Bencoded = number | string | Buffer | readonly Bencoded[] | { readonly [key: string]: Bencoded };

function bencode(value: Bencoded): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`);
  if (typeof value === 'string') return bencode(Buffer.from(value));
  if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.from(`${value.length}:`), value]);
  const [open, parts] = Array.isArray(value)
    ? ['l', value.map((one: Bencoded) => bencode(one))]
    : [
        'd',
        Object.entries(value as { readonly [key: string]: Bencoded })
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([key, one]) => [bencode(key), bencode(one)]),
      ];
  return Buffer.concat([Buffer.from(open), ...parts, Buffer.from('e')]);
}
