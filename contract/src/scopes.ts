import type { EndpointSpec } from './endpoint.ts';

/** What a token may be good for: the account, the drive, links that are fetched, WebDAV. */
export const SCOPES = ['user', 'pan', 'offline', 'dav'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope of what only its owner may do after signing in: passwords, sessions, tokens. No token can have it. */
export const SIGNED_IN = 'signed-in';

/** Everything: what a session has that began with a sign-in. */
export const ALL_SCOPES: ReadonlySet<string> = new Set([...SCOPES, SIGNED_IN]);

const OF_DOMAIN: Readonly<Record<string, Scope>> = { offline: 'offline', subscription: 'offline' };

/** The scope that a call needs: its own word, else by its domain, else by its host. What is none of these, no token may. */
export function scopeOf(spec: EndpointSpec): Scope | typeof SIGNED_IN {
  const domain = spec.name.split('.', 1)[0]!;
  if (spec.scope) return spec.scope;
  if (Object.hasOwn(OF_DOMAIN, domain)) return OF_DOMAIN[domain]!;
  if (spec.host === 'user') return 'user';
  return spec.host === 'drive' ? 'pan' : SIGNED_IN;
}
