import { LIMITS, type Passkey, type Session, type SignIn, type TokenReply } from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import { deviceName } from './device-name.ts';
import type { PasskeyRow } from './passkey.ts';
import type { Grant, SessionOrigin, SessionRow } from './session.ts';
import type { SignInRecord } from './sign-in-record.ts';

/** Response to a sign-in: tokens, unless the session is in a cookie. */
export function grantView(grant: Grant): TokenReply {
  if (grant.kind === 'cookie') return { expires_in: LIMITS.webSessionSeconds, sub: grant.account };
  return {
    token_type: 'Bearer',
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    expires_in: LIMITS.accessTokenSeconds,
    sub: grant.account,
    ...(grant.scopes === undefined ? {} : { scope: grant.scopes.join(' ') }),
  };
}

/** Session as its owner sees it. */
export function sessionView(session: SessionRow & SessionOrigin, current: string): Session {
  return {
    id: session.id,
    current: session.id === current,
    device: deviceName(session.userAgent),
    browser: session.kind === 'cookie',
    address: session.address,
    created_at: timeText(session.createdAt),
    seen_at: timeText(session.seenAt),
  };
}

export function signInView({ id, way, outcome, userAgent, address, at }: SignInRecord): SignIn {
  return { id, way, outcome, device: deviceName(userAgent), address, at: timeText(at) };
}

export function passkeyView({ id, name, createdAt, usedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: timeText(createdAt),
    used_at: maybeTimeText(usedAt),
  };
}
