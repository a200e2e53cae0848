import { LIMITS } from '@bowerbird/contract';
import type { Clock } from '../../foundation/index.ts';
import { isUsable } from '../account.ts';
import type { LiveSession } from './session-store.ts';
import type { SessionTransport } from './session.ts';

/** Validity of sessions and their refresh tokens. */
export interface SessionLifetimes {
  isLive(session: LiveSession): boolean;
  /** Returns the expiry of a session or a refresh token that begins now. */
  fromNow(kind: SessionTransport): number;
  /** Returns the expiry of a session that is being used now. */
  slidTo(session: LiveSession): number;
}

export function createSessionLifetimes(clock: Clock): SessionLifetimes {
  const fromNow = (kind: SessionTransport): number =>
    clock.now() + (kind === 'cookie' ? LIMITS.webSessionSeconds : LIMITS.refreshTokenSeconds) * 1000;
  return {
    isLive: (session) =>
      session.revokedAt === undefined && session.expiresAt > clock.now() && isUsable(session),
    fromNow,
    slidTo: ({ kind, createdAt }) => Math.min(fromNow(kind), createdAt + LIMITS.sessionMostSeconds * 1000),
  };
}
