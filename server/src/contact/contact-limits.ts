import type { GuardRules } from '../shield/index.ts';

/** A few messages at once may come from one person; a flood from many networks is slowed down as a whole. */
export const SENDING: GuardRules = {
  error: 'too_frequent',
  network: { free: 5, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  target: { free: 300, firstWaitSeconds: 2, longestWaitSeconds: 120, forgetSeconds: 3600 },
};
