import { isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Guard } from '../../shield/index.ts';
import type { AccountRow } from '../account.ts';
import type { Recipients } from '../verification/index.ts';
import type { KnownBrowsers } from './known-browser.ts';

/** The details of a sign-in attempt that are needed for counting. */
export interface Attempt {
  /** Account name as it was entered. */
  readonly name: string;
  readonly address: string;
  /** Cookie that lists the accounts for which this browser is known. */
  readonly browser?: string | undefined;
}

/** Counts sign-in attempts with guessable credentials, across all entry points. */
export interface SignInGuard {
  /**
   * Counts the attempt before its outcome is known; throws `account_locked_retry` or `account_locked` while it
   * must wait.
   */
  attempt(
    account: AccountRow | undefined,
    attempt: Attempt,
  ): Promise<{
    /** Seconds until the next attempt would be accepted; 0 while failures are still free. */
    wait: number;
    /** Reports success: the attempt no longer counts. */
    succeed(): Promise<void>;
  }>;
}

interface Parts {
  /** Counter for strangers: by account, network, and the two together. */
  strangers: Guard;
  /** Counter by account and known browser alone. */
  browsers: Guard;
  known: KnownBrowsers;
  recipients: Recipients;
}

const HELD_UP: ReadonlySet<ErrorId> = new Set(['account_locked_retry', 'account_locked']);

export function createSignInGuard({ strangers, browsers, known, recipients }: Parts): SignInGuard {
  const counted = async (guard: Guard, target: string, address: string) => ({
    wait: await guard.attempt(target, address),
    succeed: () => guard.succeed(target, address),
  });

  return {
    async attempt(account, { name, address, browser: cookie }) {
      const browser = account && known.find(account.id, cookie);
      const asStranger = () =>
        counted(strangers, account?.id ?? `nobody:${recipients.keyOf(name) ?? name}`, address);
      if (!browser) return asStranger();
      try {
        return await counted(browsers, `${account.id} ${browser}`, '');
      } catch (error) {
        // Someone with a copy of the cookie may have used up its attempts; the owner then gets those of a
        // stranger.
        if (isApiFailure(error) && HELD_UP.has(error.id)) return asStranger();
        throw error;
      }
    },
  };
}
