import type { Clock, Ids, Keys } from '../../foundation/index.ts';

/** Cookie in which a browser keeps the accounts that were signed in there, long after their sessions. */
export const KNOWN_BROWSER_COOKIE = 'pp_known_browser';
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

/**
 * Browsers that an account was signed in from. They grant no access; failures there are counted apart from those
 * of strangers, so that guesses of others don't delay the owner, from whichever network they are made.
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
/** Number of people who share one browser; the one absent longest is forgotten. */
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
