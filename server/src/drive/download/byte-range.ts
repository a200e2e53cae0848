import { readTime } from '@bowerbird/contract';

/** First and last offset, both inclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The whole content; one or several spans of it; or no requested span is within it. */
export type Answer = 'whole' | 'unsatisfiable' | readonly Span[];

/** Requests with more spans get the whole content: no legitimate reader sends so many. */
const MOST_SPANS = 10;
const SPAN = /^(\d*)-(\d*)$/;

/** Parses a `Range` header (RFC 9110) for `size` bytes. A malformed one counts as absent. */
export function readRange(header: string | undefined, size: number): Answer {
  const set = /^bytes=(.+)$/i.exec(header?.trim() ?? '')?.[1];
  if (set === undefined) return 'whole';
  const spans: Span[] = [];
  let suffixOfNothing = false;
  for (const part of set.split(',')) {
    const text = part.trim();
    if (text === '') continue;
    const [, first = '', last = ''] = SPAN.exec(text) ?? [];
    if (first === '' && last === '') return 'whole';
    if (first === '') {
      const length = Math.min(Number(last), size);
      if (length > 0) spans.push({ start: size - length, end: size - 1 });
      else if (Number(last) > 0) suffixOfNothing = true;
      continue;
    }
    const start = Number(first);
    const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
    if (end < start) return 'whole';
    if (start < size) spans.push({ start, end: Math.min(end, size - 1) });
  }
  if (spans.length === 0) return suffixOfNothing ? 'whole' : 'unsatisfiable';
  if (spans.length === 1) return spans;
  const asked = spans.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  // Overlapping or very many spans would make us send more than the file has.
  return spans.length > MOST_SPANS || asked > size ? 'whole' : spans;
}

interface Conditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * Evaluates conditional headers: `not-modified` (304), `failed` (412), or nothing. `etag` is strong, including
 * its quotes.
 */
export function judge(
  headers: Conditions,
  etag: string,
  modifiedAt: number,
): 'send' | 'not-modified' | 'failed' {
  const seconds = Math.floor(modifiedAt / 1000);
  const match = headers['if-match'];
  const unmodified = secondsOf(headers['if-unmodified-since']);
  if (match !== undefined ? !lists(match, etag, false) : unmodified !== undefined && seconds > unmodified)
    return 'failed';
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return lists(noneMatch, etag, true) ? 'not-modified' : 'send';
  const since = secondsOf(headers['if-modified-since']);
  return since !== undefined && seconds <= since ? 'not-modified' : 'send';
}

/** Returns true if a range may be sent: the client's partial content has the same version. */
export function rangeStands(ifRange: string | undefined, etag: string, modifiedAt: number): boolean {
  if (ifRange === undefined) return true;
  const text = ifRange.trim();
  if (text.startsWith('"') || text.startsWith('W/')) return text === etag;
  return secondsOf(text) === Math.floor(modifiedAt / 1000);
}

/** Returns true if a list of entity tags, or `*`, contains this one; weak ones match only if allowed. */
function lists(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].some(
    ([, isWeak, tag]) => tag === etag && (weak || isWeak === undefined),
  );
}

function secondsOf(date: string | undefined): number | undefined {
  const time = readTime(date ?? '');
  return time === undefined ? undefined : Math.floor(time / 1000);
}
