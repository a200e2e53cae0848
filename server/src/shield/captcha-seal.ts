import type { Keys } from '../foundation/index.ts';
import type { CaptchaToken, Challenge } from './captcha.ts';

const TOKEN = 'captcha-token';
const CHALLENGE = 'captcha-challenge';
const PREFIX = 'ck0.';

/** Signed texts of tokens and challenges. */
export interface Seals {
  token(token: CaptchaToken): string;
  /** Undefined if it is not ours; the caller checks the expiry. */
  openToken(text: string): CaptchaToken | undefined;
  challenge(challenge: Challenge): string;
  openChallenge(text: string): Challenge | undefined;
}

export function createSeals(keys: Keys): Seals {
  return {
    token: (token) => PREFIX + keys.seal(TOKEN, token),
    openToken: (text) =>
      text.startsWith(PREFIX)
        ? (keys.open(TOKEN, text.slice(PREFIX.length)) as CaptchaToken | undefined)
        : undefined,
    challenge: (challenge) => keys.seal(CHALLENGE, challenge),
    openChallenge: (text) => keys.open(CHALLENGE, text) as Challenge | undefined,
  };
}
