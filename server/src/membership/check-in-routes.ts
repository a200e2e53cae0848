import { checkInApi } from '@bowerbird/contract';
import type { Api } from '../foundation/http/index.ts';
import { timeText } from '../foundation/index.ts';
import type { CheckIns } from './check-in-service.ts';

export function mountCheckIns(api: Api, checkIns: CheckIns): void {
  api.handle(checkInApi.reward, async ({ body, viewer }) => ({
    updated: body.type === 'sign_in' && (await checkIns.checkIn(viewer.account)),
  }));

  api.handle(checkInApi.month, async ({ query, viewer }) => {
    const { nextAt, days, isIn, ...rest } = await checkIns.of(viewer.account, query.month);
    return { ...rest, days: [...days], checked_in: isIn, next_time: timeText(nextAt) };
  });
}
