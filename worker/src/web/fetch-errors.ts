import type { ErrorId } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import { AddressForbidden } from '../guard/index.ts';

/** An error that may go away with a retry. */
export class TransientError extends Error {
  override name = 'TransientError';
  /** The error to report if the retries fail. */
  readonly failure: FetchFailed;
  /** The delay that the source asks for (Retry-After). */
  readonly pauseMs: number | undefined;
  /** Identifies the exact error; the same signature twice in a row makes the error permanent. */
  readonly signature: string | undefined;

  constructor(failure: FetchFailed, pauseMs?: number, signature?: string) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.pauseMs = pauseMs;
    this.signature = signature;
  }
}

/** The response does not belong to the version fetched so far, or contradicts what the origin announced. */
export class VersionChanged extends Error {
  override name = 'VersionChanged';
}

const UNREACHABLE =
  /^(ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)/;
/** TLS errors, which a retry does not fix. */
const TLS_FAILED =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/;
const TIMED_OUT = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;
/** Invalid HTTP, which a retry does not fix. */
const INVALID_HTTP = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED)/;

/** Classifies the error of a request or body; `otherwise` is the id for unknown errors. */
export function classifyError(error: unknown, otherwise: ErrorId): TransientError | FetchFailed {
  if (error instanceof TransientError || error instanceof FetchFailed) return error;
  for (const fault of faultsOf(error)) {
    const code = codeOf(fault);
    if (fault instanceof AddressForbidden)
      return new FetchFailed('link_forbidden', { final: true, cause: error });
    if (fault.name === 'TimeoutError' || TIMED_OUT.test(code))
      return new TransientError(new FetchFailed('source_timed_out', { cause: error }));
    if (TLS_FAILED.test(code))
      return new FetchFailed('source_unreachable', { facts: { reason: 'certificate' }, cause: error });
    if (UNREACHABLE.test(code))
      return new TransientError(new FetchFailed('source_unreachable', { cause: error }));
    if (INVALID_HTTP.test(code)) return new FetchFailed('source_failed', { cause: error });
  }
  return new TransientError(new FetchFailed(otherwise, { cause: error }));
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Yields an error, its causes and the members of an AggregateError. */
function* faultsOf(error: unknown): Generator<Error> {
  for (let fault = error, depth = 0; fault instanceof Error && depth < 5; fault = fault.cause, depth += 1) {
    yield fault;
    if (fault instanceof AggregateError) for (const one of fault.errors) if (one instanceof Error) yield one;
  }
}

const DENIED = new Set([401, 402, 403, 407, 451]);
const BUSY = new Set([408, 425, 429]);
/** The file will be available later. */
const ACCEPTED = 202;
/** Success statuses without a file: created, no content, reset content, multi-status. */
const FILELESS = new Set([201, 204, 205, 207, 208]);
/** Server errors that a retry does not fix. */
const UNSUPPORTED = new Set([501, 505, 506, 510]);

/** Returns the error for a response status, or undefined if the response may be a file. */
export function errorOfStatus(
  status: number,
  retryAfter: string | undefined,
): TransientError | FetchFailed | undefined {
  const facts = { status: String(status) };
  if (status === ACCEPTED)
    return new TransientError(new FetchFailed('source_not_ready', { facts }), pauseOf(retryAfter));
  if (FILELESS.has(status)) return new FetchFailed('source_without_file', { final: true, facts });
  if (status >= 200 && status < 300) return undefined;
  if (DENIED.has(status)) return new FetchFailed('source_denied', { final: true, facts });
  if (status === 404 || status === 410) return new FetchFailed('source_not_found', { final: true, facts });
  if (UNSUPPORTED.has(status)) return new FetchFailed('source_failed', { final: true, facts });
  if (status >= 500 || BUSY.has(status))
    return new TransientError(new FetchFailed('source_failed', { facts }), pauseOf(retryAfter));
  return new FetchFailed('source_failed', { final: true, facts });
}

function pauseOf(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  const pause = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
  return pause >= 0 ? pause : undefined;
}
