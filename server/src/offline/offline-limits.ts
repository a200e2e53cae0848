import type { GuardRules } from '../shield/index.ts';

/** Limits inspections, so that the server cannot be used to scan other sites. */
export const VISITOR_LOOKS: GuardRules = {
  error: 'too_frequent',
  pair: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
  network: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};
export const MEMBER_LOOKS: GuardRules = {
  error: 'too_frequent',
  pair: { free: 300, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
  network: { free: 1000, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
