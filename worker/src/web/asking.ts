import type { Readable } from 'node:stream';
import type { WebSpec } from '@bowerbird/contract';
import { Agent } from 'undici';
import { FetchFailed } from '../fetch/engine.ts';
import { createConnector } from './connecting.ts';
import { createCookies } from './cookies.ts';
import { headersFor } from './member-headers.ts';
import { MOST_HEADER_BYTES, MOST_REDIRECTS, type Patience } from './patience.ts';
import { refusalOf, setbackOf } from './setback.ts';

export interface Answer {
  /** Where it came from in the end. */
  readonly url: URL;
  readonly status: number;
  /** One character for each byte; those that came twice are joined as lists are. */
  header(name: string): string | undefined;
  /** MUST be read or let go of. */
  readonly body: Readable;
  letGo(): void;
}

export interface Question {
  /** Somewhere that an earlier answer came from; the member's address by default. */
  readonly url?: URL | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are an answer although they aren't good. */
  readonly bear?: readonly number[];
}

/** Asks origins for one member's source. */
export interface Asking {
  /**
   * The first answer that is no redirect. Rejects with a FetchFailed, with a Setback where it may be tried again, or with
   * the signal's reason.
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Ends every connection. */
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function createAsking(spec: WebSpec, patience: Patience, connections: number): Asking {
  const agent = new Agent({
    connections,
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    bodyTimeout: patience.idleMs,
    // The whole of it is timed here, hop by hop.
    headersTimeout: 0,
    connect: createConnector(patience.connectMs),
  });
  const cookies = createCookies();

  async function once(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    const impatience = new AbortController();
    const timer = setTimeout(
      () => impatience.abort(new DOMException('The answer took too long', 'TimeoutError')),
      patience.openMs,
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
        signal: AbortSignal.any([signal, impatience.signal]),
      });
      // Whoever reads it is told; whoever let go of it doesn't want to know.
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
        letGo: () => void body.destroy(),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw setbackOf(error, 'source_failed');
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async ask({ url: first = new URL(spec.url), headers = {}, bear = [] }, signal) {
      let url = first;
      for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
        const answer = await once(url, { ...headersFor(spec, url), ...headers }, signal);
        const { status } = answer;
        const location = REDIRECTS.has(status) ? answer.header('location') : undefined;
        if (location === undefined) {
          const refusal = bear.includes(status) ? undefined : refusalOf(status, answer.header('retry-after'));
          if (!refusal) return answer;
          answer.letGo();
          throw refusal;
        }
        answer.letGo();
        url = followed(location, url);
      }
      throw new FetchFailed('source_failed', { final: true, facts: { reason: 'redirects' } });
    },
    close: () => agent.destroy(),
  };
}

/** An address led to a magnet link. */
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
  // The bytes that the site knows its path by, whatever they are encoded in.
  const text = location.replace(/[\x80-\xff]/g, (byte) => encodeByte(byte.charCodeAt(0)));
  if (/^\s*magnet:/i.test(text)) throw new LedToMagnet(text.trim());
  const url = URL.canParse(text, from) ? new URL(text, from) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new FetchFailed('link_unsupported', { final: true });
  return url;
}
