import {
  ApiFailure,
  DEFAULT_ORDER,
  driveApi,
  frozenList,
  LIMITS,
  orderName,
  pageSize,
  parseOrder,
  parseSize,
  type File,
  type ReplyOf,
} from '@bowerbird/contract';
import { createWeightedCache, timeText, type Clock } from '../../foundation/index.ts';
import type { Cursors, Database, Sql } from '../../foundation/database/index.ts';
import { entityTag, type Api, type Call, type Caller, type Member } from '../../foundation/http/index.ts';
import type { Traffic, TrashRule } from '../../membership/index.ts';
import { accessContext, accessibleView, type Access, type Accesses } from '../access/index.ts';
import type { Blobs } from '../blob/index.ts';
import type { Lists, ListView } from './list-service.ts';
import type { Nodes } from './node-service.ts';
import { FILE } from '../drive.ts';
import type { Annotations, Area, FileContext, Links, ShownNode, ThumbnailSize } from '../drive.ts';
import { parseFilters, visibleFilters, type Filters } from './list-filters.ts';

export interface ListRoutes {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly nodes: Nodes;
  readonly lists: Lists;
  readonly blobs: Blobs;
  readonly links: Links;
  readonly traffic: Pick<Traffic, 'check'>;
  readonly trashRules: TrashRules;
  readonly accesses: Accesses;
  readonly annotationsOf: AnnotationsOf;
  /** Returns a file whose bytes are still arriving, if the upload has one with this id. */
  readonly pending: PendingFile;
  /** Records that a member opened a file. */
  readonly opened: (account: string, file: string) => void;
}

/** Returns what an account has noted about nodes. */
export type AnnotationsOf = (sql: Sql, account: string, ids: readonly string[]) => Promise<Annotations>;

/** Returns how long deleted items of accounts stay in the trash. */
export interface TrashRules {
  trash(sql: Sql, account: string): Promise<TrashRule>;
  readonly least: { readonly trashDays: number };
}

export type PendingFile = (account: string, id: string, caller: Caller) => Promise<File | undefined>;

/** Small thumbnails unless larger ones are requested by name. */
export function thumbnailSizeOf(asked: string | undefined): ThumbnailSize {
  return asked === 'SIZE_LARGE' ? 'SIZE_LARGE' : 'SIZE_SMALL';
}

export function contextOf(viewer: Member, caller: Caller, links: Links, thumbnailSize?: string): FileContext {
  return {
    links,
    origin: caller.origin,
    rootId: viewer.account,
    thumbnailSize: thumbnailSizeOf(thumbnailSize),
  };
}

const EVERYWHERE = '*';
/** Number of files that are remembered, in all lists. A list itself counts as ten. */
const FILES_KEPT = 3000;

type ListQuery = Call<typeof driveApi.list>['query'];
type ListReply = ReplyOf<typeof driveApi.list>;

export function mountLists(
  api: Api,
  {
    database,
    cursors,
    clock,
    nodes,
    lists,
    blobs,
    links,
    traffic,
    trashRules,
    accesses,
    annotationsOf,
    pending,
    opened,
  }: ListRoutes,
): void {
  /** Returns the rows that a listing covers: a folder's children, the whole trash, or everything starred. */
  async function viewOf(
    account: string,
    parent: string | undefined,
    filters: Filters,
  ): Promise<Pick<ListView, 'area' | 'trashed'>> {
    if (parent !== EVERYWHERE) {
      const area: Area = { folder: await nodes.folder(database, account, parent) };
      return { area, trashed: filters.trashed === undefined ? [false, true] : [filters.trashed] };
    }
    if (filters.trashed) return { area: { trashOf: account }, trashed: [true] };
    if (filters.starred) return { area: { starredOf: account }, trashed: [false] };
    throw new ApiFailure('invalid_argument', { field: 'parent_id' });
  }

  /**
   * Filters rows after reading: by the filters' tests, by stars, and excluding starred nodes in a trashed folder.
   */
  function keeping(account: string, area: Area, filters: Filters): ListView['keep'] {
    const everyStar = 'starredOf' in area;
    if (!filters.keep && filters.starred === undefined) return undefined;
    const passes = (row: ShownNode): boolean =>
      (filters.keep?.(row) ?? true) &&
      (filters.starred === undefined || (row.starred_at !== null) === filters.starred);
    return async (rows) => {
      const passing = rows.filter(passes);
      if (!everyStar) return passing;
      const live = new Set(
        (
          await nodes.findMany(
            database,
            account,
            passing.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      );
      return passing.filter(({ id }) => live.has(id));
    };
  }

  /** The rule of the trash, if a list may contain what is in it. */
  const ruleOf = async ({ account }: Member, query: ListQuery): Promise<TrashRule | undefined> =>
    parseFilters(query.filters).trashed === false ? undefined : trashRules.trash(database, account);

  const accessTo = (viewer: Member, folder: string | undefined): Promise<Access> =>
    accesses.of(database, viewer.account, folder === EVERYWHERE ? [] : [folder], 'view');

  /** Names everything that a list depends on. */
  const versionOf = async ({ query, viewer, caller }: Call<typeof driveApi.list>): Promise<string> => {
    const access = await accessTo(viewer, query.parent_id);
    return entityTag([
      viewer.account,
      access.tag,
      await nodes.version(database, access.account),
      links.period(),
      caller.origin,
      query,
      (await ruleOf(viewer, query))?.tag ?? '',
    ]);
  };

  async function read(
    access: Access,
    query: ListQuery,
    context: FileContext,
  ): Promise<Pick<ListReply, 'files' | 'next_page_token' | 'total'>> {
    const { account } = access;
    const filters = visibleFilters(parseFilters(query.filters), access);
    const asked = query.order || query.order_by;
    const key = asked ? parseOrder(asked) : DEFAULT_ORDER;
    if (!key) throw new ApiFailure('invalid_argument', { field: 'order' });
    const order = { ...key, foldersFirst: query.folders_first !== 'false' };
    const { area, trashed } = await viewOf(account, query.parent_id, filters);
    const view: ListView = {
      area,
      trashed,
      order,
      kinds: filters.kinds,
      keep: keeping(account, area, filters),
    };

    const list = JSON.stringify([
      'files',
      area,
      trashed,
      filters.kinds,
      query.filters ?? '',
      orderName(order),
      order.foldersFirst,
    ]);
    const place = cursors.place(list, query.page_token);
    const { rows, next } = filters.whole
      ? await lists.shownPage(database, view, {
          limit: pageSize(query.limit, LIMITS.page, LIMITS.pageMax),
          place,
        })
      : { rows: [], next: undefined };
    const total = !filters.whole
      ? 0
      : query.with_total === 'true'
        ? await lists.total(database, view)
        : undefined;
    const shown = {
      ...context,
      // Tags and notes are for nobody but their owner.
      annotations: await annotationsOf(
        database,
        account,
        access.role === 'owner' ? rows.map(({ id }) => id) : [],
      ),
    };
    return {
      files: rows.map((row) => accessibleView(row, access, shown)),
      next_page_token: next ? cursors.token(list, next) : '',
      total: String(total ?? -1),
    };
  }

  const kept = createWeightedCache<Awaited<ReturnType<typeof read>>>({
    most: FILES_KEPT,
    weightOf: ({ files }) => files.length + 10,
  });

  api.handle(driveApi.list, { version: versionOf }, async ({ query, viewer, caller, version = '' }) => {
    let page = kept.get(version);
    if (!page) {
      const access = await accessTo(viewer, query.parent_id);
      const rule = await ruleOf(viewer, query);
      page = await read(access, query, {
        ...accessContext(access, caller, links, query.thumbnail_size),
        ...(rule && { trashDays: rule.daysOf, withTrashedTime: query.with_trashed_time === 'true' }),
      });
      if (version !== '') kept.set(version, { ...page, files: frozenList(page.files) });
    }
    const { files, next_page_token, total } = page;
    return {
      kind: 'drive#fileList' as const,
      files,
      next_page_token,
      version: '',
      version_outdated: false,
      sync_time: timeText(clock.now()),
      total,
    };
  });

  api.handle(driveApi.get, async ({ params, query, viewer, caller }) => {
    const access = await accesses.of(database, viewer.account, [params.id], 'view');
    const found = await nodes.findAnywhere(database, access.account, params.id);
    const coming = found ? undefined : await pending(viewer.account, params.id, caller);
    if (coming) return coming;
    if (!found) throw new ApiFailure('file_not_found');
    if (query.opened === 'true' && access.role === 'owner' && found.node.kind === FILE && !found.trashed)
      opened(viewer.account, found.node.id);
    // Clients ask like this for a link to download: the error is shown here, while the link would lead to a bare one.
    if (query.usage === 'FETCH') await traffic.check(database, viewer.account, 'download', 1);
    return accessibleView(found.node, access, {
      ...accessContext(access, caller, links, query.thumbnail_size),
      withLinks: true,
      annotations: await annotationsOf(database, viewer.account, [params.id]),
      trashed: found.trashed,
      trashDays: (await trashRules.trash(database, viewer.account)).daysOf,
    });
  });

  api.handle(driveApi.deviceLink, async ({ params, viewer, caller }) => {
    const file = await nodes.find(database, viewer.account, params.id);
    if (file?.kind !== FILE) throw new ApiFailure('file_not_found');
    await traffic.check(database, viewer.account, 'download', 1);
    const { origin } = caller;
    const { url, expire } = links.download(file, { disposition: 'attachment', origin, isBrief: true });
    return { url, expire };
  });

  api.handle(driveApi.trashRule, async ({ viewer }) => ({
    days: viewer ? (await trashRules.trash(database, viewer.account)).days : trashRules.least.trashDays,
  }));

  api.handle(driveApi.ancestors, async ({ params, viewer }) => {
    const access = await accesses.of(database, viewer.account, [params.id], 'view');
    const chain = await nodes.chain(database, access.account, params.id);
    if (!chain) throw new ApiFailure('file_not_found');
    if (access.role !== 'owner') {
      const from = chain.findIndex(({ id }) => access.roots.has(id));
      const visible = chain.slice(from).map(({ id, name }) => ({ id, name }));
      return { ancestors: visible, shared: { owner_id: access.account, role: access.role } };
    }
    return { ancestors: [{ id: '', name: '' }, ...chain.map(({ id, name }) => ({ id, name }))] };
  });

  // Callers must not learn whether others have some content: only their own drive is searched.
  api.handle(driveApi.byCid, async ({ query, viewer }) => {
    const cid = (query.cid ?? '').toUpperCase();
    const size = parseSize(query.file_size);
    if (!/^[0-9A-F]{40}$/.test(cid)) throw new ApiFailure('invalid_argument', { field: 'cid' });
    if (!size) throw new ApiFailure('invalid_argument', { field: 'file_size' });
    return { gcid: (await blobs.ownedByCid(database, viewer.account, cid, size))?.gcid ?? '' };
  });
}
