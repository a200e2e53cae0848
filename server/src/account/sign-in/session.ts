/** One sign-in: a cookie of our own pages, or a chain of refresh tokens of which only the newest is good. */
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
  /** The app password that opened it, with which it ends. */
  readonly pass: string | undefined;
  /** The consent by which an app opened it, with which it ends. */
  readonly app: string | undefined;
}

/** Origin of a session, shown to its owner. */
export interface SessionOrigin {
  readonly clientId: string;
  readonly deviceId: string;
  readonly userAgent: string;
  readonly address: string;
}
