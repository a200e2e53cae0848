import type { GuardRules } from '../shield/index.ts';

/**
 * Passcode guesses: a few are free for every visitor, then the waits grow. Newcomers can still enter while
 * strangers guess.
 */
export const PASSCODE_GUESSES: GuardRules = {
  error: 'too_frequent',
  pair: { free: 5, firstWaitSeconds: 5, longestWaitSeconds: 900, forgetSeconds: 3600 },
  network: { free: 30, firstWaitSeconds: 5, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 60, firstWaitSeconds: 5, longestWaitSeconds: 300, forgetSeconds: 3600 },
};

/**
 * Clients that mistake a refusal for a temporary failure repeat the same call forever; after a while they get
 * this error.
 */
export const LOOPS: GuardRules = {
  error: 'too_frequent',
  pair: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 600 },
  network: { free: 300, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 600 },
};
