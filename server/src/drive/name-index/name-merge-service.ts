import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../foundation/database/index.ts';
import type { Ids } from '../../foundation/index.ts';
import {
  compareEntries,
  entriesOf,
  FULL,
  nameEntry,
  openBlock,
  packBlock,
  type NameEntry,
} from './name-block.ts';
import { addToFilter, emptyFilter } from './name-filter.ts';
import type { BlockHead, BlockRow, NameIndexStore } from './name-index-store.ts';

/** Jobs of the index. Each can be killed at any time, and run by several processes. */
export interface NameMerges {
  /** Merges the small blocks of an account, so that it has few. */
  merge(account: string, signal: AbortSignal): Promise<void>;
  /** Removes outdated entries if there are many. */
  trim(account: string, signal: AbortSignal): Promise<void>;
  /** Indexes nodes that existed before the index did. */
  fill(signal: AbortSignal): Promise<void>;
}

/** Blocks up to this size are merged whenever there is something to merge; larger ones once there are several. */
const SMALL = 512;
const MEDIUM = 2048;
const MEDIUMS = 8;
/** Maximum number of entries that are merged at once. */
const AT_ONCE = 4 * FULL;
/** Entries between two turns of the event loop. */
const TURN = 500;
/** Trimming reads all nodes of an account, so a quarter of its entries has to be outdated. */
const STALE_LEAST = 1000;
const STALE_SHARE = 0.25;
/** Share of outdated entries from which a block is written anew. */
const REWRITTEN = 0.05;
const FILLED = 4000;
/** Version of the entries: raise it when folding or the order of FILE_CATEGORIES changes. */
export const NAMES_VERSION = 1;

export function createNameMerges({
  database,
  store,
  ids,
}: {
  database: Database;
  store: NameIndexStore;
  ids: Ids;
}): NameMerges {
  async function read(account: string, heads: readonly BlockHead[]): Promise<NameEntry[] | undefined> {
    const sizes = new Map(heads.map(({ id, entries }) => [id, entries]));
    const rows = await store.data(database, account, [...sizes.keys()]);
    // Another process merged them.
    if (rows.length < heads.length) return undefined;
    const all: NameEntry[] = [];
    for (const { id, data } of rows) {
      for (const entry of entriesOf(openBlock(data, sizes.get(id)!))) {
        all.push(entry);
        if (all.length % TURN === 0) await yieldToEventLoop();
      }
    }
    all.sort(compareEntries);
    return all.filter((entry, at) => at === 0 || compareEntries(all[at - 1]!, entry) !== 0);
  }

  /** Packs sorted entries into as few blocks as possible. */
  async function pack(account: string, entries: readonly NameEntry[]): Promise<BlockRow[]> {
    const size = Math.ceil(entries.length / Math.ceil(entries.length / FULL));
    const rows: BlockRow[] = [];
    for (let from = 0; from < entries.length; from += size) {
      const some = entries.slice(from, from + size);
      const filter = emptyFilter(some.length);
      for (const [at, { text, category }] of some.entries()) {
        addToFilter(filter, text, category);
        if (at % TURN === 0) await yieldToEventLoop();
      }
      rows.push({
        account,
        id: ids.next(),
        entries: some.length,
        newest: some[0]!.id,
        filter,
        data: packBlock(some),
      });
    }
    return rows;
  }

  /** Replaces blocks by others, unless somebody else replaced any of them. */
  async function replace(
    account: string,
    old: readonly BlockHead[],
    rows: readonly BlockRow[],
  ): Promise<void> {
    const lost = new Error('replaced by another process');
    await database
      .transaction(
        async (tx) => {
          const removed = await store.remove(
            tx,
            account,
            old.map(({ id }) => id),
          );
          if (removed < old.length) throw lost;
          for (const row of rows) await store.insert(tx, row);
        },
        { durable: false },
      )
      .catch((error: unknown) => {
        if (error !== lost) throw error;
      });
  }

  return {
    async merge(account, signal) {
      const heads = await store.heads(database, account);
      const mediums = heads.filter(({ entries, isRaw }) => !isRaw && entries >= SMALL && entries < MEDIUM);
      const sources = heads.filter(({ entries, isRaw }) => isRaw || entries < SMALL);
      if (mediums.length >= MEDIUMS) sources.push(...mediums);
      if (sources.length < 2 && !sources.some(({ isRaw }) => isRaw)) return;
      sources.sort((a, b) => (a.newest < b.newest ? 1 : -1));
      while (sources.length > 0) {
        signal.throwIfAborted();
        const some: BlockHead[] = [];
        for (
          let entries = 0;
          sources.length > 0 && (some.length === 0 || entries + sources[0]!.entries <= AT_ONCE);
        ) {
          entries += sources[0]!.entries;
          some.push(sources.shift()!);
        }
        const entries = await read(account, some);
        if (entries) await replace(account, some, await pack(account, entries));
        await yieldToEventLoop();
      }
    },

    async trim(account, signal) {
      const heads = await store.heads(database, account);
      const total = heads.reduce((sum, { entries }) => sum + entries, 0);
      const stale = await store.stale(database, account);
      if (stale < Math.max(STALE_LEAST, total * STALE_SHARE)) return;
      await database.transaction((tx) => store.forgetStale(tx, account));
      for (const head of heads) {
        const entries = await read(account, [head]);
        if (!entries) continue;
        const current: NameEntry[] = [];
        for (let from = 0; from < entries.length; from += TURN) {
          signal.throwIfAborted();
          const some = entries.slice(from, from + TURN);
          const nodes = new Map(
            (
              await store.nodesById(
                database,
                some.map(({ id }) => id),
              )
            ).map((node) => [node.id, node]),
          );
          current.push(
            ...some.filter((entry) => {
              const node = nodes.get(entry.id);
              return node?.account === account && nameEntry(node).text === entry.text;
            }),
          );
          await yieldToEventLoop();
        }
        if (entries.length - current.length > entries.length * REWRITTEN)
          await replace(account, [head], await pack(account, current));
      }
    },

    async fill(signal) {
      const { version, done } = await store.filling(database);
      if (version !== NAMES_VERSION)
        await database.transaction(async (tx) => {
          await store.removeAll(tx);
          await store.setFilling(tx, { version: NAMES_VERSION, cursor: '', done: 0 });
        });
      else if (done) return;
      for (let more = true; more;) {
        signal.throwIfAborted();
        const { cursor } = await store.filling(database);
        const nodes = await store.nodesAfter(database, cursor, FILLED);
        const blocks: BlockRow[] = [];
        for (const [account, own] of Map.groupBy(nodes, (node) => node.account))
          blocks.push(...(await pack(account, own.map(nameEntry).toSorted(compareEntries))));
        more = nodes.length === FILLED;
        await database.transaction(async (tx) => {
          // Another process may have been faster.
          if ((await store.filling(tx)).cursor !== cursor) return;
          for (const block of blocks) await store.insert(tx, block);
          await store.setFilling(tx, {
            version: NAMES_VERSION,
            cursor: nodes.at(-1)?.id ?? cursor,
            done: more ? 0 : 1,
          });
        });
        await yieldToEventLoop();
      }
    },
  };
}
