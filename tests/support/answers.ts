import type { APIRequestContext, APIResponse } from '@playwright/test';

/** An address's own response, without following redirects. */
export const ask = (
  request: APIRequestContext,
  path: string,
  headers: Record<string, string> = {},
): Promise<APIResponse> => request.get(path, { headers, maxRedirects: 0 });

export const isPage = (reply: APIResponse): boolean =>
  (reply.headers()['content-type'] ?? '').startsWith('text/html');

/** Names of the cookies that a response sets. */
export const cookiesOf = (reply: APIResponse): string[] =>
  reply
    .headersArray()
    .filter(({ name }) => name.toLowerCase() === 'set-cookie')
    .map(({ value }) => value.split('=', 1)[0]!);
