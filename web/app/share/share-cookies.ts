import { LIMITS } from '@bowerbird/contract';

/** Names of the cookies that remember which shares were opened: the token, and the passcode as it was typed. */
const TOKEN_PREFIX = 'pp_share_passcode_token_';
const CODE_PREFIX = 'pp_share_pwd_code_';
const KEPT = 3;

export const tokenCookie = (shareId: string): string => TOKEN_PREFIX + shareId;
export const TOKEN_COOKIE_OPTIONS = { maxAge: LIMITS.passcodeTokenSeconds, sameSite: 'lax' } as const;

/**
 * Cookies of older shares, to be cleared whenever a token is read or set; the last three of each kind stay. Browsers
 * send cookies of one path with the oldest first.
 */
export function staleCookies(names: readonly string[], shareId: string): string[] {
  return [TOKEN_PREFIX, CODE_PREFIX].flatMap((prefix) => {
    const others = names.filter((name) => name.startsWith(prefix) && name !== prefix + shareId);
    const hasOwn = names.includes(prefix + shareId);
    return others.slice(0, Math.max(0, others.length - (KEPT - (hasOwn ? 1 : 0))));
  });
}
