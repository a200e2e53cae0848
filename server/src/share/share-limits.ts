import type { GuardRules } from '../shield/index.ts';

/** Guesses: a handful for everyone, then ever slower; newcomers come in while strangers guess. */
export const PASSCODE_GUESSES: GuardRules = {
  error: 'too_frequent',
  pair: { free: 5, firstWaitSeconds: 5, longestWaitSeconds: 900, forgetSeconds: 3600 },
  network: { free: 30, firstWaitSeconds: 5, longestWaitSeconds: 900, forgetSeconds: 3600 },
  target: { free: 60, firstWaitSeconds: 5, longestWaitSeconds: 300, forgetSeconds: 3600 },
};

/** Clients that take a refusal for a hiccup repeat the same call for ever; they are told so after a while. */
export const LOOPS: GuardRules = {
  error: 'too_frequent',
  pair: { free: 20, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 600 },
  network: { free: 300, firstWaitSeconds: 10, longestWaitSeconds: 300, forgetSeconds: 600 },
};
