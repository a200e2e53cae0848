import { ApiFailure } from '@bowerbird/contract';
import type { FastifyRequest } from 'fastify';
import { errorText } from '../messages.ts';

const REALM = 'realm="Bowerbird"';

/** OAuth name of a failure: malformed or repeated parameters are `invalid_request` (RFC 6749, 5.2). */
export const oauthFailure = (failure: ApiFailure): ApiFailure =>
  failure.id === 'invalid_argument' ? new ApiFailure('invalid_request', failure.facts) : failure;

/**
 * Description in the characters that RFC 6749 allows in `error_description`: printable ASCII without `"` and
 * `\`.
 */
export function oauthDescription(failure: ApiFailure): string {
  return errorText('en-US', failure.id, failure.facts)
    .normalize('NFKD')
    .replace(/[‘’“”"\\]/g, "'")
    .replace(/[–—]/g, '-')
    .replace(/[^\x20-\x7e]/g, '');
}

/**
 * Value of `WWW-Authenticate`: Basic for a client that has to authenticate (RFC 6749, 5.2), Bearer for
 * endpoints that need an access token (RFC 6750, 3), with an error only if a token was sent.
 */
export function challengeOf(failure: ApiFailure, { headers }: FastifyRequest): string | undefined {
  if (failure.id === 'invalid_client') return `Basic ${REALM}`;
  const hasToken = /^Bearer\s/i.test(headers.authorization ?? '');
  const { scope } = failure.facts;
  if (failure.status === 401) return hasToken ? `Bearer ${REALM}, error="invalid_token"` : `Bearer ${REALM}`;
  if (failure.id === 'permission_denied' && hasToken && scope !== undefined)
    return `Bearer ${REALM}, error="insufficient_scope", scope="${scope}"`;
  return undefined;
}
