import type { GuardRules } from '../shield/index.ts';

/** Passwords of archives are tried against the server's own time, so there is a bound to it. */
export const PASSWORD_GUESSES: GuardRules = {
  error: 'too_frequent',
  network: { free: 100, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
  target: { free: 20, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
