import type { HostRole } from '@bowerbird/contract';

/** What a host of ours is for, by its first label. Hosts of content answer no calls at all. */
const ROLES: Readonly<Record<string, HostRole | 'content'>> = {
  user: 'user',
  'api-drive': 'drive',
  access: 'access',
  config: 'config',
  'api-dav': 'dav',
};

/**
 * What the host is for that a request was sent to; undefined where it is for everything: the site's own address, network
 * addresses, and any host as long as nobody said what the site's address is.
 */
export function hostRole(host: string, siteOrigin: string | undefined): HostRole | 'content' | undefined {
  if (siteOrigin === undefined || host.toLowerCase() === new URL(siteOrigin).host) return undefined;
  return roleOfLabel(host);
}

/** Whether the first label of a host is one that is for something, whatever the site's address is. */
export const hasRole = (host: string): boolean => roleOfLabel(host) !== undefined;

function roleOfLabel(host: string): HostRole | 'content' | undefined {
  const [label = '', rest] = host.toLowerCase().split(/\.(.*)/s);
  if (rest === undefined || /^[\d.:]*$/.test(rest)) return undefined;
  return label.startsWith('dl-') ? 'content' : ROLES[label];
}
