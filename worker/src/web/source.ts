import { categoryOf, fileExtension, fileTime, mimeOf, readTime, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { HttpResponse } from './http-session.ts';
import { encodingOf, type Encoding } from './decoding.ts';
import { lastSegment, sourceName } from './source-name.ts';

/** The properties of a file, as derived from a response. */
export interface Source {
  readonly name: string;
  /** Size of the whole file in bytes, decoded; null if unknown. */
  readonly size: number | null;
  /** The validator for If-Range: identifies exactly these bytes. */
  readonly tag: string | undefined;
  /** Two responses belong to the same version if this is equal. */
  readonly version: string | undefined;
  /** The byte range of a partial response; the end is exclusive. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
  /** The content encoding to decode. */
  readonly encoding: Encoding | undefined;
  /** True if a full response announces range support: some origins send 200 for a range of the whole file. */
  readonly promisesRanges: boolean;
  /** The time of the last change; undefined if absent or invalid. */
  readonly modifiedAt: number | undefined;
}

/** Derives the source from a full or partial response to `requested`. */
export function sourceOf(response: HttpResponse, requested: URL): Source {
  const name = sourceName(response.header('content-disposition'), requested);
  const encoding = encodingOf(response.header('content-encoding'), name);
  const range = response.status === 206 ? rangeOf(response.header('content-range')) : undefined;
  const size = encoding ? null : response.status === 206 ? (range?.total ?? null) : lengthOf(response);
  const modifiedAt = modifiedOf(response);
  const { tag, version } = versionOf(response, size, modifiedAt);
  const promisesRanges =
    response.status === 200 && !encoding && /\bbytes\b/i.test(response.header('accept-ranges') ?? '');
  return { name, size, tag, version, range, encoding, promisesRanges, modifiedAt };
}

/** Throws if a file was requested but the response is an HTML page: error and login pages with a success status. */
export function refusePages(response: HttpResponse, requested: URL): void {
  const type = response.header('content-type') ?? '';
  if (!/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)) return;
  const asked = lastSegment(requested);
  if (response.header('content-disposition')?.trimStart().toLowerCase().startsWith('attachment')) return;
  if (isFile(asked)) throw new FetchFailed('source_not_a_file', { final: true });
}

const OTHER_FILES = new Set(['.bin', '.dat', '.img', '.jar']);
const PAGES = new Set(['text/html', 'text/x-php']);

const isFile = (name: string): boolean =>
  OTHER_FILES.has(fileExtension(name)) || (categoryOf(name) !== 'other' && !PAGES.has(mimeOf(name)));

export function factsOf({
  name,
  size,
  version,
  modifiedAt,
}: Pick<Source, 'name' | 'size' | 'version' | 'modifiedAt'>): SourceFacts {
  return {
    kind: 'web',
    name,
    files: [{ index: 0, path: [name], size }],
    ...(version === undefined ? {} : { validator: version }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
  };
}

function lengthOf(response: HttpResponse): number | null {
  const length = response.header('content-length');
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function rangeOf(
  contentRange: string | undefined,
): { start: number; end: number; total: number | null } | undefined {
  const [, first, last, total] =
    /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(contentRange ?? '') ?? [];
  if (first === undefined || Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: Number(last) + 1, total: total === '*' ? null : Number(total) };
}

/** Returns the time of the response, by the origin's clock if it sends a date. */
const givenAt = (response: HttpResponse): number =>
  fileTime(readTime(response.header('date') ?? '')) ?? Date.now();

/** Parses Last-Modified. Dates after the response and the start of 1970 are invalid. */
function modifiedOf(response: HttpResponse): number | undefined {
  const modified = fileTime(readTime(response.header('last-modified') ?? ''));
  return modified !== undefined && modified !== 0 && modified <= givenAt(response) ? modified : undefined;
}

const SECOND_MS = 1000;

/**
 * Returns the validator and version of a response. Weak ETags are ignored, since they are equal for versions that
 * differ in bytes. Without a strong ETag, Last-Modified is used, unless the file may have changed again within that
 * second.
 */
function versionOf(
  response: HttpResponse,
  size: number | null,
  modifiedAt: number | undefined,
): { tag: string | undefined; version: string | undefined } {
  const tag = response.header('etag')?.trim();
  const strong = tag && /^"[^"]*"$/.test(tag) ? tag : undefined;
  const isSettled = modifiedAt !== undefined && givenAt(response) - modifiedAt >= SECOND_MS;
  const best = strong ?? (isSettled ? response.header('last-modified')?.trim() : undefined);
  return best
    ? { tag: best, version: `${best} ${size ?? ''}`.trim() }
    : { tag: undefined, version: undefined };
}
