import {
  ApiFailure,
  NO_FILTERS,
  passes,
  SUBSCRIPTIONS,
  type Filters,
  type SubscriptionKind,
} from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, KeysetPosition, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { CountLimits } from '../membership/index.ts';
import type { Runs } from './subscription-run-service.ts';
import type { SubscriptionItemStore } from './subscription-item-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { addressOf, type ItemRow, type SubscriptionRow } from './subscription.ts';

/** Settings that a member can choose. */
export interface Settings {
  readonly name?: string | undefined;
  /** Folder id, "" for the root; null for the default folder for downloads. */
  readonly parent?: string | null | undefined;
  readonly everyMinutes?: number | undefined;
  readonly filters?: Partial<Filters> | undefined;
  readonly active?: boolean | undefined;
  readonly takeExisting?: boolean | undefined;
}

/**
 * Operations of members on their subscriptions. Subscriptions of others are reported as
 * `subscription_not_found`.
 */
export interface Subscriptions {
  list(account: string): Promise<SubscriptionRow[]>;
  find(account: string, id: string): Promise<SubscriptionRow>;
  create(
    account: string,
    subscription: Settings & { readonly kind: SubscriptionKind; readonly url: string },
  ): Promise<SubscriptionRow>;
  change(
    account: string,
    id: string,
    change: Settings & { readonly url?: string | undefined },
  ): Promise<SubscriptionRow>;
  remove(account: string, id: string): Promise<void>;
  restore(account: string, id: string): Promise<SubscriptionRow>;
  runNow(account: string, id: string): Promise<SubscriptionRow>;
  items(account: string, id: string, place: KeysetPosition | undefined, limit: number): Promise<ItemRow[]>;
  /** Fetches items that were skipped. */
  take(account: string, id: string, items: readonly string[]): Promise<SubscriptionRow>;
}

export function createSubscriptions({
  database,
  store,
  itemStore,
  runs,
  nodes,
  ids,
  clock,
  countLimits,
}: {
  database: Database;
  store: SubscriptionStore;
  itemStore: SubscriptionItemStore;
  runs: Runs;
  nodes: Nodes;
  ids: Ids;
  clock: Clock;
  countLimits: CountLimits;
}): Subscriptions {
  async function own(sql: Sql, account: string, id: string): Promise<SubscriptionRow> {
    const row = await store.find(sql, id);
    if (row?.account !== account) throw new ApiFailure('subscription_not_found');
    return row;
  }

  async function checkParent(sql: Sql, account: string, parent: string | null | undefined): Promise<void> {
    if (parent) await nodes.folder(sql, account, parent);
  }

  async function checkRoom(tx: Tx, account: string): Promise<void> {
    await countLimits.check(tx, account, 'subscriptions', () => store.count(tx, account));
  }

  /** Changes a subscription under its lock, and returns its new state. */
  async function changing(
    account: string,
    id: string,
    work: (tx: Tx, row: SubscriptionRow) => Promise<void>,
  ): Promise<SubscriptionRow> {
    return database.transaction(async (tx) => {
      await tx.lock(`subscription:${id}`);
      await work(tx, await own(tx, account, id));
      return own(tx, account, id);
    });
  }

  /** Marks waiting items that the new filters exclude. */
  async function holdBack(tx: Tx, id: string, filters: Filters): Promise<void> {
    const waiting = await itemStore.waiting(tx, id, SUBSCRIPTIONS.itemsRead + SUBSCRIPTIONS.itemsKept);
    const unwanted = waiting.filter((item) => !passes(filters, item)).map(({ key }) => key);
    await itemStore.turn(tx, id, unwanted, ['waiting'], { state: 'filtered' });
  }

  return {
    list: (account) => store.list(database, account),
    find: (account, id) => own(database, account, id),

    async create(account, { kind, url: given, ...settings }) {
      const url = addressOf(given);
      const now = clock.now();
      const row: SubscriptionRow = {
        id: ids.next(),
        account,
        kind,
        url,
        revision: 1,
        name: settings.name?.trim() ?? '',
        parent: settings.parent ?? undefined,
        everyMinutes: settings.everyMinutes ?? SUBSCRIPTIONS.minutesUsual,
        filters: { ...NO_FILTERS, ...settings.filters },
        active: settings.active ?? true,
        takeExisting: settings.takeExisting ?? false,
        begun: false,
        validator: undefined,
        version: undefined,
        failures: 0,
        failure: undefined,
        lastRunAt: undefined,
        nextRunAt: now,
        runningSince: undefined,
        createdAt: now,
      };
      return database.transaction(async (tx) => {
        await checkRoom(tx, account);
        await checkParent(tx, account, settings.parent);
        await store.insert(tx, row);
        if (row.active) await runs.ask(tx, row.id);
        return own(tx, account, row.id);
      });
    },

    change: (account, id, { url: given, ...settings }) =>
      changing(account, id, async (tx, row) => {
        const now = clock.now();
        const url = given === undefined ? row.url : addressOf(given);
        const everyMinutes = settings.everyMinutes ?? row.everyMinutes;
        const active = settings.active ?? row.active;
        const filters = { ...row.filters, ...settings.filters };
        const isElsewhere = url !== row.url;
        const wantsMore =
          JSON.stringify(filters) !== JSON.stringify(row.filters) ||
          (settings.takeExisting ?? row.takeExisting) !== row.takeExisting ||
          (settings.parent !== undefined && (settings.parent ?? undefined) !== row.parent);
        await checkParent(tx, account, settings.parent);
        await store.update(
          tx,
          id,
          {
            everyMinutes,
            active,
            filters,
            ...(settings.takeExisting === undefined ? {} : { takeExisting: settings.takeExisting }),
            ...(settings.name === undefined ? {} : { name: settings.name.trim() }),
            ...(settings.parent === undefined ? {} : { parent: settings.parent }),
            nextRunAt: Math.min(row.nextRunAt, (row.lastRunAt ?? now) + everyMinutes * 60_000),
            // Skipped items are checked again, even if the feed is unchanged.
            ...(wantsMore ? { validator: null } : {}),
            ...(isElsewhere
              ? {
                  url,
                  revision: row.revision + 1,
                  begun: false,
                  validator: null,
                  version: null,
                  failures: 0,
                  failure: null,
                  nextRunAt: now,
                }
              : {}),
          },
          now,
        );
        if (isElsewhere) await itemStore.forget(tx, id);
        else if (settings.filters) await holdBack(tx, id, filters);
        if (active && (isElsewhere || wantsMore || (!row.active && row.nextRunAt <= now)))
          await runs.ask(tx, id);
      }),

    async remove(account, id) {
      await database.transaction(async (tx) => {
        await tx.lock(`subscription:${id}`);
        await own(tx, account, id);
        await store.update(tx, id, { removedAt: clock.now(), runningSince: null }, clock.now());
      });
    },

    restore: (account, id) =>
      database.transaction(async (tx) => {
        await checkRoom(tx, account);
        if (!(await store.restore(tx, account, id, clock.now())))
          throw new ApiFailure('subscription_not_found');
        return own(tx, account, id);
      }),

    runNow: (account, id) => changing(account, id, (tx) => runs.ask(tx, id)),

    async items(account, id, place, limit) {
      await own(database, account, id);
      return itemStore.list(database, id, place, limit);
    },

    take: (account, id, items) =>
      changing(account, id, async (tx) => {
        await itemStore.turn(tx, id, items, ['existing', 'filtered', 'failed'], { state: 'waiting' });
        await runs.ask(tx, id);
      }),
  };
}
