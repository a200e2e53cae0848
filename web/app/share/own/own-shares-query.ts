import { shareApi, type ApiCall, type ReplyOf } from '@bowerbird/contract';

/** Key that all queries for the member's own shares begin with. */
export const OWN_SHARES = ['own-shares'] as const;

export type OwnSharePage = ReplyOf<typeof shareApi.listOwn>;

const PAGE = 50;

/** Loads a page of the member's shares, or only the share with this id. */
export function loadOwnShares(call: ApiCall, shareId: string, token = ''): Promise<OwnSharePage> {
  return call(shareApi.listOwn, {
    query: {
      limit: PAGE,
      page_token: token,
      thumbnail_size: 'SIZE_SMALL',
      ...(shareId === '' ? {} : { share_id: shareId }),
    },
  });
}
