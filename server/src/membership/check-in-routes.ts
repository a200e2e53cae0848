import { checkInApi, TASK_SCENES } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { timeText } from '../foundation/index.ts';
import type { CheckIns } from './check-in-service.ts';
import type { TaskRewardService } from './task-reward-service.ts';

interface Parts {
  database: Database;
  checkIns: CheckIns;
  taskRewards: TaskRewardService;
}

const asList = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

export function mountCheckIns(api: Api, { database, checkIns, taskRewards }: Parts): void {
  api.handle(checkInApi.reward, async ({ body, viewer }) => {
    if (body.type === 'sign_in') return { updated: await checkIns.checkIn(viewer.account) };
    const scene = TASK_SCENES.find((one) => one === body.type);
    return { updated: scene !== undefined && (await taskRewards.claim(viewer.account, scene)) };
  });

  api.handle(checkInApi.month, async ({ query, viewer }) => {
    const { nextAt, days, isIn, ...rest } = await checkIns.of(viewer.account, query.month);
    const earned = await checkIns.earned(database, viewer.account);
    const month = query.month ?? rest.today.slice(0, 7);
    return {
      ...rest,
      days: [...days],
      checked_in: isIn,
      next_time: timeText(nextAt),
      earned: earned.filter(({ day }) => day.startsWith(month)),
      earned_days: earned.reduce((sum, one) => sum + one.days, 0),
    };
  });

  const statusOf = async (account: string, scene: string) => {
    const known = TASK_SCENES.find((one) => one === scene);
    const isDone = known !== undefined && (await taskRewards.isDone(database, account, known));
    const rewarded = known !== undefined && (await taskRewards.isRewarded(database, account, known));
    return { result: isDone ? 'done' : 'undone', rewarded, bot_checked: true };
  };

  api.handle(checkInApi.task, async ({ query, viewer }) => ({
    data: await statusOf(viewer.account, query.scene),
  }));

  api.handle(checkInApi.tasks, async ({ query, viewer }) => {
    const scenes = [...new Set(asList(query.scene))];
    const statuses = await Promise.all(scenes.map((scene) => statusOf(viewer.account, scene)));
    return { data: Object.fromEntries(scenes.map((scene, at) => [scene, statuses[at]!])) };
  });
}
