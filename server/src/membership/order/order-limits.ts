import type { GuardRules } from '../../shield/index.ts';

/** Orders that are created and canceled again and again would fill the database. */
export const ORDERING: GuardRules = {
  error: 'too_frequent',
  target: { free: 20, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 24 * 3600 },
};

/** Each PDF file takes up to a quarter of a second of another process. */
export const PRINTING: GuardRules = {
  error: 'too_frequent',
  target: { free: 120, firstWaitSeconds: 10, longestWaitSeconds: 600, forgetSeconds: 3600 },
};

/** Each page of the payment service takes a request to it. */
export const PAYING: GuardRules = {
  error: 'too_frequent',
  target: { free: 30, firstWaitSeconds: 60, longestWaitSeconds: 3600, forgetSeconds: 24 * 3600 },
};
