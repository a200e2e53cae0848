import type { GuardRules } from '../shield/index.ts';

/** Trying passwords of archives takes the server's own computing time, so the attempts are limited. */
export const PASSWORD_GUESSES: GuardRules = {
  error: 'too_frequent',
  network: { free: 100, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
  target: { free: 20, firstWaitSeconds: 2, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
