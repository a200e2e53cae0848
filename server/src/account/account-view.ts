import {
  LIMITS,
  type Pass,
  type Passkey,
  type Profile,
  type Session,
  type SignIn,
  type TokenReply,
} from '@bowerbird/contract';
import { timeText } from '../foundation/index.ts';
import { isUsable, maskedEmail, type AccountRow, type SessionOrigin, type SessionRow } from './account.ts';
import type { SignInRecord } from './sign-in-record.ts';
import { deviceName } from './device-name.ts';
import type { PassRow } from './pass.ts';
import { maskedPhone } from './phone.ts';
import type { PasskeyRow } from './passkey.ts';
import type { Grant } from './session-service.ts';

/** An account as its owner sees it, under the address that was asked. */
export function profileView(account: AccountRow, origin: string, providers: Profile['providers']): Profile {
  return {
    sub: account.id,
    name: account.name,
    picture: account.picture === '' ? '' : origin + account.picture,
    email: maskedEmail(account.email),
    phone_number: maskedPhone(account.phone),
    password: account.passwordHash === undefined ? 'UNSET' : 'SET',
    status: isUsable(account) ? 'ACTIVE' : 'FROZEN',
    operator: account.role === 'operator',
    new_device_mail: account.newDeviceMail,
    providers,
    created_at: timeText(account.createdAt),
    password_updated_at: account.passwordUpdatedAt === undefined ? '' : timeText(account.passwordUpdatedAt),
  };
}

/** Reply to a sign-in: tokens, unless the session is in a cookie. */
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

/** A session as its owner sees it. */
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
    used_at: usedAt === undefined ? '' : timeText(usedAt),
  };
}

/** A pass as its owner sees it: never its secret. */
export function passView(pass: PassRow): Pass {
  return {
    id: pass.id,
    kind: pass.kind,
    name: pass.name,
    scopes: pass.scopes as Pass['scopes'],
    created_at: timeText(pass.createdAt),
    expires_at: pass.expiresAt === undefined ? '' : timeText(pass.expiresAt),
    used_at: pass.usedAt === undefined ? '' : timeText(pass.usedAt),
    used_from: pass.usedFrom,
  };
}
