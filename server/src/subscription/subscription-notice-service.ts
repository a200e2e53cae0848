import { createHash } from 'node:crypto';
import { SUBSCRIPTIONS, type ItemState, type SourceFacts } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import { isFinished, type Tasks } from '../task/index.ts';
import type { ReadFeed } from './subscription-reading-service.ts';
import type { NewItem, SubscriptionItemStore } from './subscription-item-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { placeOf, verdict, type Failure, type SubscriptionRow } from './subscription.ts';

/**
 * Records what a run found. Returns false if the subscription was removed or its address changed in the
 * meantime; then nothing is recorded.
 */
export interface Notices {
  feed(row: SubscriptionRow, read: ReadFeed): Promise<boolean>;
  link(row: SubscriptionRow, facts: SourceFacts): Promise<boolean>;
  /** Returns the state of the last task of a link. */
  lastTask(subscription: string): Promise<LastTask>;
}

export interface LastTask {
  readonly state: 'none' | 'open' | 'failed' | 'complete';
  /** Id of the file that the task created, or "". */
  readonly file: string;
}

const UNFETCHABLE: Failure = { error: 'link_unsupported', facts: {} };

export function createNotices({
  database,
  store,
  itemStore,
  tasks,
  clock,
}: {
  database: Database;
  store: SubscriptionStore;
  itemStore: SubscriptionItemStore;
  tasks: Tasks;
  clock: Clock;
}): Notices {
  /** Runs work if the subscription still has the address that was checked; otherwise returns false. */
  async function onPresent(
    row: SubscriptionRow,
    work: (tx: Tx, present: SubscriptionRow) => Promise<void>,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      await tx.lock(`subscription:${row.id}`);
      const present = await store.find(tx, row.id);
      if (present?.revision !== row.revision) return false;
      await work(tx, present);
      return true;
    });
  }

  /** Deletes the oldest items that are no longer offered. */
  async function prune(
    tx: Tx,
    id: string,
    known: ReadonlyMap<string, ItemState>,
    offered: ReadonlySet<string>,
  ): Promise<void> {
    const gone = [...known].filter(([key, state]) => !offered.has(key) && state !== 'waiting');
    await itemStore.forget(
      tx,
      id,
      gone.slice(SUBSCRIPTIONS.itemsKept).map(([key]) => key),
    );
  }

  const notices: Notices = {
    feed: (row, { feed, url, validator }) =>
      onPresent(row, async (tx, present) => {
        const now = clock.now();
        const known = await itemStore.known(tx, row.id);
        const offered = new Set<string>();
        const fresh: NewItem[] = [];
        const turned = new Map<ItemState, string[]>();
        for (const [index, item] of (feed?.items ?? []).entries()) {
          if (item.guid === '') continue;
          const key = keyOf(item.guid);
          if (offered.has(key)) continue;
          offered.add(key);
          const before = known.get(key);
          if (before !== undefined && before !== 'existing' && before !== 'filtered') continue;
          const wasThere = before === undefined ? !present.begun : before === 'existing';
          const state = verdict(present, item, wasThere);
          const failure = state === 'failed' ? UNFETCHABLE : undefined;
          if (before === undefined)
            fresh.push({ ...item, key, state, failure, foundAt: now, place: placeOf(now, index) });
          else if (state !== before) turned.set(state, [...(turned.get(state) ?? []), key]);
        }
        await itemStore.add(tx, row.id, fresh);
        for (const [state, keys] of turned)
          await itemStore.turn(tx, row.id, keys, ['existing', 'filtered'], {
            state,
            failure: state === 'failed' ? UNFETCHABLE : undefined,
          });
        await prune(tx, row.id, known, offered);
        await store.update(
          tx,
          row.id,
          {
            begun: true,
            validator: validator ?? null,
            ...(present.name === '' && feed ? { name: feed.title.slice(0, SUBSCRIPTIONS.nameMax) } : {}),
            ...(url === row.url ? {} : { url }),
          },
          now,
        );
      }),

    link: (row, facts) =>
      onPresent(row, async (tx, present) => {
        const now = clock.now();
        const version = facts.torrent ? `btih:${facts.torrent.infoHash}` : facts.validator;
        const last = await notices.lastTask(row.id);
        const isSame = version !== undefined && version === present.version && last.state !== 'failed';
        const isWanted = present.begun ? !isSame : present.takeExisting;
        const known = await itemStore.known(tx, row.id);
        const sizes = facts.files.map(({ size }) => size ?? Number.NaN);
        const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
        // An item that is already waiting will fetch the current content.
        if (isWanted && ![...known.values()].includes('waiting'))
          await itemStore.add(tx, row.id, [
            {
              key: keyOf(`${version ?? ''} ${row.nextRunAt}`),
              title: facts.name,
              url: row.url,
              size: Number.isNaN(size) ? undefined : size,
              publishedAt: undefined,
              foundAt: now,
              place: placeOf(now, 0),
              state: 'waiting',
              failure: undefined,
            },
          ]);
        await prune(tx, row.id, known, new Set());
        await store.update(tx, row.id, { begun: true, version: version ?? null }, now);
      }),

    async lastTask(subscription) {
      const item = await itemStore.lastTaken(database, subscription);
      const task = item?.task === undefined ? undefined : await tasks.byId(database, item.task);
      if (!task) return { state: 'none', file: '' };
      const state = !isFinished(task.phase)
        ? 'open'
        : task.phase === 'PHASE_TYPE_ERROR'
          ? 'failed'
          : 'complete';
      return { state, file: state === 'complete' ? task.fileId : '' };
    },
  };
  return notices;
}

/** Guids are hashed, because they can be of any length. */
function keyOf(guid: string): string {
  return createHash('sha256').update(guid).digest('base64url').slice(0, 32);
}
