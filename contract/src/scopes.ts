/** What a token may be good for: the account, the drive, links that are fetched, WebDAV. */
export const SCOPES = ['user', 'pan', 'offline', 'dav'] as const;
export type Scope = (typeof SCOPES)[number];

/** What an app may be told of who signs in: that it is them, their name and picture, their address. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;

/** What an app can be let in for. */
export const GRANT_SCOPES = ['user', 'pan', 'offline', ...IDENTITY_SCOPES] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** The scope of what only its owner may do after signing in: passwords, sessions, tokens. No token can have it. */
export const SIGNED_IN = 'signed-in';

/** The scope of what every session and token may do, whatever it is good for: ending itself. */
export const ANY = 'any';

/** Everything: what a session has that began with a sign-in. */
export const ALL_SCOPES: ReadonlySet<string> = new Set([...SCOPES, ...IDENTITY_SCOPES, SIGNED_IN]);
