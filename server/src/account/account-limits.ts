import type { GuardRules } from '../shield/index.ts';

export const SIGN_IN: GuardRules = {
  error: 'account_locked_retry',
  pair: { free: 5, firstWaitSeconds: 2, longestWaitSeconds: 900, forgetSeconds: 6 * 3600 },
  network: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
  target: { free: 50, firstWaitSeconds: 2, longestWaitSeconds: 60, forgetSeconds: 3600 },
};
/**
 * Attempts from browsers in which the account was used before. Strangers don't share this limit, unless they
 * stole the cookie.
 */
export const KNOWN_BROWSER: GuardRules = {
  error: 'account_locked_retry',
  target: { free: 5, firstWaitSeconds: 2, longestWaitSeconds: 900, forgetSeconds: 6 * 3600 },
};
/**
 * Only reached after a correct password, so strangers cannot lock the owner out. Counted per account as well as per
 * network, so rotating IPs does not help.
 */
export const SECOND_FACTOR: GuardRules = {
  error: 'account_locked_retry',
  network: { free: 30, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 6 * 3600 },
  target: { free: 8, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 24 * 3600 },
};
export const PASSKEY: GuardRules = {
  error: 'too_frequent',
  network: { free: 100, firstWaitSeconds: 5, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
/** Decoding is slow and delays other requests. */
export const PICTURE: GuardRules = {
  error: 'too_frequent',
  target: { free: 20, firstWaitSeconds: 30, longestWaitSeconds: 3600, forgetSeconds: 3600 },
};
export const SIGN_UP: GuardRules = {
  error: 'too_frequent',
  network: { free: 60, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};
export const MAIL: GuardRules = {
  error: 'verification_too_frequent',
  network: { free: 20, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 0, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 3600 },
};
export const MAIL_FROM_KNOWN: GuardRules = { error: MAIL.error, target: MAIL.target! };
/** A text message costs more than an email. */
export const SMS: GuardRules = {
  error: 'verification_too_frequent',
  network: { free: 6, firstWaitSeconds: 120, longestWaitSeconds: 3600, forgetSeconds: 6 * 3600 },
  target: { free: 0, firstWaitSeconds: 60, longestWaitSeconds: 6 * 3600, forgetSeconds: 6 * 3600 },
};
export const SMS_FROM_KNOWN: GuardRules = { error: SMS.error, target: SMS.target! };
/** Counted per country and day, so the waiting time needs no limit. */
export const countryRules = (daily: number): GuardRules => ({
  error: 'verification_too_frequent',
  target: {
    free: Math.max(0, daily - 1),
    firstWaitSeconds: 24 * 3600,
    longestWaitSeconds: 24 * 3600,
    forgetSeconds: 24 * 3600,
  },
});
