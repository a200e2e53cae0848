import { portOf } from './code-sources.ts';

/**
 * The desktop app sends its member here with the port on which it waits, in hexadecimal, and the digest of what only it
 * knows; the member is asked, and the code then goes there. Undefined where an address says nothing of the kind.
 */
export function desktopRequest({ searchParams: query }: URL): string | undefined {
  const port = portOf(query.get('port'));
  const challenge = query.get('code_challenge');
  if (query.get('from_source') !== 'pc_client' || port === undefined || challenge === null) return undefined;
  const request = new URLSearchParams({
    client_id: 'bowerbird-desktop',
    redirect_uri: `http://127.0.0.1:${port}/`,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: query.get('code_challenge_method') ?? 'S256',
    scope: query.get('scope') ?? 'user pan offline',
  });
  const state = query.get('state');
  if (state !== null) request.set('state', state);
  return `/drive/auth-center?${request.toString()}`;
}
