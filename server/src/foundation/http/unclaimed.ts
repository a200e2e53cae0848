import { ApiFailure } from '@bowerbird/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasRole, hostRole } from './host-role.ts';

/**
 * `/v1/…`, `/drive/v1/…`, `/v0/…`: every path of the API has its version as first or second segment; pages
 * have none.
 */
const API_PATH = /^\/(?:(?:[\w-]+\/)?v\d+|\.well-known)(?:\/|$)/;
const PAGE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const SAFE = 'GET, HEAD, OPTIONS';

/** Returns whether a request could be for a page. */
function isForPages({ url, headers }: FastifyRequest, siteOrigin: string | undefined): boolean {
  if (API_PATH.test(url.replace(/^https?:\/\/[^/?]*/i, ''))) return false;
  const host = headers.host ?? '';
  if (hostRole(host, siteOrigin) !== undefined) return false;
  // No site address is configured, so it may be this host.
  return siteOrigin !== undefined || !hasRole(host) || /\btext\/html\b/.test(headers.accept ?? '');
}

/**
 * Answers requests that match no route and can't be for a page; returns true if it did. Programs get a short
 * response of known length: an API error on the API's paths and hosts, and a plain 405 for methods of WebDAV.
 * Some clients crash on a page sent in chunks.
 */
export function answerUnclaimed(
  request: FastifyRequest,
  reply: FastifyReply,
  siteOrigin: string | undefined,
): boolean {
  if (!isForPages(request, siteOrigin)) throw new ApiFailure('not_found');
  if (PAGE_METHODS.has(request.method)) return false;
  if (!request.raw.complete) reply.header('connection', 'close');
  void reply
    .status(request.method === 'OPTIONS' ? 204 : 405)
    .header('allow', SAFE)
    .header('cache-control', 'no-store')
    .send();
  return true;
}
