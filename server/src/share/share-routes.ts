import {
  ApiFailure,
  DEFAULT_ORDER,
  LIMITS,
  orderName,
  pageSize,
  parseOrder,
  shareApi,
  type File,
} from '@bowerbird/contract';
import type { Cursors, Database, KeysetPosition } from '../foundation/database/index.ts';
import { entityTag, type Api, type Call, type Caller } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import { FOLDER, type ListOrder, type Links, type Nodes, type ShownNode } from '../drive/index.ts';
import { isOpen, type Entered, type Opened, type ShareEntry } from './share-entry-service.ts';
import { pageOfRoots } from './share-roots.ts';
import { openingView, sharedFileView, statusText, thumbnailSize } from './share-view.ts';
import type { Visits } from './share-visit-service.ts';

interface VisitParts {
  database: Database;
  cursors: Cursors;
  clock: Clock;
  nodes: Nodes;
  links: Links;
  entry: ShareEntry;
  visits: Visits;
}

interface PageQuery {
  limit?: number | string;
  page_token?: string;
  order?: string;
  folders_first?: string;
  thumbnail_size?: string;
}

function orderOf({ order, folders_first: foldersFirst }: PageQuery): ListOrder {
  return { ...(parseOrder(order) ?? DEFAULT_ORDER), foldersFirst: foldersFirst !== 'false' };
}

/** Endpoints for visitors. */
export function mountShares(
  api: Api,
  { database, cursors, clock, nodes, links, entry, visits }: VisitParts,
): void {
  const rootIds = (entered: Entered): Set<string> => new Set(entered.roots.map(({ id }) => id));
  const filesOf = (
    entered: Opened,
    rows: readonly ShownNode[],
    caller: Caller,
    size: string | undefined,
    withLinks = false,
  ): File[] => {
    const roots = rootIds(entered);
    const context = {
      links,
      origin: caller.origin,
      size: thumbnailSize(size),
      withLinks,
      reference: entry.reference(entered.share),
    };
    return rows.map((node) => sharedFileView(node, entered.share, roots, context));
  };

  /** Returns a page of a folder of the share, or of its roots for "". */
  async function page(
    { share, roots }: Opened,
    folder: string,
    query: PageQuery,
  ): Promise<{ rows: readonly ShownNode[]; token: string }> {
    const order = orderOf(query);
    const list = `share:${share.id}:${folder}:${orderName(order)}:${order.foldersFirst}`;
    const at = {
      limit: pageSize(query.limit, LIMITS.page, LIMITS.pageMax),
      place: cursors.place(list, query.page_token),
    };
    const { rows, next }: { rows: readonly ShownNode[]; next: KeysetPosition | undefined } =
      folder === ''
        ? pageOfRoots(roots, order, at)
        : await nodes.shownChildren(database, folder, { order, ...at });
    return { rows, token: next ? cursors.token(list, next) : '' };
  }

  const verdict = ({ status, share }: Entered, caller: Caller) => ({
    share_status: status,
    share_status_text: statusText(caller.locale, status, share),
  });

  api.handle(shareApi.open, async ({ query, caller }) => {
    const entered = await entry.enter(caller, {
      shareId: query.share_id,
      passcode: query.pass_code,
      token: query.pass_code_token,
      atGate: true,
    });
    const facts = { locale: caller.locale, now: clock.now() };
    if (!isOpen(entered)) return openingView(entered, { ...facts, files: [], nextPageToken: '', token: '' });
    visits.count('view', entered.share, caller);
    const { rows, token } = await page(entered, '', query);
    return openingView(entered, {
      ...facts,
      files: filesOf(entered, rows, caller, query.thumbnail_size),
      nextPageToken: token,
      token: entry.token(entered.share),
    });
  });

  /** A listing's version and its reply are based on the same state of the share. */
  const entering = new WeakMap<object, Promise<Entered>>();
  function enteredOf(call: Call<typeof shareApi.detail>): Promise<Entered> {
    const { caller, query } = call;
    const known = entering.get(call);
    if (known) return known;
    const entered = entry.enter(caller, { shareId: query.share_id, token: query.pass_code_token });
    entering.set(call, entered);
    return entered;
  }

  /** Names everything that a listing depends on besides the state of the share, which must be open. */
  async function versionOf(call: Call<typeof shareApi.detail>): Promise<string | undefined> {
    const entered = await enteredOf(call);
    if (!isOpen(entered)) return undefined;
    const { pass_code_token: _, ...query } = call.query;
    const { status, share, treeVersion } = entered;
    return entityTag([
      entry.reference(share),
      status,
      treeVersion,
      links.period(),
      call.caller.origin,
      call.caller.locale,
      query,
    ]);
  }

  api.handle(shareApi.detail, { version: versionOf }, async (call) => {
    const { query, caller } = call;
    const entered = await enteredOf(call);
    if (!isOpen(entered))
      return { ...verdict(entered, caller), files: [], next_page_token: '', ancestors: [] };
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
    return {
      ...verdict(entered, caller),
      file_info: filesOf(entered, chain.slice(-1), caller, query.thumbnail_size, true)[0]!,
    };
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
