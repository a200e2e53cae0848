import { categoryOf, fileExtension, fileTime, mimeOf, readTime, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import type { Answer } from './asking.ts';
import { encodingOf, type Encoding } from './decoding.ts';
import { lastSegment, sourceName } from './source-name.ts';

/** What an answer says of the file behind it. */
export interface Source {
  readonly name: string;
  /** Bytes of the whole file as it will be kept; null where nobody says. */
  readonly size: number | null;
  /** Of exactly these bytes: what a request for more of them refers to. */
  readonly tag: string | undefined;
  /** What two answers must have in common to belong to one version. */
  readonly version: string | undefined;
  /** The bytes that this answer gives; the end is exclusive. */
  readonly stretch: { readonly start: number; readonly end: number } | undefined;
  /** How they have to be decoded first. */
  readonly encoding: Encoding | undefined;
  /** Whether an origin that gave the whole file says that it could give ranges: some give all where all is asked for. */
  readonly promisesRanges: boolean;
  /** When the file was last changed; undefined where the origin doesn't tell, or tells what can't be. */
  readonly modifiedAt: number | undefined;
}

/** Reads an answer to `requested`, which may be one to a range; undefined where it answers another range than it says. */
export function sourceOf(answer: Answer, requested: URL): Source {
  const name = sourceName(answer.header('content-disposition'), requested);
  const encoding = encodingOf(answer.header('content-encoding'), name);
  const stretch = answer.status === 206 ? rangeOf(answer.header('content-range')) : undefined;
  const size = encoding ? null : answer.status === 206 ? (stretch?.total ?? null) : lengthOf(answer);
  const modifiedAt = modifiedOf(answer);
  const { tag, version } = versionOf(answer, size, modifiedAt);
  const promisesRanges =
    answer.status === 200 && !encoding && /\bbytes\b/i.test(answer.header('accept-ranges') ?? '');
  return { name, size, tag, version, stretch, encoding, promisesRanges, modifiedAt };
}

/** Refuses pages where a file was asked for: errors, gates and offers that call themselves a success. */
export function refusePages(answer: Answer, requested: URL): void {
  const type = answer.header('content-type') ?? '';
  if (!/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)) return;
  const asked = lastSegment(requested);
  if (answer.header('content-disposition')?.trimStart().toLowerCase().startsWith('attachment')) return;
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

function lengthOf(answer: Answer): number | null {
  const length = answer.header('content-length');
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

/** When the answer was given, by the origin's clock if it has one. */
const givenAt = (answer: Answer): number => fileTime(readTime(answer.header('date') ?? '')) ?? Date.now();

/** No file was changed after it was given. Origins that don't know a date say the first second of 1970. */
function modifiedOf(answer: Answer): number | undefined {
  const modified = fileTime(readTime(answer.header('last-modified') ?? ''));
  return modified !== undefined && modified !== 0 && modified <= givenAt(answer) ? modified : undefined;
}

const SECOND_MS = 1000;

/**
 * What tells that bytes are of the same version. A weak tag calls versions the same that differ in bytes. Where there is
 * nothing better a date has to do, unless the file may have been changed again within that very second.
 */
function versionOf(
  answer: Answer,
  size: number | null,
  modifiedAt: number | undefined,
): { tag: string | undefined; version: string | undefined } {
  const tag = answer.header('etag')?.trim();
  const strong = tag && /^"[^"]*"$/.test(tag) ? tag : undefined;
  const isSettled = modifiedAt !== undefined && givenAt(answer) - modifiedAt >= SECOND_MS;
  const best = strong ?? (isSettled ? answer.header('last-modified')?.trim() : undefined);
  return best
    ? { tag: best, version: `${best} ${size ?? ''}`.trim() }
    : { tag: undefined, version: undefined };
}
