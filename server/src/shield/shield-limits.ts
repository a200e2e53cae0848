import type { GuardRules } from './shield.ts';

/**
 * Passcodes sent without scripts, by a link or a form, while a check is required: one is accepted, then the
 * waits grow. They also count as guesses at the share; right ones do not count.
 */
export const PLAIN_PASSCODES: GuardRules = {
  error: 'too_frequent',
  pair: { free: 0, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
  network: { free: 10, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
};
