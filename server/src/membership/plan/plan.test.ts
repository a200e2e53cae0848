import { expect, test } from 'vitest';
import { readPlans } from './plan.ts';
import { PLAN_SETTINGS } from '../../../testing/plan-settings.ts';

const GB = 2 ** 30;
const read = (document: Record<string, unknown>) => readPlans(document, PLAN_SETTINGS);

test('the settings describe the free plan, in which 0 stands for no limit where the settings say so', () => {
  expect(read({}).free.entitlements).toEqual({
    storage: 10 * GB,
    tasksDaily: 5,
    tasksRunning: 3,
    taskSize: 100 * GB,
    trafficDaily: Infinity,
    offlineMonthly: Infinity,
    downloadMonthly: Infinity,
    uploadMonthly: Infinity,
    downloadSpeed: Infinity,
    shares: Infinity,
    subscriptions: 50,
    versions: 100,
    versionDays: 30,
    trashDays: 30,
  });
});

test('without a document there is a plan vip with usual limits', () => {
  const { ids, find } = read({});
  expect(ids).toEqual(['free', 'vip']);
  expect(find('vip')!.entitlements).toEqual({
    storage: 2048 * GB,
    tasksDaily: Infinity,
    tasksRunning: 20,
    taskSize: 1024 * GB,
    trafficDaily: Infinity,
    offlineMonthly: Infinity,
    downloadMonthly: Infinity,
    uploadMonthly: Infinity,
    downloadSpeed: Infinity,
    shares: Infinity,
    subscriptions: 500,
    versions: 100,
    versionDays: 365,
    trashDays: 30,
  });
});

test('a plan has the limits of the document, and never lower ones than the free plan', () => {
  const { find } = read({
    plans: [
      {
        id: 'team',
        name: { 'en-US': 'Team', ja: 'チーム' },
        storage: '5 TB',
        tasks_daily: 0,
        tasks_running: 1,
        task_size: 2 * 1024 * GB,
      },
      { id: 'vip', storage: '1 TB' },
    ],
  });
  expect(find('team')).toEqual({
    id: 'team',
    name: { 'en-US': 'Team', ja: 'チーム' },
    entitlements: {
      storage: 5 * 1024 * GB,
      tasksDaily: Infinity,
      tasksRunning: 3,
      taskSize: 2 * 1024 * GB,
      trafficDaily: Infinity,
      offlineMonthly: Infinity,
      downloadMonthly: Infinity,
      uploadMonthly: Infinity,
      downloadSpeed: Infinity,
      shares: Infinity,
      subscriptions: 50,
      versions: 100,
      versionDays: 30,
      trashDays: 30,
    },
  });
  expect(find('vip')!.entitlements).toMatchObject({ storage: 1024 * GB, tasksRunning: 20 });
});

test.each([
  [{ plans: {} }, 'plans must be a list'],
  [{ plans: [7] }, 'plans[0] must be an object'],
  [{ plans: [{ id: 'V I P' }] }, 'plans[0].id must be a short name in small letters'],
  [{ plans: [{ id: 'free' }] }, 'plans[0]: the free plan is described by the settings'],
  [{ plans: [{ id: 'team' }, { id: 'team' }] }, 'plans has team twice'],
  [{ plans: [{ id: 'team', storge: '1 TB' }] }, 'plans[0] has an unknown field storge'],
  [{ plans: [{ id: 'team', storage: 'much' }] }, 'plans[0].storage must be a size such as 10 GB'],
  [{ plans: [{ id: 'team', tasks_daily: '5' }] }, 'plans[0].tasks_daily must be a whole number'],
  [{ plans: [{ id: 'team', name: { xx: 'Team' } }] }, 'plans[0].name must be a string, or an object'],
  [{ grace_days: -1 }, 'grace_days must be a number of days'],
  [{ grace_days: 1000 }, 'grace_days must be a number of days'],
])('an error in the document is explained: %j', (document, message) => {
  expect(() => read(document)).toThrow(message);
});
