import { checkInApi, TASK_SCENES } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Humans } from '../shield/index.ts';
import { timeText } from '../foundation/index.ts';
import type { CheckIns } from './check-in-service.ts';
import type { Benefits } from './plan/index.ts';
import type { TaskRewardService } from './task-reward-service.ts';

interface Parts {
  database: Database;
  checkIns: CheckIns;
  taskRewards: TaskRewardService;
  benefits: Pick<Benefits, 'list'>;
  humans: Humans;
}

/** Scene of getting the free days for signing up. */
const FREE_DAYS = 'free_vip';

const asList = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

export function mountCheckIns(api: Api, { database, checkIns, taskRewards, benefits, humans }: Parts): void {
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

  const statusOf = async (account: string, scene: string, isChecked: boolean) => {
    const known = TASK_SCENES.find((one) => one === scene);
    const isDone =
      scene === FREE_DAYS
        ? (await benefits.list(database, account)).some(({ cause }) => cause === 'free_days')
        : known !== undefined && (await taskRewards.isDone(database, account, known));
    const rewarded = known === undefined ? isDone : await taskRewards.isRewarded(database, account, known);
    return { result: isDone ? 'done' : 'undone', rewarded, bot_checked: isChecked };
  };

  api.handle(checkInApi.task, async ({ query, viewer, caller }) => ({
    data: await statusOf(viewer.account, query.scene, await humans.isChecked(caller, viewer.account)),
  }));

  api.handle(checkInApi.tasks, async ({ query, viewer, caller }) => {
    const isChecked = await humans.isChecked(caller, viewer.account);
    const scenes = [...new Set(asList(query.scene))];
    const statuses = await Promise.all(scenes.map((scene) => statusOf(viewer.account, scene, isChecked)));
    return { data: Object.fromEntries(scenes.map((scene, at) => [scene, statuses[at]!])) };
  });
}
