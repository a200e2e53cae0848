/**
 * Returns the address to which the challenge page continues, with its result. The address comes from the
 * server, which accepts no foreign ones.
 */
export function returnAddress(
  {
    redirect_uri,
    captcha_token,
    expires_in,
  }: { redirect_uri: string; captcha_token: string; expires_in: number },
  state: string | null,
): string {
  const url = new URL(redirect_uri);
  url.searchParams.set('captcha_token', captcha_token);
  url.searchParams.set('expires_in', String(expires_in));
  if (state !== null && state !== '') url.searchParams.set('state', state);
  return url.href;
}
