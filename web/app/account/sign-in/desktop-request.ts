import { portSaid, programSaid, said, says } from '#app/browser/page-query.ts';

/**
 * Returns the request of the desktop app, which opens this page with the port on which it waits, in
 * hexadecimal, and the digest of a secret; after the member confirms, the code is sent to that port. Returns
 * undefined for other addresses.
 */
export function desktopRequest({ searchParams: query }: URL): string | undefined {
  const port = portSaid(query);
  if (programSaid(query) !== 'pc_client' || port === undefined || !says(query, 'code_challenge'))
    return undefined;
  const request = new URLSearchParams({
    client_id: 'bowerbird-desktop',
    redirect_uri: `http://127.0.0.1:${port}/`,
    response_type: 'code',
    code_challenge: said(query, 'code_challenge'),
    code_challenge_method: said(query, 'code_challenge_method') || 'S256',
    scope: said(query, 'scope') || 'user pan offline',
  });
  if (says(query, 'state')) request.set('state', said(query, 'state'));
  return `/drive/auth-center?${request.toString()}`;
}
