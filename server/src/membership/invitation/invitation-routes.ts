import { inviteApi, membershipApi, pageSize, textIn } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Offers } from '../offer/index.ts';
import type { Invites } from './invitation-service.ts';
import { rewardView } from './invitation-view.ts';
import type { Newcomers } from './newcomer-service.ts';

const LISTED = 20;
const MOST_LISTED = 100;
const MOST_SKIPPED = 100_000;

interface Parts {
  invites: Invites;
  newcomers: Newcomers;
  offers: Offers;
  clock: Clock;
}

export function mountInvitations(api: Api, { invites, newcomers, offers, clock }: Parts): void {
  const offer = offers.invitations;

  api.handle(membershipApi.inviteCode, async ({ viewer }) => ({
    code: await invites.codeOf(viewer.account),
  }));

  api.handle(inviteApi.welcome, async ({ body, viewer, caller }) => {
    const { freeDays, invitedDays, isNew } = await newcomers.welcome(
      viewer.account,
      caller,
      body.invite_code,
    );
    const plan = (offers.freeDays ?? offers.invitations)?.plan;
    return {
      free_days: freeDays,
      invited_days: invitedDays,
      plan: plan ? textIn(plan.name, caller.locale) : '',
      granted: isNew,
    };
  });

  api.handle(inviteApi.info, async ({ viewer: { account }, caller }) => {
    await invites.rewardNow(account);
    const { invited, days } = await invites.sumsOf(account);
    return {
      invited_nums: invited,
      add_days: days,
      code: await invites.codeOf(account),
      plan: offer ? textIn(offer.plan.name, caller.locale) : '',
      invited_days: offer?.invitedDays ?? 0,
      inviter_days: offer?.inviterDays ?? 0,
      purchase_days: offer?.purchaseDays ?? 0,
      most_days: offer?.mostDays ?? 0,
    };
  });

  api.handle(inviteApi.list, async ({ query, viewer: { account } }) => {
    const limit = pageSize(query.limit, LISTED, MOST_LISTED);
    const offset = Math.min(Math.max(0, Math.trunc(Number(query.begin ?? 0)) || 0), MOST_SKIPPED);
    await invites.rewardNow(account);
    const page = await invites.list(account, { offset, limit: limit + 1 });
    const now = clock.now();
    return {
      data: page.slice(0, limit).map((one) => rewardView(one, now)),
      has_more: page.length > limit,
    };
  });

  api.handle(inviteApi.check, async ({ query, viewer: { account } }) => {
    const asked = query.userid || account;
    const inviter = await invites.inviterOf(asked);
    return { invited: inviter !== undefined && (asked === account || inviter === account) };
  });
}
