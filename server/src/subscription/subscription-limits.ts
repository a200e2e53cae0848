import type { GuardRules } from '../shield/index.ts';

export const LOOKS: GuardRules = {
  error: 'too_frequent',
  pair: { free: 120, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
  network: { free: 600, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
