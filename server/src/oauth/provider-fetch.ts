import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, publicLookup } from '../foundation/index.ts';

/** Fetches JSON from the configured provider, with the parameters and the result of the global `fetch`. */
export type ProviderFetch = (
  url: string,
  options?: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: URLSearchParams | null | undefined;
  },
) => Promise<Response>;

/** The provider is unavailable; a retry may help. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

const isAway = (error: Error): boolean =>
  error.name === 'AbortError' || /^(?:E[A-Z]+|EAI_AGAIN)$/.test((error as NodeJS.ErrnoException).code ?? '');

const TIMEOUT_MS = 8000;
const MOST_BYTES = 512 * 1024;

/**
 * The issuer is chosen by the administrator and may be in their own network; other hosts that its documents
 * refer to must be on the public internet. Requires https, unless the issuer itself uses http. Does not
 * follow redirects; responses must be small and quick. They count as JSON, whatever their type says, so that no
 * other format is read.
 */
export function createProviderFetch(issuer: string, timeoutMs = TIMEOUT_MS): ProviderFetch {
  const home = new URL(issuer);

  return (target, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(isAway(error) ? new ProviderUnavailable(error.message, { cause: error }) : error);
      const url = new URL(target);
      const isHome = url.host === home.host;
      if (url.protocol !== 'https:' && !(isHome && url.protocol === home.protocol))
        return reject(new Error(`${url.origin} may not be requested over ${url.protocol}`));
      const name = url.hostname.replace(/^\[|\]$/g, '');
      if (!isHome && isIP(name) !== 0 && !isPublicAddress(name))
        return reject(new Error(`${name} is not on the public internet`));
      const ask = url.protocol === 'https:' ? requestHttps : requestHttp;
      const form = body?.toString();
      const request = ask(
        url,
        {
          method,
          timeout: timeoutMs,
          signal: AbortSignal.timeout(timeoutMs),
          agent: false,
          headers: {
            ...headers,
            accept: 'application/json',
            ...(form === undefined ? {} : { 'content-length': String(Buffer.byteLength(form)) }),
          },
          ...(isHome ? {} : { lookup: publicLookup }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > MOST_BYTES) request.destroy(new Error(`${url.origin} sent too large a response`));
            else chunks.push(chunk);
          });
          response.on('error', fail);
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            if (status >= 500) return reject(new ProviderUnavailable(`${url.origin} returned ${status}`));
            try {
              const content = size === 0 ? null : Buffer.concat(chunks);
              resolve(new Response(content, { status, headers: { 'content-type': 'application/json' } }));
            } catch (error) {
              // A status that no response may have, or not with content.
              reject(error as Error);
            }
          });
        },
      );
      request.on('error', fail);
      request.on('timeout', () => request.destroy(new ProviderUnavailable(`${url.origin} does not respond`)));
      request.end(form);
    });
}
