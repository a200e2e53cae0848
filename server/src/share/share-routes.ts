import { ApiFailure, shareApi, type File } from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import { entityTag, type Api, type Call, type Caller } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Links, NodeRow, Nodes } from '../drive/index.ts';
import { isOpen, type Entered, type Opened, type ShareEntry } from './share-entry-service.ts';
import { createListings, rootIds } from './share-listings.ts';
import { openingView, sharedFilesView, statusText, thumbnailSize } from './share-view.ts';
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

/** Endpoints for visitors. */
export function mountShares(
  api: Api,
  { database, cursors, clock, nodes, links, entry, visits }: VisitParts,
): void {
  const listings = createListings({ database, cursors, nodes, links, entry });
  /** Files with download links. */
  const linkedFiles = (
    { share, roots }: Opened,
    rows: readonly NodeRow[],
    caller: Caller,
    size: string | undefined,
  ): File[] =>
    sharedFilesView(rows, share, rootIds(roots), {
      links,
      origin: caller.origin,
      size: thumbnailSize(size),
      withLinks: true,
      reference: entry.reference(share),
    });

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
    const { files, nextPageToken } = await listings.page(entered, '', query, caller.origin);
    return openingView(entered, { ...facts, files, nextPageToken, token: entry.token(entered.share) });
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
    const { files, nextPageToken, ancestors } = await listings.page(
      entered,
      query.parent_id ?? '',
      query,
      caller.origin,
    );
    return { ...verdict(entered, caller), files, next_page_token: nextPageToken, ancestors };
  });

  api.handle(shareApi.fileInfo, async ({ query, caller }) => {
    const entered = await entry.enter(caller, { shareId: query.share_id, token: query.pass_code_token });
    if (!isOpen(entered)) return { ...verdict(entered, caller), file_info: null };
    const chain = await nodes.withinRoots(database, query.file_id, rootIds(entered.roots));
    if (!chain) throw new ApiFailure('file_not_found');
    return {
      ...verdict(entered, caller),
      file_info: linkedFiles(entered, chain.slice(-1), caller, query.thumbnail_size)[0]!,
    };
  });

  api.handle(shareApi.batchFileInfo, async ({ body, caller }) => {
    const entered = await entry.enter(caller, { shareId: body.share_id, token: body.pass_code_token });
    if (!isOpen(entered)) return { ...verdict(entered, caller), files: [] };
    const roots = rootIds(entered.roots);
    const chains = await Promise.all(body.file_ids.map((id) => nodes.withinRoots(database, id, roots)));
    const found = chains.flatMap((chain) => chain?.slice(-1) ?? []);
    return { ...verdict(entered, caller), files: linkedFiles(entered, found, caller, body.thumbnail_size) };
  });
}
