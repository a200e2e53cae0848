import { ApiFailure } from '@bowerbird/contract';
import type { FastifyRequest } from 'fastify';
import { forbidden } from './dav-refusal.ts';

/** Resolves the account of the name and password sent with every request; undefined if there is none. */
export type Verify = (
  name: string,
  secret: string,
  address: string,
) => Promise<{ readonly account: string } | undefined>;

export const CHALLENGE = 'Basic realm="Bowerbird", charset="UTF-8"';

/**
 * Account of a request: from an email address and app password, or from a bearer token with the scope. Never
 * from a cookie, and never for a page of another site, which would use the browser's stored credentials.
 */
export async function accountOf(
  request: FastifyRequest,
  { verify, isOpen }: { verify: Verify; isOpen: (account: string) => Promise<boolean> },
): Promise<string | undefined> {
  const account = await nameOf(request, verify);
  if (account !== undefined && !(await isOpen(account)))
    throw forbidden('The owner of this drive has closed it for WebDAV.');
  return account;
}

async function nameOf(request: FastifyRequest, verify: Verify): Promise<string | undefined> {
  const { viewer, foreign, address } = request.caller;
  if (foreign) throw forbidden('Pages of other sites can not use the drive.');
  const basic = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization?.trim() ?? '')?.[1];
  if (basic === undefined) {
    const isGood = viewer?.by === 'token' && (viewer.scopes.has('dav') || viewer.scopes.has('pan'));
    if (isGood) return viewer.account;
    const refusal = viewer ? undefined : await request.caller.refusal();
    if (refusal) throw new ApiFailure(refusal);
    return undefined;
  }
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  return (await verify(pair.slice(0, colon), pair.slice(colon + 1), address))?.account;
}
