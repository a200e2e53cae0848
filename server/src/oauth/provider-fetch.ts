import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Fetches JSON from the configured provider. */
export type ProviderFetch = (
  url: string,
  options?: { form?: URLSearchParams; headers?: Readonly<Record<string, string>> },
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** The provider is unavailable; a retry may help. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

const isAway = (error: Error): boolean =>
  error.name === 'AbortError' || /^(?:E[A-Z]+|EAI_AGAIN)$/.test((error as NodeJS.ErrnoException).code ?? '');

const TIMEOUT_MS = 8000;
const MOST_BYTES = 512 * 1024;

const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
  for (const carrier of ['::ffff:', '64:ff9b::']) NOT_PUBLIC.addSubnet(carrier + network, 96 + bits, 'ipv6');
}
for (const [network, bits] of [
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['2002::', 16],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');

const isPublic = (address: string): boolean =>
  !NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Resolves a name once, and only returns public addresses. */
const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const inside = found.find(({ address }) => !isPublic(address));
    if (inside) return done(new Error(`${host} resolves to the private address ${inside.address}`), []);
    return options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
  });
};

/**
 * The issuer is chosen by the administrator and may be in their own network; other hosts that its documents
 * refer to must be on the public internet. Requires https, unless the issuer itself uses http. Does not
 * follow redirects; responses must be small, quick and JSON.
 */
export function createProviderFetch(issuer: string): ProviderFetch {
  const home = new URL(issuer);

  return (target, { form, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(target);
      const isHome = url.host === home.host;
      if (url.protocol !== 'https:' && !(isHome && url.protocol === home.protocol))
        return reject(new Error(`${url.origin} may not be requested over ${url.protocol}`));
      const name = url.hostname.replace(/^\[|\]$/g, '');
      if (!isHome && isIP(name) !== 0 && !isPublic(name))
        return reject(new Error(`${name} is not on the public internet`));
      const ask = url.protocol === 'https:' ? requestHttps : requestHttp;
      const body = form?.toString();
      const request = ask(
        url,
        {
          method: body === undefined ? 'GET' : 'POST',
          timeout: TIMEOUT_MS,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          agent: false,
          headers: {
            accept: 'application/json',
            ...(body === undefined
              ? {}
              : {
                  'content-type': 'application/x-www-form-urlencoded',
                  'content-length': String(Buffer.byteLength(body)),
                }),
            ...headers,
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
          response.on('error', reject);
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            if (status >= 500) return reject(new ProviderUnavailable(`${url.origin} returned ${status}`));
            try {
              const said = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
              if (typeof said !== 'object' || said === null) throw new Error('not an object');
              resolve({ status, body: said as Record<string, unknown> });
            } catch {
              reject(new Error(`${url.origin} returned ${status} without JSON`));
            }
          });
        },
      );
      request.on('error', (error) =>
        reject(isAway(error) ? new ProviderUnavailable(error.message, { cause: error }) : error),
      );
      request.on('timeout', () => request.destroy(new ProviderUnavailable(`${url.origin} does not respond`)));
      request.end(body);
    });
}
