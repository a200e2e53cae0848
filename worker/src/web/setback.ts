import type { ErrorId } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import { AddressForbidden } from '../guard/index.ts';

/** Something went wrong that may go right a moment later. */
export class Setback extends Error {
  override name = 'Setback';
  /** What to say when it doesn't. */
  readonly failure: FetchFailed;
  /** How long the source wants to be left alone. */
  readonly pauseMs: number | undefined;
  /** What exactly went wrong, where the same thing twice in a row tells that it always will. */
  readonly sign: string | undefined;

  constructor(failure: FetchFailed, pauseMs?: number, sign?: string) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.pauseMs = pauseMs;
    this.sign = sign;
  }
}

/** What comes now is not what the beginning belongs to: another version, or an origin that doesn't do what it said. */
export class Spoiled extends Error {
  override name = 'Spoiled';
}

const UNREACHABLE =
  /^(ENOTFOUND|EAI_|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)/;
/** Encryption that can't be relied on stays so for a while. */
const MISTRUSTED =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/;
const TIMED_OUT = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;
/** What the source says is no HTTP, and won't be in a second. */
const NONSENSE = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED)/;

/** What became of a request, or of a body, that broke off; `otherwise` where the error says nothing more exact. */
export function setbackOf(error: unknown, otherwise: ErrorId): Setback | FetchFailed {
  if (error instanceof Setback || error instanceof FetchFailed) return error;
  for (const fault of faultsOf(error)) {
    const code = codeOf(fault);
    if (fault instanceof AddressForbidden)
      return new FetchFailed('link_forbidden', { final: true, cause: error });
    if (fault.name === 'TimeoutError' || TIMED_OUT.test(code))
      return new Setback(new FetchFailed('source_timed_out', { cause: error }));
    if (MISTRUSTED.test(code))
      return new FetchFailed('source_unreachable', { facts: { reason: 'certificate' }, cause: error });
    if (UNREACHABLE.test(code)) return new Setback(new FetchFailed('source_unreachable', { cause: error }));
    if (NONSENSE.test(code)) return new FetchFailed('source_failed', { cause: error });
  }
  return new Setback(new FetchFailed(otherwise, { cause: error }));
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** An error, what caused it, and what it was gathered from. */
function* faultsOf(error: unknown): Generator<Error> {
  for (let fault = error, depth = 0; fault instanceof Error && depth < 5; fault = fault.cause, depth += 1) {
    yield fault;
    if (fault instanceof AggregateError) for (const one of fault.errors) if (one instanceof Error) yield one;
  }
}

const DENIED = new Set([401, 402, 403, 407, 451]);
const BUSY = new Set([408, 425, 429]);
/** The site will have the file later. */
const ACCEPTED = 202;
/** Successes that bring no file along: made, nothing, start over, a listing. */
const FILELESS = new Set([201, 204, 205, 207, 208]);
/** What the site can't do now it can't do in a minute. */
const HELPLESS = new Set([501, 505, 506, 510]);

/** Why an answer isn't a file; undefined where it may be one. */
export function refusalOf(status: number, retryAfter: string | undefined): Setback | FetchFailed | undefined {
  const facts = { status: String(status) };
  if (status === ACCEPTED)
    return new Setback(new FetchFailed('source_not_ready', { facts }), pauseOf(retryAfter));
  if (FILELESS.has(status)) return new FetchFailed('source_without_file', { final: true, facts });
  if (status >= 200 && status < 300) return undefined;
  if (DENIED.has(status)) return new FetchFailed('source_denied', { final: true, facts });
  if (status === 404 || status === 410) return new FetchFailed('source_not_found', { final: true, facts });
  if (HELPLESS.has(status)) return new FetchFailed('source_failed', { final: true, facts });
  if (status >= 500 || BUSY.has(status))
    return new Setback(new FetchFailed('source_failed', { facts }), pauseOf(retryAfter));
  return new FetchFailed('source_failed', { final: true, facts });
}

function pauseOf(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  const pause = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
  return pause >= 0 ? pause : undefined;
}
