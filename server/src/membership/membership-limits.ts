import type { GuardRules } from '../shield/index.ts';

/** Wrong activation codes. A code has 77 bits: these limits keep the attempts from loading the server. */
export const CODE_GUESSES: GuardRules = {
  error: 'too_frequent',
  network: { free: 60, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
  target: { free: 10, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};
