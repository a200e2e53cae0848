import type { HostRole } from '@bowerbird/contract';

/** Roles of our hosts, by their first label. Content hosts answer no API calls. */
const ROLES: Readonly<Record<string, HostRole | 'content'>> = {
  user: 'user',
  'api-drive': 'drive',
  access: 'access',
  config: 'config',
  'api-dav': 'dav',
};

/**
 * Role of the host that a request was sent to; undefined if it serves everything: the site's own address, IP
 * addresses, and any host as long as no site address is configured.
 */
export function hostRole(host: string, siteOrigin: string | undefined): HostRole | 'content' | undefined {
  if (siteOrigin === undefined || host.toLowerCase() === new URL(siteOrigin).host) return undefined;
  return roleOfLabel(host);
}

/** Returns whether the first label of a host has a role, whatever the site's address is. */
export const hasRole = (host: string): boolean => roleOfLabel(host) !== undefined;

function roleOfLabel(host: string): HostRole | 'content' | undefined {
  const [label = '', rest] = host.toLowerCase().split(/\.(.*)/s);
  if (rest === undefined || /^[\d.:]*$/.test(rest)) return undefined;
  return label.startsWith('dl-') ? 'content' : ROLES[label];
}
