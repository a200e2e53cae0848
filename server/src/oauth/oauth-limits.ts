import type { GuardRules } from '../shield/index.ts';

export const REGISTRATION: GuardRules = {
  error: 'too_frequent',
  network: { free: 20, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 3600 },
};
export const DEVICE_CODE: GuardRules = {
  error: 'too_frequent',
  network: { free: 60, firstWaitSeconds: 5, longestWaitSeconds: 300, forgetSeconds: 3600 },
};
/** A device code has 34 bits and is valid for 15 minutes: these limits make guessing hopeless. */
export const USER_CODE: GuardRules = {
  error: 'too_frequent',
  network: { free: 30, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
  target: { free: 10, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};
