/** Policy of responses that are not pages: nothing is loaded, run or framed. */
export const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

const YEAR_SECONDS = 365 * 24 * 3600;

/** Headers of every response. Responses shown in a browser replace the policy with their own. */
export function safeHeaders(siteOrigin: string | undefined): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-security-policy': NO_PAGE_POLICY,
    ...(isAlwaysSecure(siteOrigin)
      ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
      : {}),
  };
}

/** A site on its own port shares its host with others, which may not be secure. */
function isAlwaysSecure(siteOrigin: string | undefined): boolean {
  const url = siteOrigin === undefined ? null : URL.parse(siteOrigin);
  return url?.protocol === 'https:' && url.port === '';
}
