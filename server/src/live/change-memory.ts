import type { LiveTopic } from '@bowerbird/contract';
import type { Changes } from '../foundation/database/index.ts';

/** When a topic of an account was changed last. */
interface Change {
  /** Counts the changes of all accounts. */
  readonly number: number;
  /** Milliseconds of the process's own clock. */
  readonly at: number;
}

/** Point at which a client left off: the number of the last change that it knows, or how long ago it knew everything. */
export type Position = { readonly number: number } | { readonly awayMs: number };

/** Changes of the last minutes, so that a client that was away learns what it missed. */
export interface ChangeMemory {
  /** Number of the latest change. */
  readonly number: number;
  add(changes: Changes): void;
  /** Returns what an account's client missed; undefined if that isn't known. */
  since(account: string, position: Position): LiveTopic[] | undefined;
  /** Forgets everything: changes may have been missed. */
  lose(): void;
  /** Forgets changes that are too old. */
  tidy(): void;
}

const KEPT_MS = 10 * 60_000;
const MOST_ACCOUNTS = 20_000;
/** A client's page may have been read from another server, which told this one a moment later. */
const TRANSIT_MS = 2_000;

export function createChangeMemory(now: () => number): ChangeMemory {
  /** Accounts in the order of their last change. */
  const accounts = new Map<string, Map<LiveTopic, Change>>();
  let number = 0;
  /** Everything after this is known. */
  let floor: Change = { number: 0, at: now() };

  function forget(account: string, topics: Map<LiveTopic, Change>): void {
    accounts.delete(account);
    for (const change of topics.values()) if (change.number > floor.number) floor = change;
  }

  return {
    get number() {
      return number;
    },

    add(changes) {
      const at = now();
      for (const [account, topics] of changes) {
        const known = accounts.get(account) ?? new Map<LiveTopic, Change>();
        accounts.delete(account);
        accounts.set(account, known);
        number += 1;
        for (const topic of topics) known.set(topic, { number, at });
      }
      for (const [account, topics] of accounts) {
        if (accounts.size <= MOST_ACCOUNTS) return;
        forget(account, topics);
      }
    },

    since(account, position) {
      const isAfter = (change: Change): boolean =>
        'number' in position
          ? change.number > position.number
          : change.at > now() - position.awayMs - TRANSIT_MS;
      const isKnown =
        'number' in position ? position.number >= floor.number && position.number <= number : !isAfter(floor);
      if (!isKnown) return undefined;
      return [...(accounts.get(account) ?? [])]
        .filter(([, change]) => isAfter(change))
        .map(([topic]) => topic);
    },

    lose() {
      accounts.clear();
      number += 1;
      floor = { number, at: now() };
    },

    tidy() {
      const before = now() - KEPT_MS;
      for (const [account, topics] of accounts) {
        if ([...topics.values()].some(({ at }) => at >= before)) return;
        forget(account, topics);
      }
    },
  };
}
