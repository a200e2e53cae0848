import { ApiFailure, DEFAULT_ORDER, LIMITS, orderName, pageSize, parseOrder, shareApi, type File, type InputOf, type Phase, type ReplyOf } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Cursors, Database, Place } from '../foundation/database/index.ts';
import type { Api, Caller } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import { FOLDER, type ListOrder, type Links, type NodeRow, type Nodes } from '../drive/index.ts';
import type { Entered, ShareEntry } from './share-entry-service.ts';
import { refuseOwn, type Restores } from './share-restore-service.ts';
import { pageOfRoots } from './share-roots.ts';
import type { Shares } from './share-service.ts';
import { openingView, ownShareView, sharedFileView, shareText, shareUrl, statusText, thumbnailSize } from './share-view.ts';
import type { Visits } from './share-visit-service.ts';
import { checkShare, type ShareRow } from './share.ts';

interface Parts {
  database: Database;
  cursors: Cursors;
  clock: Clock;
  accounts: Pick<Accounts, 'find'>;
  nodes: Nodes;
  links: Links;
  shares: Shares;
  entry: ShareEntry;
  visits: Visits;
  restores: Restores;
}

interface PageQuery {
  limit?: number | string;
  page_token?: string;
  order?: string;
  folders_first?: string;
  thumbnail_size?: string;
}

type Opened = Entered & { readonly share: ShareRow };

function isOpen(entered: Entered): entered is Opened {
  return entered.open;
}

function orderOf({ order, folders_first: foldersFirst }: PageQuery): ListOrder {
  return { ...(parseOrder(order) ?? DEFAULT_ORDER), foldersFirst: foldersFirst !== 'false' };
}

export function mountShares(api: Api, parts: Parts): void {
  mountOwn(api, parts);
  mountVisits(api, parts);
  mountRestore(api, parts);
}

function mountOwn(api: Api, { database, cursors, clock, accounts, links, shares, entry }: Parts): void {
  async function view(share: ShareRow, root: NodeRow | undefined, caller: Caller, size?: string): Promise<ReplyOf<typeof shareApi.edit>> {
    const owner = (await accounts.find(database, share.account))!;
    const now = clock.now();
    const { status } = checkShare({ share, owner, live: root !== undefined, entry: 'free', now });
    return ownShareView(share, { status, root, owner, passcode: entry.passcodeOf(share), reference: entry.reference(share), links, size: thumbnailSize(size), origin: caller.origin, locale: caller.locale, now });
  }

  api.handle(shareApi.create, async ({ body, viewer, caller }) => {
    const share = await shares.create({
      account: viewer.account,
      fileIds: body.file_ids,
      shareTo: body.share_to,
      expirationDays: body.expiration_days,
      passcodeOption: body.pass_code_option,
      passcode: body.custom_pass_code,
      restoreLimit: body.restore_limit ?? body.limit_count,
      title: body.title,
    });
    const url = shareUrl(caller.origin, share);
    const passcode = entry.passcodeOf(share);
    return { share_id: share.id, share_url: url, pass_code: passcode, share_text: shareText(caller.locale, share, url, passcode), share_list: [] };
  });

  api.handle(shareApi.edit, async ({ body, viewer, caller }) => {
    const share = await shares.edit(viewer.account, body.share_id, {
      expirationDays: body.expiration_days,
      passcodeOption: body.pass_code_option,
      passcode: body.custom_pass_code,
      restoreLimit: body.restore_limit,
      title: body.title,
      paused: body.paused,
    });
    return view(share, await shares.firstRoot(share), caller);
  });

  api.handle(shareApi.listOwn, async ({ query, viewer, caller }) => {
    const size = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const list = `shares:${viewer.account}:${query.file_id ?? ''}`;
    const found = await shares.list(viewer.account, { file: query.file_id, place: cursors.place(list, query.page_token), limit: size + 1 });
    const page = found.slice(0, size);
    const last = page.at(-1)?.share;
    return {
      data: await Promise.all(page.map(({ share, root }) => view(share, root, caller, query.thumbnail_size))),
      next_page_token: found.length > size && last ? cursors.token(list, [last.createdAt, last.id]) : '',
    };
  });

  api.handle(shareApi.cancelMany, async ({ body, viewer }) => {
    await shares.cancel(viewer.account, body.ids);
    return {};
  });

  api.handle(shareApi.cancel, async ({ params, viewer }) => {
    if ((await shares.cancel(viewer.account, [params.id])) === 0) throw new ApiFailure('share_not_found');
    return {};
  });
}

function mountVisits(api: Api, { database, cursors, clock, nodes, links, entry, visits }: Parts): void {
  const rootIds = (entered: Entered): Set<string> => new Set(entered.roots.map(({ id }) => id));
  const filesOf = (entered: Opened, rows: readonly NodeRow[], caller: Caller, size: string | undefined, withLinks = false): File[] => {
    const roots = rootIds(entered);
    const context = { links, origin: caller.origin, size: thumbnailSize(size), withLinks, reference: entry.reference(entered.share) };
    return rows.map((node) => sharedFileView(node, entered.share, roots, context));
  };

  /** A page of what lies in a folder of the share, or of its roots for "". */
  async function page({ share, roots }: Opened, folder: string, query: PageQuery): Promise<{ rows: NodeRow[]; token: string }> {
    const order = orderOf(query);
    const list = `share:${share.id}:${folder}:${orderName(order)}:${order.foldersFirst}`;
    const at = { limit: pageSize(query.limit, LIMITS.page, LIMITS.pageMax), place: cursors.place(list, query.page_token) };
    const { rows, next }: { rows: NodeRow[]; next: Place | undefined } = folder === '' ? pageOfRoots(roots, order, at) : await nodes.children(database, folder, { order, ...at });
    return { rows, token: next ? cursors.token(list, next) : '' };
  }

  const verdict = ({ status, share }: Entered, caller: Caller) => ({ share_status: status, share_status_text: statusText(caller.locale, status, share) });

  api.handle(shareApi.open, async ({ query, caller }) => {
    const entered = await entry.enter(caller, { shareId: query.share_id, passcode: query.pass_code, token: query.pass_code_token, atGate: true });
    const facts = { locale: caller.locale, now: clock.now() };
    if (!isOpen(entered)) return openingView(entered, { ...facts, files: [], nextPageToken: '', token: '' });
    visits.count('view', entered.share, caller);
    const { rows, token } = await page(entered, '', query);
    return openingView(entered, { ...facts, files: filesOf(entered, rows, caller, query.thumbnail_size), nextPageToken: token, token: entry.token(entered.share) });
  });

  api.handle(shareApi.detail, async ({ query, caller }) => {
    const entered = await entry.enter(caller, { shareId: query.share_id, token: query.pass_code_token });
    if (!isOpen(entered)) return { ...verdict(entered, caller), files: [], next_page_token: '', ancestors: [] };
    const folder = query.parent_id ?? '';
    const chain = folder === '' ? [] : await nodes.withinRoots(database, folder, rootIds(entered));
    if (!chain || (folder !== '' && chain.at(-1)?.kind !== FOLDER)) throw new ApiFailure('file_not_found');
    const { rows, token } = await page(entered, folder, query);
    return {
      ...verdict(entered, caller),
      files: filesOf(entered, rows, caller, query.thumbnail_size),
      next_page_token: token,
      ancestors: chain.map(({ id, name }) => ({ id, name })),
    };
  });

  api.handle(shareApi.fileInfo, async ({ query, caller }) => {
    const entered = await entry.enter(caller, { shareId: query.share_id, token: query.pass_code_token });
    if (!isOpen(entered)) return { ...verdict(entered, caller), file_info: null };
    const chain = await nodes.withinRoots(database, query.file_id, rootIds(entered));
    if (!chain) throw new ApiFailure('file_not_found');
    return { ...verdict(entered, caller), file_info: filesOf(entered, chain.slice(-1), caller, query.thumbnail_size, true)[0]! };
  });

  api.handle(shareApi.batchFileInfo, async ({ body, caller }) => {
    const entered = await entry.enter(caller, { shareId: body.share_id, token: body.pass_code_token });
    if (!isOpen(entered)) return { ...verdict(entered, caller), files: [] };
    const roots = rootIds(entered);
    const chains = await Promise.all(body.file_ids.map((id) => nodes.withinRoots(database, id, roots)));
    const found = chains.flatMap((chain) => chain?.slice(-1) ?? []);
    return { ...verdict(entered, caller), files: filesOf(entered, found, caller, body.thumbnail_size, true) };
  });
}

type RestoreBody = InputOf<typeof shareApi.restore>['body'];

/** The members' ways of naming a destination, of which clients use one each; undefined where nothing is named. */
function destinationOf({ to, to_parent_id: toParent, parent_id: parent, specify_parent_id: specified }: RestoreBody): string | undefined {
  if (to) return to.parent_id ?? '';
  if (toParent !== undefined) return toParent;
  return specified || parent ? (parent ?? '') : undefined;
}

/** What is to be restored: ids, or ids in the traces' comma list; nothing or `*` is all. */
function selectionOf({ file_ids: ids = [], params }: RestoreBody): string[] {
  const traces = params?.trace_file_ids ?? '';
  return ids.length > 0 || traces === '*' ? ids : traces.split(',').filter((id) => id !== '');
}

function restoreStatus(phase: Phase): ReplyOf<typeof shareApi.restore>['restore_status'] {
  if (phase === 'PHASE_TYPE_COMPLETE') return 'RESTORE_COMPLETE';
  return phase === 'PHASE_TYPE_ERROR' ? 'RESTORE_UNKNOWN' : 'RESTORE_START';
}

function mountRestore(api: Api, { entry, restores }: Parts): void {
  api.handle(shareApi.restore, async ({ body, viewer, caller }) => {
    const entered = await entry.enter(caller, { shareId: body.share_id, token: body.pass_code_token });
    const result = { share_status: entered.status, share_status_text: statusText(caller.locale, entered.status, entered.share) };
    if (!isOpen(entered)) return { ...result, file_id: '', restore_status: 'RESTORE_UNKNOWN' as const, restore_task_id: '', params: {} };
    refuseOwn(entered);
    const task = await restores.begin(entered.share, entered.roots, {
      account: viewer.account,
      fileIds: selectionOf(body),
      parent: destinationOf(body),
      requestKey: caller.idempotencyKey && `restore:${caller.idempotencyKey}`,
    });
    return {
      ...result,
      file_id: task.fileId,
      restore_status: restoreStatus(task.phase),
      restore_task_id: task.id,
      params: { ...task.params },
    };
  });
}
