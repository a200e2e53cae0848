import { inviteCodeIn } from '@bowerbird/contract';
import { readCookie, writeCookie } from './cookies.ts';

/** Code of the member who invited this visitor: kept until an account is created, also in other tabs. */
export const INVITE_COOKIE = 'pp_invite';
export const INVITE_SECONDS = 30 * 24 * 3600;

/** Returns the address with which a member invites others, in the language of whoever opens it. */
export function inviteLink(origin: string, code: string): string {
  return `${origin}/sign-up?invite=${code}`;
}

export function keptInviteCode(): string | undefined {
  return inviteCodeIn(readCookie(INVITE_COOKIE));
}

export function keepInviteCode(code: string): void {
  // Lax: the visitor may return from another service, where they signed in.
  writeCookie(INVITE_COOKIE, code, { maxAge: INVITE_SECONDS, sameSite: 'lax' });
}

export function forgetInviteCode(): void {
  writeCookie(INVITE_COOKIE, '', { maxAge: 0, sameSite: 'lax' });
}
