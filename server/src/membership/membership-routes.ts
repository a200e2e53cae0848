import { membershipApi } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api, Call } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Invites } from './invite-service.ts';
import type { Quota } from './membership-service.ts';
import { planItemsView, planView, quantitiesView } from './membership-view.ts';
import type { Benefits } from './plan/index.ts';
import type { Traffic } from './traffic-service.ts';

interface Parts {
  database: Database;
  quota: Quota;
  traffic: Traffic;
  invites: Invites;
  benefits: Benefits;
  clock: Clock;
}

type Asking = Pick<Call<typeof membershipApi.info>, 'viewer' | 'caller'>;

export function mountMembership(
  api: Api,
  { database, quota, traffic, invites, benefits, clock }: Parts,
): void {
  const standing = async ({ viewer: { account } }: Asking) => ({
    result: 'ACCEPTED' as const,
    message: '',
    redirect_uri: '',
    data: planView(account, await benefits.held(database, account)),
  });
  api.handle(membershipApi.vip, standing);
  api.handle(membershipApi.vipByPost, standing);

  const info = async ({ viewer: { account }, caller }: Asking) => {
    const held = await benefits.held(database, account);
    return {
      data: {
        ...planView(account, held),
        vipItem: planItemsView(held, clock.now(), caller.locale),
      },
    };
  };
  api.handle(membershipApi.info, info);
  api.handle(membershipApi.infoByPost, info);

  api.handle(membershipApi.quantities, async ({ viewer: { account } }) =>
    quantitiesView(
      account,
      await quota.of(database, account),
      await traffic.of(database, account),
      await benefits.entitlements(database, account),
      await benefits.held(database, account),
    ),
  );

  api.handle(membershipApi.inviteCode, async ({ viewer }) => ({
    code: await invites.codeOf(viewer.account),
  }));
}
