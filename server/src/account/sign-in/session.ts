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
