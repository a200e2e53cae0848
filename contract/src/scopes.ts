/** Scopes of a token: the account, the drive, cloud downloads, WebDAV. */
export const SCOPES = ['user', 'pan', 'offline', 'dav'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that let an app identify a member: their ID, their name and picture, their address. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;

/** Scopes that an app can be approved for. */
export const GRANT_SCOPES = ['user', 'pan', 'offline', ...IDENTITY_SCOPES] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** The scope of calls that only a signed-in owner may make: passwords, sessions, tokens. Tokens can't have it. */
export const SIGNED_IN = 'signed-in';

/** The scope of calls that every session and token may make, whatever its scopes: revoking itself. */
export const ANY = 'any';

/** All scopes: those of a session started by signing in. */
export const ALL_SCOPES: ReadonlySet<string> = new Set([...SCOPES, ...IDENTITY_SCOPES, SIGNED_IN]);
