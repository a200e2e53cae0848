import { request } from 'node:http';
import { failure } from './answers.ts';
import type { Decode } from './strict.ts';

/** A server to connect to, and its responses. */
export interface Line {
  readonly origin: string;
  /** The last response of each call, by the name of the call. */
  readonly answers: Map<string, unknown>;
  /** The clock of the machine that the program runs on; the real one by default. */
  readonly now?: () => number;
}

export const timeOf = ({ now = Date.now }: Line): number => now();

export interface Ask {
  readonly method: string;
  /** Host name that the program has in its code; sent as Host. */
  readonly host: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** An error as programs read it. */
export class Refused extends Error {
  readonly id: string;
  readonly code: number;
  readonly status: number;

  constructor(id: string, code: number, status: number, text: string) {
    super(`${status} ${id} (${code}): ${text}`);
    this.id = id;
    this.code = code;
    this.status = status;
  }
}

/** Sends a request as given, with the given Host. */
export function send(origin: string, { method, host, path, query, headers, body }: Ask): Promise<Reply> {
  const { hostname, port } = new URL(origin);
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : '';
  const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path: path + search,
        headers: {
          host,
          ...(bytes instanceof Uint8Array && !(body instanceof Uint8Array)
            ? { 'content-type': 'application/json; charset=utf-8' }
            : {}),
          ...(bytes ? { 'content-length': bytes.byteLength } : {}),
          ...headers,
        },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({ status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/**
 * Sends a request and decodes the response; throws {@link Refused} for errors, which must have the standard
 * format.
 */
export async function ask<T>(line: Line, name: string, asked: Ask, decode: Decode<T>): Promise<T> {
  const { status, headers, body } = await send(line.origin, asked);
  if (!/^application\/json\b/.test(String(headers['content-type'])))
    throw new Error(`${name} returned no JSON: ${String(headers['content-type'])}`);
  const value = JSON.parse(body.toString()) as unknown;
  if (status >= 400) {
    const { error, error_code: code, error_description: text } = failure(value, name);
    throw new Refused(error, code, status, text);
  }
  if (typeof value === 'object' && value !== null && 'error' in value)
    throw new Error(`${name} succeeded with an error`);
  line.answers.set(name, value);
  return decode(value, name);
}
