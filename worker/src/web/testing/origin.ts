import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as net from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server that a test controls. */
export interface Origin {
  readonly port: number;
  url(path?: string): string;
  /** Handles requests from now on. */
  handler: Handler;
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Number of connections received. */
  connections: number;
  /** Bytes of file bodies that were sent. */
  served: number;
  /** Closes every connection. */
  cut(): void;
  open(): number;
  close(): Promise<void>;
}

export async function startOrigin(handler: Handler = (_, response) => response.end()): Promise<Origin> {
  const sockets = new Set<net.Socket>();
  const server = createServer((request, response) => {
    origin.requests.push({ url: request.url!, headers: request.headers });
    origin.handler(request, response);
  });
  server.on('connection', (socket) => {
    origin.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const origin: Origin = {
    port,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    handler,
    requests: [],
    connections: 0,
    served: 0,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    open: () => sockets.size,
    async close() {
      origin.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return origin;
}

/** A TCP server for invalid or custom HTTP. */
export async function startRaw(
  talk: (socket: net.Socket, request: string) => void,
): Promise<{ port: number; url(path?: string): string; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (bytes) => talk(socket, bytes.toString('latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    url: (path = '/file.bin') => `http://127.0.0.1:${port}${path}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Served {
  readonly bytes: Uint8Array;
  readonly etag?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly ranges?: boolean;
  /** Writes the body instead of `pour`. */
  readonly write?: (response: ServerResponse, body: Uint8Array, request: IncomingMessage) => void;
}

/** Serves bytes correctly, with ranges and If-Range. */
export function serve(origin: Origin, of: (request: IncomingMessage) => Served): Handler {
  return (request, response) => {
    const { bytes, etag, headers = {}, ranges = true, write } = of(request);
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const condition = request.headers['if-range'];
    const isRange = ranges && first !== undefined && (condition === undefined || condition === etag);
    const start = isRange ? Number(first) : 0;
    if (isRange && start >= bytes.byteLength)
      return void response.writeHead(416, { 'content-range': `bytes */${bytes.byteLength}` }).end();
    const end = isRange && last ? Math.min(Number(last) + 1, bytes.byteLength) : bytes.byteLength;
    const body = bytes.subarray(start, end);
    response.writeHead(isRange ? 206 : 200, {
      'content-length': body.byteLength,
      'content-type': 'application/octet-stream',
      ...(etag ? { etag } : {}),
      ...(isRange ? { 'content-range': `bytes ${start}-${end - 1}/${bytes.byteLength}` } : {}),
      ...headers,
    });
    if (write) return write(response, body, request);
    pour(origin, response, body);
  };
}

/** Sends a body in pieces and counts them; stops once the origin has served `most` bytes. */
export function pour(
  origin: Origin,
  response: ServerResponse,
  body: Uint8Array,
  { pauseMs = 0, most = Infinity }: { pauseMs?: number; most?: number } = {},
): void {
  const piece = 64 * 1024;
  let at = 0;
  const next = (): void => {
    if (response.destroyed) return;
    if (at >= body.byteLength) return void response.end();
    if (origin.served >= most) return;
    const chunk = body.subarray(at, at + piece);
    at += chunk.byteLength;
    origin.served += chunk.byteLength;
    const goOn = (): void => void (pauseMs ? setTimeout(next, pauseMs) : setImmediate(next));
    if (response.write(chunk)) goOn();
    else response.once('drain', goOn);
  };
  next();
}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
