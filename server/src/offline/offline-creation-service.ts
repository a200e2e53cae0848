import { ApiFailure, type FetchSpec } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { timeText, type Clock, type Ids } from '../foundation/index.ts';
import type { Benefits, Entitlements, Traffic } from '../membership/index.ts';
import type { TaskRow, Tasks } from '../task/index.ts';
import { provisionalName, shownLink } from './link.ts';
import type { Deliveries, OfflineState } from './offline-delivery-service.ts';
import type { Fetching } from './offline-fetch-service.ts';
import type { Sources } from './offline-source-service.ts';
import type { FetchRequests } from './offline-request-service.ts';
import {
  dayOf,
  isWanted,
  PRIORITIES,
  sizeOf,
  type OfflineLimits,
  type Priority,
  type FetchRequestRow,
} from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

/** The default target: a folder of this name in the member's root. */
export const DEFAULT_FOLDER = 'My Pack';

const DAY_MS = 24 * 3600 * 1000;

export interface NewFetchRequest {
  readonly spec: FetchSpec;
  /** Folder id, "" for the root; undefined for {@link DEFAULT_FOLDER}. */
  readonly parent: string | undefined;
  /** "" for the source's name. */
  readonly name: string;
  /** Positions of files; undefined for all. */
  readonly selection: ReadonlySet<number> | undefined;
  readonly priority: Priority;
  /** The earliest start; 0 for at once. */
  readonly startAt: number;
  /** The origin of the link, as reported by the client. */
  readonly from: string;
  /** The name until the source's name is known. */
  readonly called?: string;
  /** Idempotency key: a second creation with the same key returns the same task. */
  readonly requestKey?: string | undefined;
  /** A file of the member's: if its content is the same, no new file is created. */
  readonly unless?: string | undefined;
}

export interface Creations {
  /** Creates a task that fetches into a drive. Content that is stored already is delivered at once. */
  create(account: string, request: NewFetchRequest): Promise<TaskRow>;
}

export function createCreations({
  database,
  fileStore,
  requestStore,
  sources,
  requests,
  deliveries,
  fetching,
  nodes,
  tasks,
  benefits,
  traffic,
  limits,
  clock,
  ids,
}: {
  database: Database;
  fileStore: SourceFileStore;
  requestStore: FetchRequestStore;
  sources: Sources;
  requests: FetchRequests;
  deliveries: Deliveries;
  fetching: Pick<Fetching, 'wake'>;
  nodes: Nodes;
  tasks: Tasks;
  benefits: Pick<Benefits, 'entitlements' | 'held' | 'isMoreSold'>;
  traffic: Pick<Traffic, 'check'>;
  limits: OfflineLimits;
  clock: Clock;
  ids: Ids;
}): Creations {
  async function checkLimits(tx: Tx, account: string, entitled: Entitlements): Promise<void> {
    const now = clock.now();
    const day = dayOf(now);
    if ((await requestStore.countOpen(tx, account)) > limits.waiting)
      throw new ApiFailure('task_run_nums_limit', { limit: String(limits.waiting) });
    const retryIn = { retry_in: String(Math.ceil((DAY_MS - (now % DAY_MS)) / 1000)) };
    const { trafficDaily, tasksDaily } = entitled;
    const more = (limit: 'trafficDaily' | 'tasksDaily') =>
      benefits.isMoreSold(limit, entitled[limit]) ? { more: 'plan' } : {};
    if (trafficDaily !== Infinity && (await requestStore.day(tx, account, day)).bytes >= trafficDaily)
      throw new ApiFailure('task_traffic_limit', {
        limit_bytes: String(trafficDaily),
        ...retryIn,
        ...more('trafficDaily'),
      });
    await traffic.check(tx, account, 'offline', 1);
    if (await requestStore.countTask(tx, account, day, tasksDaily)) return;
    const hasPlan = (await benefits.held(tx, account)).length > 0;
    throw new ApiFailure(hasPlan ? 'task_daily_create_limit_vip' : 'task_daily_create_limit', {
      limit: String(tasksDaily),
      ...retryIn,
      ...more('tasksDaily'),
    });
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

  /** Returns whether all requested files are stored already. */
  async function isHere(sql: Sql, request: FetchRequestRow): Promise<boolean> {
    const files = (await fileStore.list(sql, request.source)).filter(({ position }) =>
      isWanted(request, position),
    );
    return files.length > 0 && (await sources.kept(sql, files)).size === files.length;
  }

  return {
    async create(account, { spec, parent, name, selection, priority, startAt, from, ...more }) {
      // A separate transaction, since the tree's lock comes after a source's in the lock order.
      const folder = await database.transaction((tx) => destination(tx, account, parent));
      const { task, here } = await database.transaction(async (tx) => {
        const source = await sources.ensure(tx, account, spec);
        const files = (await fileStore.list(tx, source.id)).filter(({ position }) =>
          isWanted({ selection }, position),
        );
        if (source.facts && files.length === 0)
          throw new ApiFailure('invalid_argument', { field: 'url.files' });
        const size = source.facts ? sizeOf(files) : undefined;
        const entitled = await benefits.entitlements(tx, account);
        if (size !== undefined && size > entitled.taskSize) throw new ApiFailure('source_too_large');
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
        const request: FetchRequestRow = {
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
        await requestStore.insert(tx, request, clock.now());
        // Content at a web address may have changed, so the origin is asked first.
        const here = spec.kind === 'torrent' && startAt === 0 && (await isHere(tx, request));
        if (!here) await sources.queue(tx, source.id, request.priority);
        await checkLimits(tx, account, entitled);
        await requests.reserve(tx, request, files);
        return { task, here };
      });
      if (here) await deliveries.deliver(task.id);
      // The reply shows the task as it was created, not at a moment of its beginning.
      const created = (await tasks.byId(database, task.id))!;
      fetching.wake();
      return created;
    },
  };
}
