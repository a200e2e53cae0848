import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Ids } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import { compareEntries, nameEntry, packBlock, type NameEntry } from './name-block.ts';
import type { NameIndexStore, NamedNode } from './name-index-store.ts';

/** Hooks of the stores that write names: whatever they write is found as soon as it is committed. */
export interface NameRecords {
  /** Records nodes that were inserted, under the names that they have now. */
  added(tx: Tx, nodes: readonly NamedNode[]): Promise<void>;
  /** Same as {@link added} for nodes that had other names. */
  renamed(tx: Tx, nodes: readonly NamedNode[]): Promise<void>;
  /** Counts nodes that were deleted; their entries are removed later. */
  removed(tx: Tx, accounts: readonly string[]): Promise<void>;
}

export interface NameIndex extends NameRecords {
  /** Deletes what the index contains of an account; returns the number of blocks. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
}

/** Changes of an account, in this process, after which its blocks are merged. */
const MERGED = 32;
/** Entries of one change from which it counts as that many changes. */
const LARGE = 256;
/** Deleted or renamed nodes of an account, in this process, after which its blocks may be trimmed. */
const TRIMMED = 1000;
/** Accounts that are counted in memory. */
const COUNTED = 10_000;
const ERASED = 20;

/**
 * The index of names: blocks of entries for each account, which are only ever added, merged and replaced. An entry may
 * be outdated, so whoever finds one reads its node; but every node has an entry with its current name.
 */
export function createNameIndex({
  database,
  store,
  jobs,
  ids,
}: {
  database: Database;
  store: NameIndexStore;
  jobs: Pick<Jobs, 'enqueue'>;
  ids: Ids;
}): NameIndex {
  const changes = createCounter(MERGED);
  const stale = createCounter(TRIMMED);

  async function append(tx: Tx, account: string, entries: NameEntry[]): Promise<void> {
    entries.sort(compareEntries);
    await store.insert(tx, {
      account,
      id: ids.next(),
      entries: entries.length,
      newest: entries[0]!.id,
      filter: null,
      data: packBlock(entries),
    });
    if (changes(account, entries.length >= LARGE ? MERGED : 1))
      await jobs.enqueue(tx, 'merge-names', { account }, { key: account });
  }

  async function outdated(tx: Tx, account: string, count: number): Promise<void> {
    await store.addStale(tx, account, count);
    if (stale(account, count)) await jobs.enqueue(tx, 'trim-names', { account }, { key: account });
  }

  const byAccount = (nodes: readonly NamedNode[]): Iterable<[string, NamedNode[]]> =>
    nodes.length === 1 ? [[nodes[0]!.account, [nodes[0]!]]] : Map.groupBy(nodes, ({ account }) => account);

  return {
    async added(tx, nodes) {
      for (const [account, own] of byAccount(nodes)) await append(tx, account, own.map(nameEntry));
    },

    async renamed(tx, nodes) {
      for (const [account, own] of byAccount(nodes)) {
        await append(tx, account, own.map(nameEntry));
        await outdated(tx, account, own.length);
      }
    },

    async removed(tx, accounts) {
      for (const [account, all] of Map.groupBy(accounts, (one) => one))
        await outdated(tx, account, all.length);
    },

    async eraseAccount(account, signal) {
      for (let removed = 0; ;) {
        signal.throwIfAborted();
        const some = await database.transaction((tx) => store.erase(tx, account, ERASED), { durable: false });
        removed += some;
        if (some < ERASED) return removed;
      }
    },
  };
}

/** Counts by account; returns true, and starts over, when a count reaches `most`. */
function createCounter(most: number): (account: string, by: number) => boolean {
  const counts = new Map<string, number>();
  return (account, by) => {
    const count = (counts.get(account) ?? 0) + by;
    counts.delete(account);
    if (count >= most) return true;
    counts.set(account, count);
    if (counts.size > COUNTED) counts.delete(counts.keys().next().value!);
    return false;
  };
}
