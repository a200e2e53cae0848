import type { ItemState } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { beyond, jsonOrNull, type KeysetPosition, type Sql, type Tx } from '../foundation/database/index.ts';
import type { Keys } from '../foundation/index.ts';
import { createUrlColumn, failureFrom } from './subscription-column.ts';
import type { SubscriptionTables } from './subscription-tables.ts';
import type { Failure, ItemRow } from './subscription.ts';

export type NewItem = Omit<ItemRow, 'task'>;

const ROWS_AT_ONCE = 200;

/** Items that subscriptions found. */
export function createSubscriptionItemStore({ keys }: { keys: Keys }) {
  const on = (sql: Sql) => sql.on<SubscriptionTables>();
  const { seal, unseal } = createUrlColumn(keys);

  const fromItem = (row: Selectable<SubscriptionTables['subscription_item']>): ItemRow => ({
    key: row.key,
    title: row.title,
    url: row.url === null ? undefined : unseal(row.url),
    size: row.size ?? undefined,
    publishedAt: row.published_at ?? undefined,
    foundAt: row.found_at,
    place: row.place,
    state: row.state,
    task: row.task ?? undefined,
    failure: failureFrom(row.failure),
  });

  return {
    /** Returns the states of all items by key, which is enough to recognize new ones. */
    async known(sql: Sql, subscription: string): Promise<Map<string, ItemState>> {
      const rows = await on(sql)
        .selectFrom('subscription_item')
        .select(['key', 'state'])
        .where('subscription', '=', subscription)
        .orderBy('place', 'desc')
        .execute();
      return new Map(rows.map(({ key, state }) => [key, state]));
    },

    async add(tx: Tx, subscription: string, items: readonly NewItem[]): Promise<void> {
      for (let at = 0; at < items.length; at += ROWS_AT_ONCE) {
        await on(tx)
          .insertInto('subscription_item')
          .values(
            items.slice(at, at + ROWS_AT_ONCE).map((item) => ({
              subscription,
              key: item.key,
              title: item.title,
              url: item.url === undefined ? null : seal(item.url),
              size: item.size ?? null,
              published_at: item.publishedAt ?? null,
              found_at: item.foundAt,
              place: item.place,
              state: item.state,
              task: null,
              failure: jsonOrNull(item.failure),
            })),
          )
          .onConflict((conflict) => conflict.columns(['subscription', 'key']).doNothing())
          .execute();
      }
    },

    /** Changes the state of items that are in one of the given states; leaves the others alone. */
    async turn(
      tx: Tx,
      subscription: string,
      itemKeys: readonly string[],
      from: readonly ItemState[],
      to: { state: ItemState; task?: string; failure?: Failure | undefined },
    ): Promise<void> {
      for (let at = 0; at < itemKeys.length; at += ROWS_AT_ONCE) {
        await on(tx)
          .updateTable('subscription_item')
          .set({
            state: to.state,
            failure: jsonOrNull(to.failure),
            ...(to.task === undefined ? {} : { task: to.task }),
          })
          .where('subscription', '=', subscription)
          .where('key', 'in', itemKeys.slice(at, at + ROWS_AT_ONCE))
          .where('state', 'in', from)
          .execute();
      }
    },

    async forget(tx: Tx, subscription: string, itemKeys?: readonly string[]): Promise<void> {
      const all = on(tx).deleteFrom('subscription_item').where('subscription', '=', subscription);
      if (!itemKeys) return void (await all.execute());
      for (let at = 0; at < itemKeys.length; at += ROWS_AT_ONCE)
        await all.where('key', 'in', itemKeys.slice(at, at + ROWS_AT_ONCE)).execute();
    },

    /** Lists waiting items, oldest first. */
    async waiting(sql: Sql, subscription: string, limit: number): Promise<ItemRow[]> {
      const rows = await on(sql)
        .selectFrom('subscription_item')
        .selectAll()
        .where('subscription', '=', subscription)
        .where('state', '=', 'waiting')
        .orderBy('place')
        .limit(limit)
        .execute();
      return rows.map(fromItem);
    },

    /** Returns the newest item that has a task. */
    async lastTaken(sql: Sql, subscription: string): Promise<ItemRow | undefined> {
      const row = await on(sql)
        .selectFrom('subscription_item')
        .selectAll()
        .where('subscription', '=', subscription)
        .where('state', '=', 'taken')
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && fromItem(row);
    },

    /** Newest first. */
    async list(
      sql: Sql,
      subscription: string,
      place: KeysetPosition | undefined,
      limit: number,
    ): Promise<ItemRow[]> {
      let query = on(sql)
        .selectFrom('subscription_item')
        .selectAll()
        .where('subscription', '=', subscription)
        .orderBy('place', 'desc')
        .orderBy('key', 'desc')
        .limit(limit);
      if (place) query = query.where(beyond(['place', 'key'], place, true));
      return (await query.execute()).map(fromItem);
    },

    /** Returns the number of items in each state, by subscription. */
    async counts(
      sql: Sql,
      subscriptions: readonly string[],
    ): Promise<Map<string, Partial<Record<ItemState, number>>>> {
      const counts = new Map<string, Partial<Record<ItemState, number>>>();
      if (subscriptions.length === 0) return counts;
      const rows = await on(sql)
        .selectFrom('subscription_item')
        .select(['subscription', 'state', ({ fn }) => fn.countAll<number>().as('count')])
        .where('subscription', 'in', subscriptions)
        .groupBy(['subscription', 'state'])
        .execute();
      for (const { subscription, state, count } of rows)
        counts.set(subscription, { ...counts.get(subscription), [state]: Number(count) });
      return counts;
    },
  };
}

export type SubscriptionItemStore = ReturnType<typeof createSubscriptionItemStore>;
