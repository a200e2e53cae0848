import { LIMITS } from '@bowerbird/contract';

/** Name prefixes of the cookies that remember opened shares: the token, and the passcode as entered. */
const TOKEN_PREFIX = 'pp_share_passcode_token_';
const CODE_PREFIX = 'pp_share_pwd_code_';
const KEPT = 3;

export const tokenCookie = (shareId: string): string => TOKEN_PREFIX + shareId;
export const TOKEN_COOKIE_OPTIONS = { maxAge: LIMITS.passcodeTokenSeconds, sameSite: 'lax' } as const;

/**
 * Returns the cookies of older shares, to be deleted whenever a token is read or set; the latest three of
 * each kind are kept. Browsers send cookies of one path with the oldest first.
 */
export function staleCookies(names: readonly string[], shareId: string): string[] {
  return [TOKEN_PREFIX, CODE_PREFIX].flatMap((prefix) => {
    const others = names.filter((name) => name.startsWith(prefix) && name !== prefix + shareId);
    const hasOwn = names.includes(prefix + shareId);
    return others.slice(0, Math.max(0, others.length - (KEPT - (hasOwn ? 1 : 0))));
  });
}
