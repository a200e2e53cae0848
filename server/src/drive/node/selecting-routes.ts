import { ApiFailure, DEFAULT_ORDER, driveApi, orderName, parseOrder, type Choice } from '@bowerbird/contract';
import { timeText } from '../../foundation/index.ts';
import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import { ownAccess, type Accesses } from '../access/index.ts';
import { FOLDER, type ShownNode } from '../drive.ts';
import type { Nodes } from './node-service.ts';
import type { Selecting } from './selecting-service.ts';
import { conditionTest } from './selecting.ts';

function choiceView(
  row: Pick<ShownNode, 'id' | 'kind' | 'name' | 'size' | 'parent' | 'modified_at'>,
  root: string,
): Choice {
  return {
    id: row.id,
    kind: row.kind === FOLDER ? 'drive#folder' : 'drive#file',
    name: row.name,
    size: row.kind === FOLDER ? '0' : String(row.size),
    ...(row.kind === FOLDER ? { folder_size: String(row.size) } : {}),
    parent_id: row.parent === root ? '' : row.parent,
    modified_time: timeText(row.modified_at),
  };
}

export function mountSelecting(
  api: Api,
  {
    database,
    cursors,
    nodes,
    accesses,
    selecting,
  }: { database: Database; cursors: Cursors; nodes: Nodes; accesses: Accesses; selecting: Selecting },
): void {
  api.handle(driveApi.select, async ({ body, viewer }) => {
    const key = body.order ? parseOrder(body.order) : DEFAULT_ORDER;
    if (!key) throw new ApiFailure('invalid_argument', { field: 'order' });
    const order = { ...key, foldersFirst: body.folders_first !== 'false' };
    const except = new Set(body.except_ids);
    const meets = conditionTest(body.where ?? {});
    const keep = (row: ShownNode): boolean => !except.has(row.id) && meets(row);
    if (body.ids) {
      // Ids of others are left out like unknown ones.
      const access = await accesses.find(database, viewer.account, body.ids, 'view');
      const { account, rootId } = access ?? ownAccess(viewer.account);
      const rows = await selecting.among(account, body.ids, order, keep);
      return { items: rows.map((row) => choiceView(row, rootId)), next_page_token: '' };
    }
    const { account, rootId } = await accesses.of(database, viewer.account, [body.parent_id], 'view');
    const folder = await nodes.folder(database, account, body.parent_id);
    const list = JSON.stringify(['select', folder, orderName(order), order.foldersFirst, body.where ?? {}]);
    const place = cursors.place(list, body.page_token);
    const { rows, next } = await selecting.inFolder(folder, order, keep, place);
    return {
      items: rows.map((row) => choiceView(row, rootId)),
      next_page_token: next ? cursors.token(list, next) : '',
    };
  });

  api.handle(driveApi.conflicts, async ({ body, viewer }) => {
    const { account } = await accesses.of(database, viewer.account, [body.parent_id], 'view');
    const folder = await nodes.folder(database, account, body.parent_id);
    const taken = await nodes.taken(database, folder, body.names);
    return {
      taken: taken.map(({ name, node }) => ({
        name,
        id: node.id,
        kind: node.kind === 0 ? 'drive#folder' : 'drive#file',
        size: node.kind === 0 ? '0' : String(node.size),
        modified_time: timeText(node.modified_at),
      })),
    };
  });
}
