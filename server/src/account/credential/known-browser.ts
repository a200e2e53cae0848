import type { Clock, Ids, Keys } from '../../foundation/index.ts';

/** In this a browser keeps which accounts were signed in there, long after their sessions. */
export const KNOWN_BROWSER_COOKIE = 'pp_known_browser';
export const KNOWN_BROWSER_SECONDS = 400 * 24 * 3600;

/**
 * Browsers that an account was signed in at. They open nothing; failures there are counted apart from those of strangers,
 * so that nobody else's guesses hold the owner up, from whichever network they come.
 */
export interface KnownBrowsers {
  /** What the account's failures at the browser with this cookie are counted under; undefined where it was never in there. */
  find(account: string, cookie: string | undefined): string | undefined;
  /** The cookie of a browser at which the account is in just now. */
  remember(account: string, cookie: string | undefined): string;
}

/** Account, name of the browser for this account alone, and when it was last in. */
type Entry = readonly [account: string, browser: string, seenAt: number];

const PURPOSE = 'known-browser';
/** People who share one browser; the longest away is forgotten. */
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
