/** Scopes of a token: the account, the drive, cloud downloads, WebDAV. */
export const SCOPES = ['user', 'pan', 'offline', 'dav'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes for an app to identify a member: that it is them, their name and picture, their address. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;

/** Scopes that an app can be approved for. */
export const GRANT_SCOPES = ['user', 'pan', 'offline', ...IDENTITY_SCOPES] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** The scope of calls that only the owner may make after signing in: passwords, sessions, tokens. No token can have it. */
export const SIGNED_IN = 'signed-in';

/** The scope of calls that every session and token may make, whatever its scopes: ending itself. */
export const ANY = 'any';

/** Everything: the scopes of a session that began with a sign-in. */
export const ALL_SCOPES: ReadonlySet<string> = new Set([...SCOPES, ...IDENTITY_SCOPES, SIGNED_IN]);
