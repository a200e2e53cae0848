import { ApiFailure, LIMITS, pageSize, peopleApi, type SharedItem } from '@bowerbird/contract';
import type { Accounts } from '../../account/index.ts';
import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api, Caller } from '../../foundation/http/index.ts';
import { accessContext, accessibleView, type Accesses } from '../access/index.ts';
import type { Links } from '../drive.ts';
import { createLineage } from '../lineage.ts';
import type { Nodes } from '../node/index.ts';
import type { Grants, Received } from './grant-service.ts';
import { grantView, personView, sharedItemView } from './people-view.ts';

interface Parts {
  database: Database;
  cursors: Cursors;
  accounts: Pick<Accounts, 'find'>;
  nodes: Pick<Nodes, 'find' | 'lineage'>;
  accesses: Accesses;
  grants: Grants;
  links: Links;
}

export function mountPeople(
  api: Api,
  { database, cursors, accounts, nodes, accesses, grants, links }: Parts,
): void {
  const itemView = (received: Received, caller: Caller, size?: string): SharedItem =>
    sharedItemView(received, (node, access) =>
      accessibleView(node, access, accessContext(access, caller, links, size)),
    );

  api.handle(peopleApi.list, async ({ params: { id }, viewer }) => {
    const access = await accesses.of(database, viewer.account, [id], 'view');
    const owner = await accounts.find(database, access.account);
    const node = await nodes.find(database, access.account, id);
    if (!node || !owner) throw new ApiFailure('file_not_found');
    const chain = createLineage(await nodes.lineage(database, [id])).chain(id);
    const outermost = chain.findIndex((one) => access.roots.has(one.id));
    const isOwner = access.role === 'owner';
    const given = await grants.ofNodes(database, isOwner ? chain : chain.slice(outermost));
    return {
      owner: personView(owner),
      role: access.role,
      people: given.filter(({ grant }) => isOwner || grant.accepted_at !== null).map(grantView),
    };
  });

  api.handle(peopleApi.invite, async ({ params: { id }, body: { to, role }, viewer, caller }) =>
    grantView(await grants.invite(viewer.account, id, { to, role, address: caller.address })),
  );

  api.handle(peopleApi.change, { underKey: 'joined' }, async ({ params: { id }, body: { role }, viewer }) =>
    grantView(await grants.changeRole(viewer.account, id, role)),
  );

  api.handle(peopleApi.remove, { underKey: 'joined' }, async ({ params: { id }, viewer }) => {
    await grants.end(viewer.account, id);
    return {};
  });

  api.handle(peopleApi.shared, async ({ query, viewer, caller }) => {
    const list = `shared:${viewer.account}`;
    const place = cursors.place(list, query.page_token);
    const limit = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const waiting = await grants.received(viewer.account, { isPending: true, place: undefined, limit });
    const { items, next } = await grants.received(viewer.account, { isPending: false, place, limit });
    const shown = place === undefined ? [...waiting.items, ...items] : items;
    return {
      items: shown.map((received) => itemView(received, caller, query.thumbnail_size)),
      next_page_token: next ? cursors.token(list, next) : '',
      pending: waiting.items.length,
    };
  });

  api.handle(peopleApi.accept, { underKey: 'joined' }, async ({ params: { id }, viewer, caller }) =>
    itemView(await grants.accept(viewer.account, id), caller),
  );

  api.handle(
    peopleApi.mute,
    { underKey: 'joined' },
    async ({ params: { id }, body: { muted }, viewer, caller }) =>
      itemView(await grants.mute(viewer.account, id, muted), caller),
  );
}
