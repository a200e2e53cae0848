import type { Readable } from 'node:stream';
import type { WebSpec } from '@bowerbird/contract';
import { Agent } from 'undici';
import { FetchFailed } from '../fetch/engine.ts';
import { createConnector } from './connecting.ts';
import { createCookies } from './cookies.ts';
import { headersFor } from './member-headers.ts';
import { MOST_HEADER_BYTES, MOST_REDIRECTS, type Timeouts } from './timeouts.ts';
import { errorOfStatus, classifyError } from './fetch-errors.ts';

export interface HttpResponse {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly status: number;
  /** Returns a header value with one character per byte; repeated headers are joined with commas. */
  header(name: string): string | undefined;
  /** MUST be read to its end or discarded. */
  readonly body: Readable;
  discard(): void;
}

export interface HttpRequest {
  /** The final URL of an earlier response; the member's address by default. */
  readonly url?: URL | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Error statuses that are returned instead of rejected. */
  readonly acceptStatuses?: readonly number[];
}

/** Sends the HTTP requests for one source, with connections and cookies of its own. */
export interface HttpSession {
  /**
   * Sends a request and follows redirects. Rejects with a FetchFailed, with a TransientError if a retry may help, or
   * with the signal's reason.
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /** Closes all connections. */
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function createHttpSession(spec: WebSpec, timeouts: Timeouts, connections: number): HttpSession {
  const agent = new Agent({
    connections,
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    bodyTimeout: timeouts.idleMs,
    // `once` sets a timeout for each hop.
    headersTimeout: 0,
    connect: createConnector(timeouts.connectMs),
  });
  const cookies = createCookies();

  async function once(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpResponse> {
    const timeout = new AbortController();
    const timer = setTimeout(
      () => timeout.abort(new DOMException('The response took too long', 'TimeoutError')),
      timeouts.openMs,
    );
    try {
      const {
        statusCode,
        headers: fields,
        body,
      } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: cookies.addTo(headers, url),
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      // A reader of the body gets the error; after `discard` it does not matter.
      body.on('error', () => {});
      cookies.take(fields['set-cookie'], url);
      return {
        url,
        status: statusCode,
        header(name) {
          const value = fields[name];
          return Array.isArray(value) ? value.join(', ') : value;
        },
        body,
        discard: () => void body.destroy(),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw classifyError(error, 'source_failed');
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async send({ url: first = new URL(spec.url), headers = {}, acceptStatuses = [] }, signal) {
      let url = first;
      for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
        const response = await once(url, { ...headersFor(spec, url), ...headers }, signal);
        const { status } = response;
        const location = REDIRECTS.has(status) ? response.header('location') : undefined;
        if (location === undefined) {
          const refusal = acceptStatuses.includes(status)
            ? undefined
            : errorOfStatus(status, response.header('retry-after'));
          if (!refusal) return response;
          response.discard();
          throw refusal;
        }
        response.discard();
        url = followed(location, url);
      }
      throw new FetchFailed('source_failed', { final: true, facts: { reason: 'redirects' } });
    },
    close: () => agent.destroy(),
  };
}

/** Thrown if an address redirects to a magnet link. */
export class LedToMagnet extends Error {
  override name = 'LedToMagnet';
  readonly magnet: string;

  constructor(magnet: string) {
    super('The address leads to a magnet link');
    this.magnet = magnet;
  }
}

const encodeByte = (byte: number): string => `%${byte.toString(16).toUpperCase()}`;

function followed(location: string, from: URL): URL {
  // Keeps the raw bytes of the path, whatever their encoding.
  const text = location.replace(/[\x80-\xff]/g, (byte) => encodeByte(byte.charCodeAt(0)));
  if (/^\s*magnet:/i.test(text)) throw new LedToMagnet(text.trim());
  const url = URL.canParse(text, from) ? new URL(text, from) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchFailed('link_unsupported', { final: true });
  return url;
}
