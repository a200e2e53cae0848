import { ApiFailure, labelText, LIMITS, type Color } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import { foldText } from '../name-index/index.ts';
import type { Nodes } from '../node/index.ts';
import type { Pair, TagRow } from './annotation.ts';
import type { TagStore } from './tag-store.ts';

/** A member's tags. Changes of items' tags hold the tree lock, and all changes the lock of the account's tags after it. */
export interface Tags {
  list(sql: Sql, account: string): Promise<TagRow[]>;
  /** Throws `tag_name_taken`, `tag_limit`. */
  create(account: string, tag: { name: string; color: Color }): Promise<TagRow>;
  /** Throws `tag_not_found`, `tag_name_taken`. */
  change(
    account: string,
    id: string,
    change: { name?: string | undefined; color?: Color | undefined },
  ): Promise<TagRow>;
  /** Throws `tag_not_found`. */
  remove(account: string, id: string): Promise<void>;
  /**
   * Adds tags to live nodes, and takes others off. Returns what was changed. Throws `file_not_found`, `tag_not_found`,
   * `tag_item_limit`.
   */
  mark(
    account: string,
    nodes: readonly string[],
    change: { add: readonly string[]; remove: readonly string[] },
  ): Promise<{ added: Pair[]; removed: Pair[] }>;
  /** Iterates over all items with tags, one entry for each of both. */
  tagged(account: string): AsyncIterable<Pair & { name: string; file: string }>;
}

const PAGE = 500;

/** Name of a tag as it is compared and searched. */
export const tagFold = (name: string): string => foldText(name) || name.toLowerCase();

function checked(name: string): { name: string; name_fold: string } {
  const label = labelText(name, LIMITS.tagNameMax);
  if (label === undefined) throw new ApiFailure('invalid_argument', { field: 'name' });
  return { name: label, name_fold: tagFold(label) };
}

export function createTags({
  database,
  store,
  nodes,
  clock,
  ids,
}: {
  database: Database;
  store: TagStore;
  nodes: Pick<Nodes, 'lock' | 'findMany'>;
  clock: Clock;
  ids: Ids;
}): Tags {
  const lock = (tx: Tx, account: string): Promise<unknown> => tx.lock(`tags:${account}`);

  async function own(tx: Tx, account: string, id: string): Promise<TagRow> {
    const [tag] = await store.byIds(tx, account, [id]);
    if (!tag) throw new ApiFailure('tag_not_found');
    return tag;
  }

  async function expectFree(tx: Tx, account: string, fold: string, id?: string): Promise<void> {
    const [taken] = await store.named(tx, account, [fold]);
    if (taken && taken.id !== id) throw new ApiFailure('tag_name_taken');
  }

  return {
    list: (sql, account) => store.list(sql, account),

    create: (account, { name, color }) =>
      database.transaction(async (tx) => {
        const named = checked(name);
        await lock(tx, account);
        await expectFree(tx, account, named.name_fold);
        if ((await store.count(tx, account)) >= LIMITS.tags)
          throw new ApiFailure('tag_limit', { limit: String(LIMITS.tags) });
        const tag = { id: ids.next(), account, ...named, color, created_at: clock.now() };
        await store.insert(tx, tag);
        return tag;
      }),

    change: (account, id, { name, color }) =>
      database.transaction(async (tx) => {
        const named = name === undefined ? undefined : checked(name);
        await lock(tx, account);
        const tag = await own(tx, account, id);
        if (named) await expectFree(tx, account, named.name_fold, id);
        const change = { ...named, ...(color === undefined ? {} : { color }) };
        if (Object.keys(change).length > 0) await store.change(tx, account, id, change);
        return { ...tag, ...change };
      }),

    remove: (account, id) =>
      database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        await lock(tx, account);
        await own(tx, account, id);
        await store.remove(tx, account, id);
      }),

    mark: (account, some, { add, remove }) =>
      database.transaction(async (tx) => {
        await nodes.lock(tx, account);
        await lock(tx, account);
        const wanted = [...new Set(some)];
        if ((await nodes.findMany(tx, account, wanted)).length < wanted.length)
          throw new ApiFailure('file_not_found');
        const adding = new Set(add);
        const removing = new Set(remove.filter((tag) => !adding.has(tag)));
        const named = [...adding, ...removing];
        if ((await store.byIds(tx, account, named)).length < named.length)
          throw new ApiFailure('tag_not_found');
        const before = Map.groupBy(await store.pairs(tx, wanted), ({ node }) => node);
        const added: Pair[] = [];
        const removed: Pair[] = [];
        for (const node of wanted) {
          const had = new Set(before.get(node)?.map(({ tag }) => tag));
          const off = [...removing].filter((tag) => had.has(tag));
          const on = [...adding].filter((tag) => !had.has(tag));
          if (on.length > 0 && had.size - off.length + on.length > LIMITS.tagsOfItem)
            throw new ApiFailure('tag_item_limit', { limit: String(LIMITS.tagsOfItem) });
          added.push(...on.map((tag) => ({ tag, node })));
          removed.push(...off.map((tag) => ({ tag, node })));
        }
        await store.takeOff(tx, account, removed);
        await store.add(tx, account, added);
        return { added, removed };
      }),

    async *tagged(account) {
      for (let after: Pair = { tag: '', node: '' }, more = true; more;) {
        const page = await store.taggedAfter(database, account, { after, limit: PAGE });
        yield* page;
        after = page.at(-1) ?? after;
        more = page.length === PAGE;
      }
    },
  };
}
