import type { Clock, Ids, Keys } from '../../foundation/index.ts';

/** Cookie that lists the accounts that have signed in from this browser; it outlasts their sessions. */
export const KNOWN_BROWSER_COOKIE = 'pp_known_browser';
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

/**
 * Browsers from which an account has signed in. They grant no access. Failures there are counted separately
 * from those of strangers, so that guesses by others, from any network, don't delay the owner.
 */
export interface KnownBrowsers {
  /**
   * Returns the counter key for the account's failures in the browser with this cookie; undefined if the account
   * was never signed in there.
   */
  find(account: string, cookie: string | undefined): string | undefined;
  /** Returns the cookie for a browser in which the account is signed in now. */
  remember(account: string, cookie: string | undefined): string;
}

/** Account, name of the browser for this account alone, and time of its last sign-in. */
type Entry = readonly [account: string, browser: string, seenAt: number];

const PURPOSE = 'known-browser';
/** Maximum number of accounts remembered per browser; the least recently used one is dropped. */
const MOST_ACCOUNTS = 4;

export function createKnownBrowsers({
  keys,
  clock,
  ids,
}: {
  keys: Keys;
  clock: Clock;
  ids: Ids;
}): KnownBrowsers {
  function read(cookie: string | undefined): readonly Entry[] {
    const plain = cookie === undefined ? undefined : keys.decrypt(PURPOSE, cookie);
    const entries = plain === undefined ? [] : (JSON.parse(plain) as Entry[]);
    return entries.filter(([, , seenAt]) => seenAt + KNOWN_BROWSER_SECONDS * 1000 > clock.now());
  }

  return {
    find: (account, cookie) => read(cookie).find(([one]) => one === account)?.[1],

    remember(account, cookie) {
      const known = read(cookie);
      const browser = known.find(([one]) => one === account)?.[1] ?? ids.secret();
      const others = known.filter(([one]) => one !== account);
      const entries: Entry[] = [[account, browser, clock.now()], ...others].slice(
        0,
        MOST_ACCOUNTS,
      ) as Entry[];
      return keys.encrypt(PURPOSE, JSON.stringify(entries));
    },
  };
}
