import type { Filters, ItemState } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { beyond, type Database, type Place, type Sql, type Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { Keys } from '../foundation/index.ts';
import type { SubscriptionTables } from './subscription-tables.ts';
import type { Failure, ItemRow, SubscriptionRow } from './subscription.ts';

type Columns = SubscriptionTables['subscription'];
type ItemColumns = SubscriptionTables['subscription_item'];

const URLS = 'subscription-url';
const ROWS_AT_ONCE = 200;

/** What is changed; what is absent stays. */
export interface SubscriptionChange {
  readonly url?: string;
  readonly revision?: number;
  readonly name?: string;
  readonly parent?: string | null;
  readonly everyMinutes?: number;
  readonly filters?: Filters;
  readonly active?: boolean;
  readonly takeExisting?: boolean;
  readonly begun?: boolean;
  readonly validator?: string | null;
  readonly version?: string | null;
  readonly failures?: number;
  readonly failure?: Failure | null;
  readonly lastRunAt?: number;
  readonly nextRunAt?: number;
  readonly runningSince?: number | null;
  readonly removedAt?: number | null;
}

export type NewItem = Omit<ItemRow, 'task'>;

const failureFrom = (text: string | null): Failure | undefined =>
  text === null ? undefined : (JSON.parse(text) as Failure);
const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

export function createSubscriptionStore({ keys }: { keys: Keys }) {
  const on = (sql: Sql) => sql.on<SubscriptionTables>();
  const seal = (url: string): string => keys.encrypt(URLS, url);
  const unseal = (text: string): string => keys.decrypt(URLS, text) ?? '';
  const live = (sql: Sql) => on(sql).selectFrom('subscription').selectAll().where('removed_at', 'is', null);

  const fromRow = (row: Selectable<Columns>): SubscriptionRow => ({
    id: row.id,
    account: row.account,
    kind: row.kind,
    url: unseal(row.url),
    revision: row.revision,
    name: row.name,
    parent: row.parent ?? undefined,
    everyMinutes: row.every_minutes,
    filters: JSON.parse(row.filters) as Filters,
    active: row.active === 1,
    takeExisting: row.take_existing === 1,
    begun: row.begun === 1,
    validator: row.validator ?? undefined,
    version: row.version ?? undefined,
    failures: row.failures,
    failure: failureFrom(row.failure),
    lastRunAt: row.last_run_at ?? undefined,
    nextRunAt: row.next_run_at,
    runningSince: row.running_since ?? undefined,
    createdAt: row.created_at,
  });

  const fromItem = (row: Selectable<ItemColumns>): ItemRow => ({
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
    async insert(tx: Tx, row: SubscriptionRow): Promise<void> {
      await on(tx)
        .insertInto('subscription')
        .values({
          id: row.id,
          account: row.account,
          kind: row.kind,
          url: seal(row.url),
          revision: row.revision,
          name: row.name,
          parent: row.parent ?? null,
          every_minutes: row.everyMinutes,
          filters: JSON.stringify(row.filters),
          active: Number(row.active),
          take_existing: Number(row.takeExisting),
          begun: Number(row.begun),
          validator: null,
          version: null,
          failures: 0,
          failure: null,
          last_run_at: null,
          next_run_at: row.nextRunAt,
          running_since: row.runningSince ?? null,
          removed_at: null,
          created_at: row.createdAt,
          updated_at: row.createdAt,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<SubscriptionRow | undefined> {
      const row = await live(sql).where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    /** All of one member, newest first. */
    async list(sql: Sql, account: string): Promise<SubscriptionRow[]> {
      const rows = await live(sql).where('account', '=', account).orderBy('id', 'desc').execute();
      return rows.map(fromRow);
    },

    async count(sql: Sql, account: string): Promise<number> {
      const { count } = await on(sql)
        .selectFrom('subscription')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Takes a removal back; false where there is none. */
    async restore(tx: Tx, account: string, id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await on(tx)
        .updateTable('subscription')
        .set({ removed_at: null, updated_at: now })
        .where('id', '=', id)
        .where('account', '=', account)
        .where('removed_at', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async update(tx: Tx, id: string, change: SubscriptionChange, now: number): Promise<void> {
      const { url, filters, active, takeExisting, begun, failure, ...rest } = change;
      await on(tx)
        .updateTable('subscription')
        .set({
          updated_at: now,
          ...(url === undefined ? {} : { url: seal(url) }),
          ...(filters === undefined ? {} : { filters: JSON.stringify(filters) }),
          ...(active === undefined ? {} : { active: Number(active) }),
          ...(takeExisting === undefined ? {} : { take_existing: Number(takeExisting) }),
          ...(begun === undefined ? {} : { begun: Number(begun) }),
          ...(failure === undefined ? {} : { failure: jsonOrNull(failure) }),
          ...(rest.revision === undefined ? {} : { revision: rest.revision }),
          ...(rest.name === undefined ? {} : { name: rest.name }),
          ...(rest.parent === undefined ? {} : { parent: rest.parent }),
          ...(rest.everyMinutes === undefined ? {} : { every_minutes: rest.everyMinutes }),
          ...(rest.validator === undefined ? {} : { validator: rest.validator }),
          ...(rest.version === undefined ? {} : { version: rest.version }),
          ...(rest.failures === undefined ? {} : { failures: rest.failures }),
          ...(rest.lastRunAt === undefined ? {} : { last_run_at: rest.lastRunAt }),
          ...(rest.nextRunAt === undefined ? {} : { next_run_at: rest.nextRunAt }),
          ...(rest.runningSince === undefined ? {} : { running_since: rest.runningSince }),
          ...(rest.removedAt === undefined ? {} : { removed_at: rest.removedAt }),
        })
        .where('id', '=', id)
        .execute();
    },

    /** Those whose time has come and that nobody runs, and those that seem to run since before a time. */
    async due(sql: Sql, now: number, stuckBefore: number, limit: number): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('subscription')
        .select('id')
        .where('active', '=', 1)
        .where('removed_at', 'is', null)
        // What ran later than now did so by a clock that was ahead, as was the time for its next run.
        .where((where) => where.or([where('next_run_at', '<=', now), where('last_run_at', '>', now)]))
        .where('running_since', 'is', null)
        .orderBy('next_run_at')
        .limit(limit)
        .execute();
      const stuck = await on(sql)
        .selectFrom('subscription')
        .select('id')
        .where((where) =>
          where.or([where('running_since', '<', stuckBefore), where('running_since', '>', now)]),
        )
        .limit(limit)
        .execute();
      return [...rows, ...stuck].map(({ id }) => id);
    },

    /** Those removed before a time are gone for good. */
    async forget(tx: Tx, before: number): Promise<void> {
      await on(tx).deleteFrom('subscription').where('removed_at', '<', before).execute();
    },

    /** What is known of all items: enough to tell which are new. */
    async known(sql: Sql, subscription: string): Promise<Map<string, ItemState>> {
      const rows = await on(sql)
        .selectFrom('subscription_item')
        .select(['key', 'state'])
        .where('subscription', '=', subscription)
        .orderBy('place', 'desc')
        .execute();
      return new Map(rows.map(({ key, state }) => [key, state]));
    },

    async addItems(tx: Tx, subscription: string, items: readonly NewItem[]): Promise<void> {
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

    /** Items in one of some states come into another; others are left alone. */
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

    async forgetItems(tx: Tx, subscription: string, itemKeys?: readonly string[]): Promise<void> {
      const all = on(tx).deleteFrom('subscription_item').where('subscription', '=', subscription);
      if (!itemKeys) return void (await all.execute());
      for (let at = 0; at < itemKeys.length; at += ROWS_AT_ONCE)
        await all.where('key', 'in', itemKeys.slice(at, at + ROWS_AT_ONCE)).execute();
    },

    /** Those that wait, the oldest first. */
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

    /** The newest that has a task. */
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
    async items(sql: Sql, subscription: string, place: Place | undefined, limit: number): Promise<ItemRow[]> {
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

    /** How many items are in which state, by subscription. */
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

    /** Deletes the account's subscriptions, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<SubscriptionTables>(database, ['subscription'], account, signal),
  };
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;
