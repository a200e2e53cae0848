import { isApiFailure } from '@bowerbird/contract';

const CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

/** True for the error of a connection that ended before the request's body did. */
export function isBrokenConnection(error: unknown): boolean {
  return !isApiFailure(error) && CODES.has((error as { code?: unknown }).code);
}
