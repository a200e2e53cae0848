import { membershipApi } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api, Call } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Codes } from './code/index.ts';
import type { Quota } from './membership-service.ts';
import { planItemsView, planView, quantitiesView } from './membership-view.ts';
import { offersView, type Offered } from './offer/index.ts';
import { entitlementsWith, type Benefits } from './plan/index.ts';
import type { Renews } from './status-routes.ts';
import type { Traffic } from './traffic-service.ts';

interface Parts {
  database: Database;
  quota: Quota;
  traffic: Traffic;
  benefits: Benefits;
  offers: Omit<Offered, 'codes'>;
  codes: Pick<Codes, 'exist'>;
  renews: Renews;
  clock: Clock;
}

type MemberCall = Pick<Call<typeof membershipApi.info>, 'viewer' | 'caller'>;

export function mountMembership(
  api: Api,
  { database, quota, traffic, benefits, offers, codes, renews, clock }: Parts,
): void {
  const standing = async ({ viewer: { account } }: MemberCall) => ({
    result: 'ACCEPTED' as const,
    message: '',
    redirect_uri: '',
    data: planView(account, await benefits.held(database, account)),
  });
  api.handle(membershipApi.vip, standing);
  api.handle(membershipApi.vipByPost, standing);

  const info = async ({ viewer: { account }, caller }: MemberCall) => {
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

  api.handle(membershipApi.quantities, async ({ viewer: { account }, caller: { locale } }) => {
    const held = await benefits.held(database, account);
    return quantitiesView(
      account,
      await quota.of(database, account),
      await traffic.state(database, account),
      entitlementsWith(benefits.least, held),
      { held, locale, renews: await renews(database, account) },
    );
  });

  api.handle(membershipApi.offers, async ({ caller }) =>
    offersView({ ...offers, codes: await codes.exist() }, caller.locale),
  );
}
