import { FetchFailed } from '../fetch/engine.ts';
import type { HttpResponse, HttpSession } from './http-session.ts';
import { TransientError } from './fetch-errors.ts';
import { refusePages, sourceOf, type Source } from './source.ts';

export interface FirstResponse {
  readonly response: HttpResponse;
  readonly source: Source;
}

/** Requests the whole file as a range, and without a range if the origin does not support that. */
export async function requestWhole(
  session: HttpSession,
  requested: URL,
  signal: AbortSignal,
): Promise<FirstResponse> {
  // Without a version, this response must contain the whole file.
  const isUsable = ({ version, range, size }: Source): boolean =>
    version !== undefined || range?.end === size;
  return open(session, requested, { range: 'bytes=0-', isUsable }, signal);
}

/** Requests the first byte to learn about the file, with as few bytes as the origin allows. */
export async function requestFirstByte(
  session: HttpSession,
  requested: URL,
  signal: AbortSignal,
): Promise<FirstResponse> {
  return open(session, requested, { range: 'bytes=0-0', isUsable: () => true }, signal);
}

async function open(
  session: HttpSession,
  requested: URL,
  { range, isUsable }: { range: string; isUsable(source: Source): boolean },
  signal: AbortSignal,
): Promise<FirstResponse> {
  const ranged = await requestRange(session, range, signal);
  const opened = ranged && read(ranged, requested);
  if (opened && (ranged.status !== 206 || (isBeginning(opened.source) && isUsable(opened.source))))
    return opened;
  ranged?.discard();
  const plain = read(await session.send({}, signal), requested);
  if (plain.response.status !== 206) return plain;
  plain.response.discard();
  throw new FetchFailed('source_failed', { final: true, facts: { reason: 'range' } });
}

/** Returns undefined if the origin refused the request: some do so only because of the range. */
async function requestRange(
  session: HttpSession,
  range: string,
  signal: AbortSignal,
): Promise<HttpResponse | undefined> {
  try {
    return await session.send({ headers: { range } }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isAboutRange(error)) return undefined;
    throw error;
  }
}

/** Returns whether an error may be caused by the range: network errors, timeouts and Retry-After are not. */
function isAboutRange(error: unknown): boolean {
  if (error instanceof TransientError)
    return error.pauseMs === undefined && error.failure.failure.error === 'source_failed';
  return error instanceof FetchFailed && error.failure.facts?.['status'] !== undefined;
}

/** Returns whether a partial response is usable: not encoded, of known size, from the first byte. */
const isBeginning = ({ encoding, size, range }: Source): boolean =>
  !encoding && size !== null && range?.start === 0;

function read(response: HttpResponse, requested: URL): FirstResponse {
  try {
    refusePages(response, requested);
    return { response, source: sourceOf(response, requested) };
  } catch (error) {
    response.discard();
    throw error;
  }
}
