import { createHash } from 'node:crypto';
/**
 * Session of one sign-in: a cookie of our own pages, or a chain of refresh tokens of which only the newest is
 * valid.
 */
export interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly kind: 'cookie' | 'token';
  readonly clientId: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | undefined;
  /** Granted scopes; undefined for all. */
  readonly scopes: readonly string[] | undefined;
  /** App password that opened the session; revoking it ends the session. */
  readonly pass: string | undefined;
  /** Consent by which an app opened the session; withdrawing it ends the session. */
  readonly app: string | undefined;
}

/** Origin of a session, shown to its owner. */
export interface SessionOrigin {
  readonly clientId: string;
  readonly deviceId: string;
  readonly userAgent: string;
  readonly address: string;
}

/** Transport of a session: a secret in a cookie for our own pages, or tokens for any other client. */
export type SessionTransport = 'cookie' | 'token';

/** Client that opens a session, and which of our origins it uses. */
export type SessionMaker = SessionOrigin & { readonly origin: string };

export type Grant =
  | { readonly kind: 'cookie'; readonly account: string; readonly secret: string }
  | {
      readonly kind: 'token';
      readonly account: string;
      readonly accessToken: string;
      readonly refreshToken: string;
      /** Scopes granted to an app; undefined for all other clients. */
      readonly scopes: readonly string[] | undefined;
    };

/**
 * Session that exists once its transaction commits; `Sessions.grant` then creates the owner's credentials.
 */
export interface OpenedSession {
  readonly id: string;
  readonly account: string;
  readonly kind: SessionTransport;
  readonly clientId: string;
  /** Value of the cookie, or the first refresh token. */
  readonly secret: string;
  readonly scopes: readonly string[] | undefined;
  /** True for the session of an app. */
  readonly isApp: boolean;
}

export const SESSION_COOKIE = 'pp_session';

/** Returns what is stored of a secret: enough to recognize it, too little to use it. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
