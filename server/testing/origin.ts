import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles a request to the site. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Another party's site, on loopback. */
export interface Origin extends AsyncDisposable {
  /** Returns the address of a path. */
  at(path: string): string;
  /** Sets the response for a path. */
  put(path: string, answer: Buffer | Answer): void;
  /** Sets the response for all other paths. */
  otherwise(answer: Answer): void;
  /** Every request that was received, as `METHOD path range`. */
  readonly asked: string[];
  /** Cuts all connections. */
  cut(): void;
}

/** Settings that allow the product to connect to such a site. */
export const LOOPBACK_ALLOWED = { FETCH_ALLOW: '127.0.0.0/8' };

export async function openOrigin(): Promise<Origin> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  let rest: Answer = (_, response) =>
    void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    asked.push(`${request.method} ${path} ${request.headers.range ?? ''}`.trim());
    (answers.get(path) ?? rest)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at: (path) => `http://127.0.0.1:${port}${path}`,
    put: (path, answer) => answers.set(path, typeof answer === 'function' ? answer : bytes(answer)),
    otherwise(answer) {
      rest = answer;
    },
    asked,
    cut: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** Serves a file like a typical site: with a strong tag and single ranges. */
export function bytes(content: Buffer, { tag = '"one"' }: { tag?: string } = {}): Answer {
  return (request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const ifRange = request.headers['if-range'];
    const isRange = from !== undefined && (ifRange === undefined || ifRange === tag);
    const start = isRange ? Number(from) : 0;
    const end = isRange && to ? Math.min(Number(to), content.length - 1) : content.length - 1;
    response.writeHead(isRange ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: tag,
      'content-length': end - start + 1,
      ...(isRange ? { 'content-range': `bytes ${start}-${end}/${content.length}` } : {}),
    });
    response.end(content.subarray(start, end + 1));
  };
}

/** Serves a file slowly, one piece at a time. */
export function slowly(content: Buffer, { everyMs = 50, piece = 64 * 1024 } = {}): Answer {
  return (request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': content.length });
    let at = 0;
    const timer = setInterval(() => {
      response.write(content.subarray(at, at + piece));
      at += piece;
      if (at < content.length) return;
      clearInterval(timer);
      response.end();
    }, everyMs);
    request.on('close', () => clearInterval(timer));
    response.on('close', () => clearInterval(timer));
  };
}
