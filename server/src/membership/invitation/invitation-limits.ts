import type { GuardRules } from '../../shield/index.ts';

/** Invite codes that nobody has. A right code does not count. */
export const INVITE_GUESSES: GuardRules = {
  error: 'too_frequent',
  network: { free: 30, firstWaitSeconds: 10, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 5, firstWaitSeconds: 10, longestWaitSeconds: 900, forgetSeconds: 3600 },
};
