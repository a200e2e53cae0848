import type { GuardRules } from './shield.ts';

/**
 * Passcodes that come without scripts, by a link or a form, where a check is asked for: one, then ever slower. They
 * count as guesses at the share besides; right ones do not count.
 */
export const PLAIN_PASSCODES: GuardRules = {
  error: 'too_frequent',
  pair: { free: 0, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
  network: { free: 10, firstWaitSeconds: 30, longestWaitSeconds: 900, forgetSeconds: 3600 },
};
