import {
  ApiFailure,
  type driveApi,
  fileTime,
  LIMITS,
  offlineApi,
  pageSize,
  readTime,
  type ReplyOf,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api, Call, Caller, Member } from '../foundation/http/index.ts';
import type { Benefits } from '../membership/index.ts';
import { taskView, type TaskRow, type Tasks } from '../task/index.ts';
import { readLink } from './link.ts';
import type { Controls } from './offline-control-service.ts';
import type { Creations } from './offline-creation-service.ts';
import type { Resources } from './offline-resource-service.ts';
import type { Statuses } from './offline-status-service.ts';
import { fileStatusView, resourceListView } from './offline-view.ts';

/** Saves a share of this site into the member's drive, for a link to one. */
export type SaveShare = (
  viewer: Member,
  caller: Caller,
  share: { shareId: string; passcode: string | undefined; parent: string | undefined },
) => Promise<TaskRow>;

const PAGE = 500;
const PAGE_MAX = 5000;

export interface OfflineRoutes {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly siteOrigin: string | undefined;
  readonly tasks: Tasks;
  readonly statuses: Statuses;
  readonly resources: Resources;
  readonly creations: Creations;
  readonly controls: Controls;
  readonly benefits: Benefits;
  readonly saveShare: SaveShare;
}

/** Answers `POST /drive/v1/files` with `UPLOAD_TYPE_URL`. */
export type LinkHandler = (
  call: Pick<Call<typeof driveApi.create>, 'body' | 'viewer' | 'caller'>,
) => Promise<ReplyOf<typeof driveApi.create>>;

export function createLinkHandler(routes: OfflineRoutes): LinkHandler {
  const { creations, saveShare } = routes;
  return async ({ body, viewer, caller }) => {
    const asked = body.url;
    const origins = originsOf(routes, caller);
    const link = readLink(asked?.url ?? '', origins, asked?.headers);
    if (link.kind === 'unreadable') throw new ApiFailure(link.error, { field: 'url' });
    const parent = body.parent_id || body.folder_type !== 'DOWNLOAD' ? (body.parent_id ?? '') : undefined;
    const task =
      link.kind === 'share'
        ? await saveShare(viewer, caller, { ...link, parent })
        : await creations.create(viewer.account, {
            spec: link.spec,
            parent,
            name: body.name ?? '',
            selection: selectionOf(asked?.files),
            priority: asked?.priority ?? 'normal',
            startAt: startOf(asked?.start_time),
            from: typeof body.params?.['from'] === 'string' ? body.params['from'].slice(0, 40) : '',
            requestKey: caller.idempotencyKey && `offline:${caller.idempotencyKey}`,
          });
    return {
      upload_type: 'UPLOAD_TYPE_URL',
      file: null,
      task: taskView(task, caller.locale),
      url: { kind: 'upload#url' },
    };
  };
}

const originsOf = ({ siteOrigin }: OfflineRoutes, caller: Caller): string[] => [
  caller.origin,
  ...(siteOrigin ? [siteOrigin] : []),
];

/** Parses the earliest start; 0 for at once. */
function startOf(text: string | undefined): number {
  if (!text) return 0;
  const time = fileTime(readTime(text));
  if (time === undefined) throw new ApiFailure('invalid_argument', { field: 'url.start_time' });
  return Math.max(0, time);
}

function selectionOf(files: readonly (string | number)[] | undefined): Set<number> | undefined {
  if (!files || files.length === 0) return undefined;
  const positions = files.map((file) => {
    const index = Number(file);
    if (!Number.isSafeInteger(index) || index < 0)
      throw new ApiFailure('invalid_argument', { field: 'url.files' });
    return index;
  });
  return new Set(positions);
}

/** The value for no limit on the wire is -1. */
const orNone = (limit: number): number => (limit === Infinity ? -1 : limit);

export function mountOffline(api: Api, routes: OfflineRoutes): void {
  const { database, cursors, tasks, statuses, resources, controls, benefits } = routes;

  api.handle(offlineApi.inspect, async ({ body, viewer, caller }) => {
    await resources.countLook(viewer, caller);
    const look = { viewer, caller, size: pageSize(body.page_size, PAGE, PAGE_MAX) };
    const list =
      body.torrent === undefined
        ? await resources.ofLinks(look, body.urls ?? '', originsOf(routes, caller))
        : await resources.ofTorrent(look, body.torrent);
    return resourceListView(list, caller.locale);
  });

  api.handle(offlineApi.inspectMore, async ({ params, query, viewer, caller }) => {
    const look = { viewer, caller, size: pageSize(query.page_size, PAGE, PAGE_MAX) };
    return resourceListView(await resources.again(look, params.list_id, query.page_token), caller.locale);
  });

  api.handle(offlineApi.allowance, async ({ viewer }) => {
    const { tasks: used, bytes } = await statuses.today(viewer.account);
    const entitled = await benefits.entitlements(database, viewer.account);
    return {
      daily_limit: orNone(entitled.tasksDaily),
      daily_used: used,
      running_limit: orNone(entitled.tasksRunning),
      size_limit: String(orNone(entitled.taskSize)),
      traffic_limit: String(orNone(entitled.trafficDaily)),
      traffic_used: String(bytes),
    };
  });

  api.handle(offlineApi.act, async ({ body, viewer, caller }) => {
    if (body.type !== 'offline' || body.create_type !== 'RETRY') throw new ApiFailure('unsupported');
    await controls.retry(viewer.account, [body.id]);
    const task = await tasks.find(database, viewer.account, body.id);
    if (!task) throw new ApiFailure('task_not_found');
    return { task: taskView(task, caller.locale) };
  });

  const done = async (work: Promise<void>): Promise<Record<string, never>> => {
    await work;
    return {};
  };
  api.handle(offlineApi.retry, ({ body, viewer }) => done(controls.retry(viewer.account, body.ids)));
  api.handle(offlineApi.pause, ({ body, viewer }) => done(controls.pause(viewer.account, body.ids)));
  api.handle(offlineApi.resume, ({ body, viewer }) => done(controls.resume(viewer.account, body.ids)));
  api.handle(offlineApi.prioritize, ({ body, viewer }) =>
    done(controls.prioritize(viewer.account, body.ids, body.priority)),
  );

  api.handle(offlineApi.statuses, async ({ params, query, viewer, caller }) => {
    const task = await tasks.find(database, viewer.account, params.id);
    if (!task) throw new ApiFailure('task_not_found');
    const size = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const list = `statuses:${task.id}:${query.failed ?? ''}`;
    const place = cursors.place(list, query.page_token);
    const { rows, next, total, failed, complete } = await statuses.ofTask(task, {
      after: place ? Number(place[0]) : -1,
      limit: size,
      onlyFailed: query.failed === 'true',
    });
    return {
      statuses: rows.map(({ file, node }) =>
        fileStatusView(file, { node, phase: task.phase, locale: caller.locale }),
      ),
      next_page_token: next === undefined ? '' : cursors.token(list, [next]),
      total,
      failed,
      complete,
    };
  });
}
