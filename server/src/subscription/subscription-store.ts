import type { Filters } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { type Database, jsonOrNull, noteChanged, type Sql, type Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { Keys } from '../foundation/index.ts';
import { createUrlColumn, failureFrom } from './subscription-column.ts';
import type { SubscriptionTables } from './subscription-tables.ts';
import type { Failure, SubscriptionRow } from './subscription.ts';

type Columns = SubscriptionTables['subscription'];

/** Fields to change; absent ones stay as they are. */
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

export function createSubscriptionStore({ keys }: { keys: Keys }) {
  const on = (sql: Sql) => sql.on<SubscriptionTables>();
  const { seal, unseal } = createUrlColumn(keys);
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

  return {
    async insert(tx: Tx, row: SubscriptionRow): Promise<void> {
      tx.changed(row.account, 'subscriptions');
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

    /** Lists a member's subscriptions, newest first. */
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

    /** Restores a removed subscription; returns false if there is none. */
    async restore(tx: Tx, account: string, id: string, now: number): Promise<boolean> {
      tx.changed(account, 'subscriptions');
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
      const rows = await on(tx)
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
        .returning('account')
        .execute();
      noteChanged(tx, 'subscriptions', rows);
    },

    /** Returns subscriptions that are due and not running, and those whose run started too long ago. */
    async due(sql: Sql, now: number, stuckBefore: number, limit: number): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('subscription')
        .select('id')
        .where('active', '=', 1)
        .where('removed_at', 'is', null)
        // A last run in the future was recorded by a clock that was ahead, and so was the time of the next
        // run.
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

    /** Permanently deletes subscriptions that were removed before a time. */
    async forget(tx: Tx, before: number): Promise<void> {
      await on(tx).deleteFrom('subscription').where('removed_at', '<', before).execute();
    },

    /** Deletes the account's subscriptions, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<SubscriptionTables>(database, ['subscription'], account, signal),
  };
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;
