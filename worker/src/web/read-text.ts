import type { ReadText } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import { createRateLimit } from '../fetch/rate-limit.ts';
import type { Answer } from './asking.ts';
import { createAsking, LedToMagnet } from './asking.ts';
import { bodyOf } from './body.ts';
import { decoded, encodingOf } from './decoding.ts';
import { PATIENCE, type Patience } from './patience.ts';
import { Setback } from './setback.ts';
import { textOf } from './text-decoding.ts';

export interface TextOrder {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly validator?: string;
  readonly maxBytes: number;
}

const NOT_MODIFIED = 304;
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** Reads a small text, unless it has not changed since it was last read. Rejects with a FetchFailed, or promptly with anything once aborted. */
export async function readText(
  { url, headers, validator, maxBytes }: TextOrder,
  signal: AbortSignal,
  patience: Patience = PATIENCE,
): Promise<ReadText> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new FetchFailed('link_unsupported', { final: true });
  const asking = createAsking({ kind: 'web', url, headers: { accept: ACCEPT, ...headers } }, patience, 1);
  try {
    const conditions = conditionsOf(validator);
    const bear = Object.keys(conditions).length > 0 ? [NOT_MODIFIED] : [];
    const answer = await asking.ask({ headers: conditions, bear }, signal);
    if (answer.status === NOT_MODIFIED) {
      answer.letGo();
      return { url: answer.url.href, text: '', validator: validator!, notModified: true };
    }
    const read = {
      url: answer.url.href,
      text: textOf(await whole(answer, maxBytes, signal, patience), answer.header('content-type')),
    };
    const next = validatorOf(answer);
    return next === undefined ? read : { ...read, validator: next };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LedToMagnet) throw new FetchFailed('link_unsupported', { final: true });
    throw error instanceof Setback ? error.failure : error;
  } finally {
    await asking.close();
  }
}

async function whole(
  answer: Answer,
  maxBytes: number,
  signal: AbortSignal,
  patience: Patience,
): Promise<Buffer> {
  const tooLarge = new FetchFailed('source_too_large', { final: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const encoding = encodingOf(answer.header('content-encoding'), '');
    if (Number(answer.header('content-length')) > maxBytes) throw tooLarge;
    const body = bodyOf(answer, { patience, rate: createRateLimit(null), signal });
    for await (const chunk of encoding ? decoded(body, encoding) : body) {
      length += chunk.byteLength;
      if (length > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } finally {
    answer.letGo();
  }
  return Buffer.concat(chunks, length);
}

/** Both, where the origin gives both: which of them it looks at is its own affair. */
function validatorOf(answer: Answer): string | undefined {
  const tag = answer.header('etag')?.trim();
  const modified = answer.header('last-modified')?.trim();
  return tag || modified ? JSON.stringify([tag ?? '', modified ?? '']) : undefined;
}

function conditionsOf(validator: string | undefined): Record<string, string> {
  if (validator === undefined) return {};
  const [tag, modified] = JSON.parse(validator) as [string, string];
  return { ...(tag ? { 'if-none-match': tag } : {}), ...(modified ? { 'if-modified-since': modified } : {}) };
}
