import { ApiFailure, LIMITS, pageSize, shareApi, type ReplyOf } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api, Caller } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Links, NodeRow } from '../drive/index.ts';
import type { ShareEntry } from './share-entry-service.ts';
import type { Shares } from './share-service.ts';
import { ownShareView, shareText, shareUrl, thumbnailSize } from './share-view.ts';
import { checkShare, type ShareRow } from './share.ts';

interface OwnParts {
  database: Database;
  cursors: Cursors;
  clock: Clock;
  accounts: Pick<Accounts, 'find'>;
  links: Links;
  shares: Shares;
  entry: ShareEntry;
}

/** Endpoints for owners of shares. */
export function mountOwnShares(
  api: Api,
  { database, cursors, clock, accounts, links, shares, entry }: OwnParts,
): void {
  async function view(
    share: ShareRow,
    root: NodeRow | undefined,
    caller: Caller,
    size?: string,
  ): Promise<ReplyOf<typeof shareApi.edit>> {
    const owner = (await accounts.find(database, share.account))!;
    const now = clock.now();
    const { status } = checkShare({ share, owner, live: root !== undefined, entry: 'free', now });
    return ownShareView(share, {
      status,
      root,
      owner,
      passcode: entry.passcodeOf(share),
      reference: entry.reference(share),
      links,
      size: thumbnailSize(size),
      origin: caller.origin,
      locale: caller.locale,
      now,
    });
  }

  api.handle(shareApi.create, { underKey: 'joined' }, async ({ body, viewer, caller }) => {
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
    return {
      share_id: share.id,
      share_url: url,
      pass_code: passcode,
      share_text: shareText(caller.locale, share, url, passcode),
      share_list: [],
    };
  });

  api.handle(shareApi.edit, { underKey: 'joined' }, async ({ body, viewer, caller }) => {
    const share = await shares.edit(viewer.account, body.share_id, {
      expirationDays: body.expiration_days,
      passcodeOption: body.pass_code_option,
      passcode: body.custom_pass_code,
      restoreLimit: body.restore_limit ?? body.limit_count,
      title: body.title,
      paused: body.paused,
    });
    return view(share, await shares.firstRoot(share), caller);
  });

  api.handle(shareApi.listOwn, async ({ query, viewer, caller }) => {
    const size = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const list = `shares:${viewer.account}:${query.file_id ?? ''}:${query.share_id ?? ''}`;
    const found = await shares.list(viewer.account, {
      file: query.file_id,
      share: query.share_id,
      place: cursors.place(list, query.page_token),
      limit: size + 1,
    });
    const page = found.slice(0, size);
    const last = page.at(-1)?.share;
    return {
      data: await Promise.all(page.map(({ share, root }) => view(share, root, caller, query.thumbnail_size))),
      next_page_token: found.length > size && last ? cursors.token(list, [last.createdAt, last.id]) : '',
    };
  });

  api.handle(shareApi.cancelMany, { underKey: 'joined' }, async ({ body, viewer }) => {
    await shares.cancel(viewer.account, body.ids);
    return {};
  });

  api.handle(shareApi.cancel, { underKey: 'joined' }, async ({ params, viewer }) => {
    if ((await shares.cancel(viewer.account, [params.id])) === 0) throw new ApiFailure('share_not_found');
    return {};
  });
}
