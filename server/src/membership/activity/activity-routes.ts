import { activityApi, pageSize } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Plans } from '../plan/index.ts';
import type { Activities } from './activity-service.ts';
import { activityPageView, activityView, claimView } from './activity-view.ts';
import { stateOf, typeOf } from './activity.ts';

const USUAL_LIMIT = 100;

export function mountActivities(
  api: Api,
  { activities, plans, clock }: { activities: Activities; plans: Plans; clock: Clock },
): void {
  api.handle(activityApi.list, async ({ caller: { locale } }) => ({
    activities: activities.all.map((one) => activityView(one, clock.now(), locale)),
  }));

  api.handle(activityApi.get, async ({ params, viewer, caller: { locale } }) =>
    activityPageView(await activities.view(params.id, viewer?.account), { plans, now: clock.now(), locale }),
  );

  api.handle(activityApi.page, async ({ query, caller: { locale } }) => {
    const now = clock.now();
    const running = activities.all
      .filter((one) => stateOf(one, now) === 'running')
      .toSorted((a, b) => Number(typeOf(a) === 'text') - Number(typeOf(b) === 'text'));
    const limit = pageSize(query.limit, USUAL_LIMIT, USUAL_LIMIT);
    return {
      data: running.slice(0, limit).map((one) => activityView(one, now, locale)),
      has_more: running.length > limit,
    };
  });

  api.handle(activityApi.compensate, async ({ body, viewer, caller: { locale } }) =>
    claimView(await activities.compensate(viewer.account, body.id ?? body.type), { plans, locale }),
  );

  api.handle(activityApi.openGift, async ({ viewer, caller: { locale } }) =>
    claimView(await activities.openGift(viewer.account), { plans, locale }),
  );
}
