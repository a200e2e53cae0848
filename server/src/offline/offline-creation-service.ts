import { ApiFailure, type FetchSpec } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { timeText, type Clock, type Ids } from '../foundation/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import { provisionalName, shownLink } from './link.ts';
import type { Deliveries, OfflineState } from './offline-delivery-service.ts';
import type { Fetching } from './offline-fetch-service.ts';
import type { Sources } from './offline-source-service.ts';
import type { Wishes } from './offline-wish-service.ts';
import {
  dayOf,
  isWanted,
  PRIORITIES,
  sizeOf,
  type OfflineLimits,
  type Priority,
  type WishRow,
} from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** Where fetched things go when nobody says where: a folder of this name in the member's root. */
export const DEFAULT_FOLDER = 'My Pack';

export interface Order {
  readonly spec: FetchSpec;
  /** Folder id, "" for the root; undefined for {@link DEFAULT_FOLDER}. */
  readonly parent: string | undefined;
  /** "" takes the source's own. */
  readonly name: string;
  /** Positions of files; undefined for all. */
  readonly selection: ReadonlySet<number> | undefined;
  readonly priority: Priority;
  /** Not before; 0 for at once. */
  readonly startAt: number;
  /** Where the link came from, as clients say. */
  readonly from: string;
  /** What it is called until its source says so. */
  readonly called?: string;
  /** Asked for again with the same key it is the same task. */
  readonly requestKey?: string | undefined;
  /** A file of the member's: where the content is still the same, no other is made. */
  readonly unless?: string | undefined;
}

export interface Creations {
  /** Has something fetched into a drive. What is here already is there at once. */
  create(account: string, order: Order): Promise<TaskRow>;
}

export function createCreations({
  database,
  store,
  wishStore,
  sources,
  wishes,
  deliveries,
  fetching,
  nodes,
  tasks,
  limits,
  clock,
  ids,
}: {
  database: Database;
  store: SourceStore;
  wishStore: WishStore;
  sources: Sources;
  wishes: Wishes;
  deliveries: Deliveries;
  fetching: Pick<Fetching, 'wake'>;
  nodes: Nodes;
  tasks: Tasks;
  limits: OfflineLimits;
  clock: Clock;
  ids: Ids;
}): Creations {
  async function checkLimits(tx: Tx, account: string): Promise<void> {
    const day = dayOf(clock.now());
    if ((await wishStore.countOpen(tx, account)) > limits.waiting)
      throw new ApiFailure('task_run_nums_limit');
    if (limits.traffic !== undefined && (await wishStore.day(tx, account, day)).bytes >= limits.traffic)
      throw new ApiFailure('task_traffic_limit');
    if (!(await wishStore.countTask(tx, account, day, limits.daily)))
      throw new ApiFailure('task_daily_create_limit');
  }

  async function destination(
    tx: Tx,
    account: string,
    parent: string | undefined,
  ): Promise<{ id: string; name: string }> {
    if (parent === undefined) {
      const folder = await nodes.addFolder(tx, {
        account,
        parent: account,
        name: DEFAULT_FOLDER,
        conflict: 'skip',
      });
      return folder;
    }
    const id = await nodes.folder(tx, account, parent);
    return { id, name: id === account ? '' : ((await nodes.find(tx, account, id))?.name ?? '') };
  }

  /** Whether everything wanted is here already. */
  async function isHere(sql: Sql, wish: WishRow): Promise<boolean> {
    const files = (await store.files(sql, wish.source)).filter(({ position }) => isWanted(wish, position));
    return files.length > 0 && (await sources.kept(sql, files)).size === files.length;
  }

  return {
    async create(account, { spec, parent, name, selection, priority, startAt, from, ...more }) {
      // By itself, since the tree's lock comes after a source's.
      const folder = await database.transaction((tx) => destination(tx, account, parent));
      const { task, here } = await database.transaction(async (tx) => {
        const source = await sources.ensure(tx, account, spec);
        const files = (await store.files(tx, source.id)).filter(({ position }) =>
          isWanted({ selection }, position),
        );
        if (source.facts && files.length === 0)
          throw new ApiFailure('invalid_argument', { field: 'url.files' });
        const size = source.facts ? sizeOf(files) : undefined;
        if (size !== undefined && size > limits.size) throw new ApiFailure('source_too_large');
        const called = name || source.facts?.name || more.called || provisionalName(spec);
        const node = ids.next();
        const task = await tasks.begin(tx, {
          account,
          type: 'offline',
          name: called,
          fileId: node,
          fileName: called,
          fileSize: size ?? 0,
          params: {
            url: shownLink(spec),
            source: spec.kind,
            step: 'waiting',
            folder_id: folder.id === account ? '' : folder.id,
            folder_name: folder.name,
            priority,
            from,
            ...(startAt > 0 ? { start_time: timeText(startAt) } : {}),
            ...(size === undefined ? {} : { size: String(size) }),
            ...(source.facts ? { file_count: String(files.length) } : {}),
          },
          state: { name, node, ...(more.unless ? { unless: more.unless } : {}) } satisfies OfflineState,
          requestKey: more.requestKey,
        });
        if (task.existing) return { task, here: false };
        const wish: WishRow = {
          task: task.id,
          account,
          source: source.id,
          parent: folder.id,
          selection,
          root: undefined,
          reserved: 0,
          active: true,
          paused: false,
          priority: PRIORITIES[priority],
          startAt,
        };
        await wishStore.insert(tx, wish, clock.now());
        // Content that only its address names may have changed since: that is asked first.
        const here = spec.kind === 'torrent' && startAt === 0 && (await isHere(tx, wish));
        if (!here) await sources.queue(tx, source.id, wish.priority);
        await checkLimits(tx, account);
        await wishes.reserve(tx, wish, files);
        return { task, here };
      });
      if (here) await deliveries.deliver(task.id);
      fetching.wake();
      return (await tasks.byId(database, task.id))!;
    },
  };
}
