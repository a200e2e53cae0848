import { membershipApi } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Invites } from './invite-service.ts';
import type { Quota } from './membership-service.ts';
import { planView, quantitiesView } from './membership-view.ts';
import type { Allowances } from './membership.ts';
import type { Traffic } from './traffic-service.ts';

interface Parts {
  database: Database;
  quota: Quota;
  traffic: Traffic;
  invites: Invites;
  allowances: Allowances;
}

export function mountMembership(api: Api, { database, quota, traffic, invites, allowances }: Parts): void {
  const standing = async ({ viewer }: { viewer: { account: string } }) => ({
    result: 'ACCEPTED' as const,
    message: '',
    redirect_uri: '',
    data: planView(viewer.account),
  });
  api.handle(membershipApi.vip, standing);
  api.handle(membershipApi.vipByPost, standing);

  const info = async ({ viewer }: { viewer: { account: string } }) => ({
    data: { ...planView(viewer.account), vipItem: [] },
  });
  api.handle(membershipApi.info, info);
  api.handle(membershipApi.infoByPost, info);

  api.handle(membershipApi.quantities, async ({ viewer: { account } }) =>
    quantitiesView(
      account,
      await quota.of(database, account),
      await traffic.of(database, account),
      allowances,
    ),
  );

  api.handle(membershipApi.inviteCode, async ({ viewer }) => ({
    code: await invites.codeOf(viewer.account),
  }));
}
