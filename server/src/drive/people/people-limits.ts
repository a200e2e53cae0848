import type { GuardRules } from '../../shield/index.ts';

/**
 * Invitations, successful or not: whoever tries many addresses learns which of them have an account. A few dozen within
 * an hour are free.
 */
export const INVITATIONS: GuardRules = {
  error: 'too_frequent',
  network: { free: 90, firstWaitSeconds: 20, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 30, firstWaitSeconds: 20, longestWaitSeconds: 900, forgetSeconds: 3600 },
};

/** Maximum number of members who have access to one item, and of all accesses that a member gives. */
export const MOST_PEOPLE = 100;
export const MOST_GRANTS = 2000;
/** Maximum number of invitations of one member that wait for the decision of another one. */
export const MOST_PENDING = 50;
