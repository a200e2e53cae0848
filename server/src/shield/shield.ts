import { isIPv4 } from 'node:net';
import { ApiFailure, type ErrorId } from '@bowerbird/contract';

/** Number of free failures, and the growth of the wait after them. No lock is permanent. */
export interface Budget {
  /** Failures without any wait. */
  readonly free: number;
  /** Wait after the first failure beyond those; it doubles with each further one. */
  readonly firstWaitSeconds: number;
  readonly longestWaitSeconds: number;
  /** Time without a failure after which counting starts over. */
  readonly forgetSeconds: number;
}

/**
 * Counters of one kind of attempt. The pair of target and network slows down a guesser; the network slows
 * down one that tries many targets; the target slows down many networks together.
 */
export interface GuardRules {
  /**
   * Error while a wait lasts, with `retry_in` in seconds; for an account whose wait is minutes long it is
   * `account_locked`.
   */
  readonly error: Extract<ErrorId, 'too_frequent' | 'account_locked_retry' | 'verification_too_frequent'>;
  /**
   * If given, networks that have not failed at a target are exempt from the target's own wait: a stranger's
   * guesses elsewhere don't lock out the owner.
   */
  readonly pair?: Budget;
  readonly network?: Budget;
  readonly target?: Budget;
}

const MINUTES_SECONDS = 120;

/** Error with the seconds to wait. */
export function refusalFor(rules: GuardRules, waitSeconds: number): ApiFailure {
  const isLocked = rules.error === 'account_locked_retry' && waitSeconds >= MINUTES_SECONDS;
  return new ApiFailure(isLocked ? 'account_locked' : rules.error, { retry_in: String(waitSeconds) });
}

/** Stored state of one counter. */
export interface Count {
  readonly failures: number;
  readonly blockedUntil: number;
  readonly forgetAt: number;
}

const NOTHING: Count = { failures: 0, blockedUntil: 0, forgetAt: 0 };

/**
 * Current state of a counter: reset if it has expired. A wait longer than the longest possible was written by
 * a wrong clock and has ended; the next failure starts a new one.
 */
export function standing(
  count: Count | undefined,
  now: number,
  { longestWaitSeconds }: Pick<Budget, 'longestWaitSeconds'>,
): Count {
  if (!count || count.forgetAt <= now) return NOTHING;
  return count.blockedUntil > now + longestWaitSeconds * 1000 ? { ...count, blockedUntil: 0 } : count;
}

/** Counter after one more failure. */
export function failed(count: Count, budget: Budget, now: number): Count {
  const failures = count.failures + 1;
  const beyond = failures - budget.free;
  const wait =
    beyond > 0
      ? Math.min(budget.longestWaitSeconds, budget.firstWaitSeconds * 2 ** Math.min(beyond - 1, 30))
      : 0;
  const blockedUntil = Math.max(count.blockedUntil, now + wait * 1000);
  return { failures, blockedUntil, forgetAt: blockedUntil + budget.forgetSeconds * 1000 };
}

/** Counter after a counted attempt turned out to be right. */
export function forgiven(count: Count, budget: Budget): Count {
  const failures = Math.max(0, count.failures - 1);
  return { ...count, failures, blockedUntil: failures <= budget.free ? 0 : count.blockedUntil };
}

/** Network of an address. An IPv6 user usually has the whole /64, so that counts as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (isIPv4(address) || !address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
