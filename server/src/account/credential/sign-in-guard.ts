import { isApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Guard } from '../../shield/index.ts';
import type { AccountRow } from '../account.ts';
import type { Destinations } from '../verification/index.ts';
import type { KnownBrowsers } from './known-browser.ts';

/** Who tries to come in, as far as counting goes. */
export interface Attempt {
  /** The account as it was named. */
  readonly name: string;
  readonly address: string;
  /** The cookie that says at which accounts' browsers this is. */
  readonly browser?: string | undefined;
}

/** Counts whoever tries to come in with something that can be guessed, over all doors. */
export interface SignInGuard {
  /** Counts before the outcome is known; `account_locked_retry`, or `account_locked`, while it must wait. */
  attempt(
    account: AccountRow | undefined,
    attempt: Attempt,
  ): Promise<{
    /** Seconds until the next attempt would be let in; 0 while failures are still free. */
    wait: number;
    /** It was right: it counts no longer. */
    succeed(): Promise<void>;
  }>;
}

interface Parts {
  /** Counts strangers: by account, network, and the two together. */
  strangers: Guard;
  /** Counts by account and known browser alone. */
  browsers: Guard;
  known: KnownBrowsers;
  destinations: Destinations;
}

const HELD_UP: ReadonlySet<ErrorId> = new Set(['account_locked_retry', 'account_locked']);

export function createSignInGuard({ strangers, browsers, known, destinations }: Parts): SignInGuard {
  const counted = async (guard: Guard, target: string, address: string) => ({
    wait: await guard.attempt(target, address),
    succeed: () => guard.succeed(target, address),
  });

  return {
    async attempt(account, { name, address, browser: cookie }) {
      const browser = account && known.find(account.id, cookie);
      const asStranger = () =>
        counted(strangers, account?.id ?? `nobody:${destinations.keyOf(name) ?? name}`, address);
      if (!browser) return asStranger();
      try {
        return await counted(browsers, `${account.id} ${browser}`, '');
      } catch (error) {
        // Somebody with a copy of the cookie may have used its tries up; whoever owns it is no worse off than a stranger.
        if (isApiFailure(error) && HELD_UP.has(error.id)) return asStranger();
        throw error;
      }
    },
  };
}
