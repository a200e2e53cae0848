import { driveApi, LIMITS, pageSize } from '@bowerbird/contract';
import type { Cursors } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import { fileView } from '../drive-view.ts';
import type { Links } from '../drive.ts';
import { contextOf } from '../node/index.ts';
import type { Usage } from './usage-service.ts';

/** Contents on a page of duplicates. */
const GROUPS = 50;

export function mountUsage(
  api: Api,
  { cursors, usage, links }: { cursors: Cursors; usage: Usage; links: Links },
): void {
  api.handle(driveApi.usage, async ({ query, viewer, caller }) => {
    const list = JSON.stringify(['usage', viewer.account, query.list]);
    const most = query.list === 'duplicates' ? GROUPS : LIMITS.pageMax;
    const { used, next, total, groups, gain } = await usage.page(viewer.account, query.list, {
      limit: pageSize(query.limit, Math.min(most, LIMITS.page), most),
      place: cursors.place(list, query.page_token),
    });
    const context = contextOf(viewer, caller, links, query.thumbnail_size);
    return {
      files: used.map(({ node, path, copy }) => {
        const file = fileView(node, context);
        return {
          ...file,
          params: {
            ...file.params,
            folder_path: path.join('/'),
            ...(copy ? { copy: String(copy.number), copies: String(copy.of) } : {}),
          },
        };
      }),
      next_page_token: next ? cursors.token(list, next) : '',
      total: String(total ?? -1),
      groups,
      gain: String(gain),
    };
  });
}
