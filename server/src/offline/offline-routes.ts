import {
  ApiFailure,
  type driveApi,
  fileTime,
  isApiFailure,
  LIMITS,
  offlineApi,
  pageSize,
  readTime,
  type ReplyOf,
  type Resource,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api, Call, Caller, Member } from '../foundation/http/index.ts';
import type { Clock, Keys } from '../foundation/index.ts';
import type { Guard } from '../shield/index.ts';
import { taskView, type TaskRow, type Tasks } from '../task/index.ts';
import { readLink } from './link.ts';
import type { Controls } from './offline-control-service.ts';
import type { Creations } from './offline-creation-service.ts';
import type { Entry, Inspections } from './offline-inspection-service.ts';
import type { Statuses } from './offline-status-service.ts';
import { fileStatusView, resourceView, type ShownFiles } from './offline-view.ts';
import type { OfflineLimits, SourceRow } from './offline.ts';

/** Saves a share of this site into the member's drive, for a link to one. */
export type SaveShare = (
  viewer: Member,
  caller: Caller,
  share: { shareId: string; passcode: string | undefined; parent: string | undefined },
) => Promise<TaskRow>;
/** Returns the title of a share of this site, if the caller may see it. */
export type NameShare = (
  caller: Caller,
  share: { shareId: string; passcode: string | undefined },
) => Promise<{ title: string; count: number } | undefined>;

const MOST_LINKS = 100;
const PAGE = 500;
const PAGE_MAX = 5000;
const LIST = 'resource-list';

export interface OfflineRoutes {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly siteOrigin: string | undefined;
  readonly visitorLooks: Guard;
  readonly memberLooks: Guard;
  readonly tasks: Tasks;
  readonly statuses: Statuses;
  readonly inspections: Inspections;
  readonly creations: Creations;
  readonly controls: Controls;
  readonly limits: OfflineLimits;
  readonly saveShare: SaveShare;
  readonly nameShare: NameShare;
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

export function mountOffline(api: Api, routes: OfflineRoutes): void {
  const { database, cursors, keys, tasks, statuses, inspections, controls, limits } = routes;

  async function countLook(viewer: Member | null, caller: Caller): Promise<void> {
    await (viewer
      ? routes.memberLooks.attempt(viewer.account, caller.address)
      : routes.visitorLooks.attempt('', caller.address));
  }

  const shareResource = async (
    caller: Caller,
    entry: Extract<Entry, { share: string }>,
  ): Promise<Resource> => {
    const named = await routes
      .nameShare(caller, { shareId: entry.share, passcode: entry.passcode })
      .catch((error: unknown) => {
        if (isApiFailure(error)) return undefined;
        throw error;
      });
    return resourceView(
      {
        id: entry.share,
        url: entry.url,
        name: named?.title ?? entry.url,
        size: undefined,
        count: named?.count ?? 0,
        kind: 'share',
        error: named ? undefined : 'share_not_found',
      },
      undefined,
      caller.locale,
    );
  };

  async function filesOf(
    viewer: Member | null,
    source: SourceRow,
    { after, size }: { after: number; size: number },
  ): Promise<ShownFiles | undefined> {
    const files = await statuses.page(source.id, after, size + 1);
    const [first] = files;
    if (after < 0 && (first === undefined || (files.length === 1 && first.path.length === 1)))
      return undefined;
    const page = files.slice(0, size);
    const owned = viewer ? await statuses.owned(viewer.account, page) : new Set<number>();
    const last = page.at(-1)?.position ?? after;
    return {
      files: page,
      owned,
      pageSize: size,
      next: files.length > size ? cursors.token(`files:${source.id}`, [source.id, last]) : '',
    };
  }

  async function sourceResource(
    viewer: Member | null,
    caller: Caller,
    entry: Extract<Entry, { source: string }>,
    page: { after: number; size: number },
  ): Promise<Resource> {
    const looked = await inspections.at(entry.source);
    if (!looked) return errorResource(caller, { error: 'not_found', url: '' });
    const { source, pending, failure } = looked;
    const link = await statuses.link(source.id);
    const files = source.facts ? await filesOf(viewer, source, page) : undefined;
    const owned =
      viewer && source.facts && !files
        ? await statuses.owned(viewer.account, await statuses.page(source.id, -1, 1))
        : new Set<number>();
    const resource = resourceView(
      {
        id: source.id,
        url: link.url,
        name: source.facts?.name ?? link.name,
        size: source.facts?.size,
        count: source.facts?.count ?? 0,
        kind: source.kind,
        pending: pending && !source.facts,
        error: failure?.error,
        ...(source.key.startsWith('btih:') ? { hash: source.key.slice(5) } : {}),
      },
      files,
      caller.locale,
    );
    return owned.size > 0 ? { ...resource, meta: { ...resource.meta, owned: 'true' } } : resource;
  }

  const errorResource = (caller: Caller, { error, url }: Extract<Entry, { error: unknown }>): Resource =>
    resourceView(
      { id: '', url, name: url, size: undefined, count: 0, kind: '', error },
      undefined,
      caller.locale,
    );

  async function listOf(
    viewer: Member | null,
    caller: Caller,
    entries: readonly Entry[],
    page: { after: number; size: number },
  ): Promise<ReplyOf<typeof offlineApi.inspect>> {
    const resources: Resource[] = [];
    for (const entry of entries) {
      if ('error' in entry) resources.push(errorResource(caller, entry));
      else if ('share' in entry) resources.push(await shareResource(caller, entry));
      else resources.push(await sourceResource(viewer, caller, entry, page));
    }
    return {
      list_id: keys.seal(LIST, entries),
      list: {
        page_size: page.size,
        next_page_token: resources.length === 1 ? (resources[0]!.dir?.next_page_token ?? '') : '',
        resources,
      },
    };
  }

  api.handle(offlineApi.inspect, async ({ body, viewer, caller }) => {
    await countLook(viewer, caller);
    const account = viewer?.account ?? '';
    const size = pageSize(body.page_size, PAGE, PAGE_MAX);
    if (body.torrent !== undefined)
      return listOf(viewer, caller, [await inspections.ofTorrent(account, body.torrent)], {
        after: -1,
        size,
      });
    const lines = (body.urls ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length === 0 || lines.length > MOST_LINKS)
      throw new ApiFailure('invalid_argument', { field: 'urls' });
    const entries = await inspections.begin(account, lines, originsOf(routes, caller));
    return listOf(viewer, caller, entries, { after: -1, size });
  });

  api.handle(offlineApi.inspectMore, async ({ params, query, viewer, caller }) => {
    const entries = keys.open(LIST, params.list_id) as Entry[] | undefined;
    if (!entries) throw new ApiFailure('not_found');
    const size = pageSize(query.page_size, PAGE, PAGE_MAX);
    if (!query.page_token) return listOf(viewer, caller, entries, { after: -1, size });
    for (const entry of entries) {
      const id = 'source' in entry ? (await inspections.at(entry.source))?.source.id : undefined;
      if (id === undefined) continue;
      const place = placeIn(cursors, id, query.page_token);
      if (place !== undefined) return listOf(viewer, caller, [entry], { after: place, size });
    }
    throw new ApiFailure('invalid_argument', { field: 'page_token' });
  });

  api.handle(offlineApi.allowance, async ({ viewer }) => {
    const { tasks: used, bytes } = await statuses.today(viewer.account);
    return {
      daily_limit: limits.daily ?? -1,
      daily_used: used,
      running_limit: limits.running,
      size_limit: String(limits.size),
      traffic_limit: String(limits.traffic ?? -1),
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

/** Returns the position that a token names within a source's files; undefined if the token is of another source. */
function placeIn(cursors: Cursors, source: string, token: string): number | undefined {
  try {
    const place = cursors.place(`files:${source}`, token);
    return place ? Number(place[1]) : undefined;
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}
