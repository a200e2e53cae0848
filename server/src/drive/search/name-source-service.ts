import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../foundation/database/index.ts';
import { createWeightedCache } from '../../foundation/index.ts';
import type { Jobs } from '../../foundation/jobs/index.ts';
import type { Nodes } from '../node/index.ts';
import {
  compareEntries,
  FULL,
  nameEntry,
  NAMES_VERSION,
  openBlock,
  packBlock,
  weightOf,
  type BlockHead,
  type NameBlock,
  type NamedNode,
  type NameEntry,
  type NameIndexStore,
} from '../name-index/index.ts';

/** Blocks to search, the ones with the newest nodes first. */
export interface NameSource {
  readonly heads: readonly Pick<BlockHead, 'id' | 'newest'>[];
  /** The filter of a block; undefined if it has none. */
  filter(id: string): Uint8Array | undefined;
  /** Reads blocks; throws {@link SourceChanged} if one was replaced meanwhile. */
  read(ids: readonly string[]): Promise<NameBlock[]>;
}

/** Somebody replaced blocks of a source: it has to be opened again. */
export class SourceChanged extends Error {}

export interface NameSources {
  /** Everything that an account has. */
  whole(account: string): Promise<NameSource>;
  /** Only some nodes. */
  of(nodes: readonly NamedNode[]): Promise<NameSource>;
}

/** Bytes of blocks and filters that a process remembers. */
const BLOCK_BYTES = 60 * 1024 * 1024;
const FILTER_BYTES = 4 * 1024 * 1024;
/** Unmerged blocks of an account from which they are merged. */
const UNMERGED = 64;
const SLICE = 2000;
const NO_FILTER = new Uint8Array(0);

export function createNameSources({
  database,
  store,
  nodes,
  jobs,
}: {
  database: Database;
  store: NameIndexStore;
  nodes: Pick<Nodes, 'version'>;
  jobs: Pick<Jobs, 'enqueue'>;
}): NameSources {
  const blocks = createWeightedCache<NameBlock>({
    most: BLOCK_BYTES,
    weightOf: (block) => weightOf(block) + 100,
  });
  const filters = createWeightedCache<Uint8Array>({
    most: FILTER_BYTES,
    weightOf: ({ length }) => length + 100,
  });
  let filled = false;
  /** The last source that was built without the index. */
  let scanned: { key: string; source: NameSource } | undefined;

  async function indexed(account: string): Promise<NameSource> {
    const heads = await store.heads(database, account);
    heads.sort((a, b) => (a.newest < b.newest ? 1 : -1));
    if (heads.filter(({ isRaw }) => isRaw).length > UNMERGED)
      await database.transaction((tx) => jobs.enqueue(tx, 'merge-names', { account }, { key: account }));
    const entries = new Map(heads.map((head) => [head.id, head.entries]));
    const own = new Map<string, Uint8Array>();
    const unknown: string[] = [];
    for (const { id, isRaw } of heads) {
      const known = isRaw ? NO_FILTER : filters.get(id);
      if (known) own.set(id, known);
      else unknown.push(id);
    }
    for (const { id, filter } of unknown.length === 0
      ? []
      : await store.filters(database, account, unknown)) {
      own.set(id, filter ?? NO_FILTER);
      filters.set(id, filter ?? NO_FILTER);
    }
    return {
      heads,
      filter: (id) => {
        const filter = own.get(id);
        return filter?.length ? filter : undefined;
      },
      async read(ids) {
        const known = new Map(ids.map((id) => [id, blocks.get(id)]));
        const missing = ids.filter((id) => !known.get(id));
        const rows = missing.length === 0 ? [] : await store.data(database, account, missing);
        for (const { id, data } of rows) known.set(id, openBlock(data, entries.get(id)!));
        return ids.map((id) => {
          const block = known.get(id);
          if (!block) throw new SourceChanged('a block was replaced');
          // Used blocks count as new.
          blocks.set(id, block);
          return block;
        });
      },
    };
  }

  async function scan(account: string): Promise<NameSource> {
    const key = `${account} ${await nodes.version(database, account)}`;
    if (scanned?.key === key) return scanned.source;
    const entries: NameEntry[] = [];
    for (let after = ''; ;) {
      const rows = await store.nodesAfter(database, after, SLICE, account);
      entries.push(...rows.map(nameEntry));
      if (rows.length < SLICE) break;
      after = rows.at(-1)!.id;
      await yieldToEventLoop();
    }
    const source = await built(entries);
    scanned = { key, source };
    return source;
  }

  return {
    async whole(account) {
      if (!filled) {
        const { version, done } = await store.filling(database);
        filled = done && version === NAMES_VERSION;
      }
      return filled ? indexed(account) : scan(account);
    },
    of: (some) => built(some.map(nameEntry)),
  };
}

/** A source in memory. */
async function built(entries: NameEntry[]): Promise<NameSource> {
  entries.sort(compareEntries);
  const made: NameBlock[] = [];
  const heads: { id: string; newest: string }[] = [];
  for (let from = 0; from < entries.length; from += FULL) {
    const some = entries.slice(from, from + FULL);
    heads.push({ id: String(made.length), newest: some[0]!.id });
    made.push(openBlock(packBlock(some), some.length));
    await yieldToEventLoop();
  }
  return {
    heads,
    filter: () => undefined,
    read: async (ids) => ids.map((id) => made[Number(id)]!),
  };
}
