import type { ReadText } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import { createRateLimit } from '../fetch/rate-limit.ts';
import type { HttpResponse } from './http-session.ts';
import { createHttpSession, LedToMagnet } from './http-session.ts';
import { bodyOf } from './body.ts';
import { decoded, encodingOf } from './decoding.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from './timeouts.ts';
import { TransientError } from './fetch-errors.ts';
import { textOf } from './text-decoding.ts';

export interface TextRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly validator?: string;
  readonly maxBytes: number;
}

const NOT_MODIFIED = 304;
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/**
 * Reads a small text, unless it has not changed since `validator`. Rejects with a FetchFailed, or promptly with any
 * error once aborted.
 */
export async function readText(
  { url, headers, validator, maxBytes }: TextRequest,
  signal: AbortSignal,
  timeouts: Timeouts = DEFAULT_TIMEOUTS,
): Promise<ReadText> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new FetchFailed('link_unsupported', { final: true });
  const session = createHttpSession(
    { kind: 'web', url, headers: { accept: ACCEPT, ...headers } },
    timeouts,
    1,
  );
  try {
    const conditions = conditionsOf(validator);
    const acceptStatuses = Object.keys(conditions).length > 0 ? [NOT_MODIFIED] : [];
    const response = await session.send({ headers: conditions, acceptStatuses }, signal);
    if (response.status === NOT_MODIFIED) {
      response.discard();
      return { url: response.url.href, text: '', validator: validator!, notModified: true };
    }
    const read = {
      url: response.url.href,
      text: textOf(await whole(response, maxBytes, signal, timeouts), response.header('content-type')),
    };
    const next = validatorOf(response);
    return next === undefined ? read : { ...read, validator: next };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LedToMagnet) throw new FetchFailed('link_unsupported', { final: true });
    throw error instanceof TransientError ? error.failure : error;
  } finally {
    await session.close();
  }
}

async function whole(
  response: HttpResponse,
  maxBytes: number,
  signal: AbortSignal,
  timeouts: Timeouts,
): Promise<Buffer> {
  const tooLarge = new FetchFailed('source_too_large', { final: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const encoding = encodingOf(response.header('content-encoding'), '');
    if (Number(response.header('content-length')) > maxBytes) throw tooLarge;
    const body = bodyOf(response, { timeouts, rate: createRateLimit(null), signal });
    for await (const chunk of encoding ? decoded(body, encoding) : body) {
      length += chunk.byteLength;
      if (length > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } finally {
    response.discard();
  }
  return Buffer.concat(chunks, length);
}

/** Returns ETag and Last-Modified; both are sent back if present, and the origin decides which one it uses. */
function validatorOf(response: HttpResponse): string | undefined {
  const tag = response.header('etag')?.trim();
  const modified = response.header('last-modified')?.trim();
  return tag || modified ? JSON.stringify([tag ?? '', modified ?? '']) : undefined;
}

function conditionsOf(validator: string | undefined): Record<string, string> {
  if (validator === undefined) return {};
  const [tag, modified] = JSON.parse(validator) as [string, string];
  return { ...(tag ? { 'if-none-match': tag } : {}), ...(modified ? { 'if-modified-since': modified } : {}) };
}
