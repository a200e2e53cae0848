import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../foundation/database/index.ts';
import { entriesOf, nameEntry, openBlock, type NameEntry } from './name-block.ts';
import type { NameIndexStore, NamedNode } from './name-index-store.ts';
import type { NameRecords } from './name-index-service.ts';
import { NAMES_VERSION } from './name-merge-service.ts';

/** Iterates over nodes that the index doesn't contain under their names. */
export type NameCheck = () => AsyncGenerator<
  { node: NamedNode; repair: () => Promise<void> },
  void,
  undefined
>;

/** Entries that are compared in one pass over all nodes: their fingerprints take about 100 MB. */
const IN_MEMORY = 2_000_000;
const SLICE = 2000;
const ACCOUNTS = 500;
const BLOCKS = 8;

/** Compares the index with the nodes. While existing nodes are still being indexed, there is nothing to compare. */
export function createNameCheck({
  database,
  store,
  names,
}: {
  database: Database;
  store: NameIndexStore;
  names: NameRecords;
}): NameCheck {
  async function* accounts(): AsyncGenerator<{ account: string; entries: number }> {
    for (let after = ''; ;) {
      const some = await store.accountsAfter(database, after, ACCOUNTS);
      yield* some;
      if (some.length < ACCOUNTS) return;
      after = some.at(-1)!.account;
    }
  }

  async function addAccount(known: Set<number>, account: string): Promise<void> {
    const heads = await store.heads(database, account);
    for (let from = 0; from < heads.length; from += BLOCKS) {
      const sizes = new Map(heads.slice(from, from + BLOCKS).map(({ id, entries }) => [id, entries]));
      for (const { id, data } of await store.data(database, account, [...sizes.keys()])) {
        for (const entry of entriesOf(openBlock(data, sizes.get(id)!)))
          known.add(fingerprint(account, entry));
        await yieldToEventLoop();
      }
    }
  }

  return async function* () {
    const { version, done } = await store.filling(database);
    if (!done || version !== NAMES_VERSION) return;
    let total = 0;
    for await (const { entries } of accounts()) total += entries;
    const passes = Math.max(1, Math.ceil(total / IN_MEMORY));
    for (let pass = 0; pass < passes; pass++) {
      const isOurs = (account: string): boolean => hashOf(account, 7) % passes === pass;
      const known = new Set<number>();
      for await (const { account } of accounts()) if (isOurs(account)) await addAccount(known, account);
      for (let after = ''; ;) {
        const nodes = await store.nodesAfter(database, after, SLICE);
        for (const node of nodes)
          if (isOurs(node.account) && !known.has(fingerprint(node.account, nameEntry(node))))
            yield { node, repair: () => database.transaction((tx) => names.added(tx, [node])) };
        if (nodes.length < SLICE) break;
        after = nodes.at(-1)!.id;
        await yieldToEventLoop();
      }
    }
  };
}

/** 53 bits that distinguish entries. */
function fingerprint(account: string, { id, category, text }: NameEntry): number {
  const key = `${account} ${id} ${category} ${text}`;
  return (hashOf(key, 1) & 0x1f_ff_ff) * 0x1_00_00_00_00 + hashOf(key, 2);
}

/** FNV-1a with another beginning. */
function hashOf(text: string, seed: number): number {
  let hash = 0x81_1c_9d_c5 ^ Math.imul(seed, 0x9e_37_79_b1);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c_1b_3c_6d) >>> 0;
}
