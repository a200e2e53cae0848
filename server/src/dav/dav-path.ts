import { headerText } from '../foundation/http/index.ts';
import { DAV_HOST, DAV_PATH } from './dav.ts';
import { DavRefusal, malformed } from './dav-refusal.ts';

/** A parsed address. */
export interface DavPath {
  /** Names from the root down; empty for the root itself. */
  readonly names: readonly string[];
  /** Prefix of the root in addresses: `/dav`, or empty on its own host. */
  readonly base: string;
}

export const isDavHost = (host: string): boolean => host.toLowerCase().startsWith(`${DAV_HOST}.`);

/** Prefix of the root in addresses on a host. */
export const baseOf = (host: string): string => (isDavHost(host) ? '' : DAV_PATH);

/**
 * Names in an address as sent, each decoded separately. Empty segments are ignored, and nothing is resolved:
 * `..` is rejected. Fragments are rejected.
 */
export function readPath(sent: string, host: string): DavPath {
  const base = baseOf(host);
  const text = headerText(sent);
  if (text === undefined) throw malformed('An address is neither escaped nor in UTF-8.');
  const address = text.replace(/^https?:\/\/[^/?#]*/i, '');
  if (address.includes('#')) throw malformed('An address can not have a fragment.');
  const path = address.split('?')[0]!;
  if (path !== base && !path.startsWith(`${base}/`))
    throw new DavRefusal(502, 'This address is outside the drive.');
  const names = path
    .slice(base.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  if (names.some((name) => name === '.' || name === '..'))
    throw malformed('A path leads nowhere else than down.');
  return { names, base };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('An escape in the address is broken.');
  }
}

/**
 * Names in an address of a header (`Destination`, `If`): a path, or an absolute address on the same host. Any
 * other address is on another server: 502.
 */
export function readReference(sent: string, hosts: readonly string[]): DavPath {
  const text = sent.trim();
  const [host] = hosts;
  if (text.startsWith('/') && !text.startsWith('//')) return readPath(text, host ?? '');
  const authority = /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]+)(?=[/?#]|$)/i.exec(text)?.[1];
  if (authority === undefined) throw malformed('A destination is not an address.');
  if (!hosts.some((own) => sameHost(own, authority)))
    throw new DavRefusal(502, 'The destination is on another server.');
  return readPath(text, host ?? '');
}

/** The default port may be present or absent. */
function sameHost(a: string, b: string): boolean {
  const bare = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');
  return bare(a) === bare(b);
}

/** Address of a resource in responses; folders end in a slash. */
export function hrefOf(base: string, names: readonly string[], isFolder: boolean): string {
  const path = names.map((name) => `/${encodeURIComponent(name)}`).join('');
  return isFolder ? `${base}${path}/` : `${base}${path}`;
}
