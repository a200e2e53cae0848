import { checkInApi, inviteApi, membershipApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApp } from '../app.ts';
import {
  eachDatabase,
  openTestApp,
  person,
  signIn,
  turnableClock,
  upload,
  type Member,
} from '../../testing/index.ts';
import { streakOf } from './check-in.ts';

const DAY_MS = 24 * 3600 * 1000;
const checkIn = (member: Member) => member.call(checkInApi.reward, { body: { type: 'sign_in' } });

eachDatabase((dialect) => {
  test('a check-in counts once a day, however often and in parallel it is sent', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const replies = await Promise.all(Array.from({ length: 30 }, () => checkIn(ann)));
    expect(replies.filter(({ updated }) => updated)).toHaveLength(1);
    expect(await checkIn(ann)).toEqual({ updated: false });
    expect(await ann.call(checkInApi.month, { query: {} })).toMatchObject({ streak: 1, total: 1 });
  });

  test('consecutive days make a streak that a missed day ends; each month lists its own days', async () => {
    const clock = turnableClock(Date.UTC(2026, 10, 29, 23, 30));
    await using app = await openTestApp({ dialect, clock });
    let ann = await app.signUp('ann');
    const month = (asked?: string) =>
      ann.call(checkInApi.month, { query: asked === undefined ? {} : { month: asked } });
    await checkIn(ann);
    clock.advance(DAY_MS);
    ann = await signIn(app.http, ann);
    expect(await month()).toMatchObject({ today: '2026-11-30', days: ['2026-11-29'], streak: 1 });
    await checkIn(ann);
    clock.advance(DAY_MS);
    ann = await signIn(app.http, ann);
    await checkIn(ann);
    expect(await month()).toEqual({
      today: '2026-12-01',
      days: ['2026-12-01'],
      streak: 3,
      checked_in: true,
      total: 3,
      next_time: '2026-12-02T00:00:00.000+00:00',
      earned: [],
      earned_days: 0,
    });
    expect(await month('2026-11')).toMatchObject({ days: ['2026-11-29', '2026-11-30'], streak: 3 });
    clock.advance(2 * DAY_MS);
    ann = await signIn(app.http, ann);
    expect(await month()).toMatchObject({ streak: 0, total: 3 });
  });

  test('rewards other than check-in are not granted, and nobody sees another member’s days', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await checkIn(ann);
    const bob = await app.signUp('bob');
    expect(await bob.call(checkInApi.reward, { body: { type: 'upload_file', data: {} } })).toEqual({
      updated: false,
    });
    expect(await bob.call(checkInApi.month, { query: {} })).toMatchObject({ days: [], total: 0 });
    await expect(app.visitor.call(checkInApi.month, { query: {} })).rejects.toMatchObject({
      id: 'unauthenticated',
    });
    await expect(bob.call(checkInApi.month, { query: { month: '2026-13' } })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
  });
});

eachDatabase((dialect) => {
  const REWARDS = {
    check_in: {
      rewards: [
        { streak: 3, days: 2 },
        { streak: 1, days: 1 },
      ],
    },
    tasks: { upload_file: 5 },
  };
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({ dialect, documents: { external_products: REWARDS }, ...more });

  test('a streak earns its reward once, from any number of requests at once, and again only in another streak', async () => {
    const clock = turnableClock(Date.UTC(2026, 1, 27, 12));
    await using app = await open({ clock });
    const other = await openApp(app.config, { log: app.log, clock });
    try {
      let ann = await app.signUp('ann');
      const attempts = (count = 30) =>
        Promise.all(
          Array.from({ length: count }, (_, n) =>
            n % 2
              ? checkIn(ann)
              : person(other.http, ann.headers).call(checkInApi.reward, { body: { type: 'sign_in' } }),
          ),
        );
      const earned = async () => {
        const { earned: days, earned_days: sum } = await ann.call(checkInApi.month, {
          query: { month: '2026-03' },
        });
        return [sum, ...days.map(({ day, days: count }) => `${day} ${count}`)];
      };
      const tomorrow = async (days = 1) => {
        clock.advance(days * DAY_MS);
        ann = await signIn(app.http, ann);
      };
      expect((await attempts()).filter(({ updated }) => updated)).toHaveLength(1);
      expect(await earned()).toEqual([1]);
      await tomorrow();
      await attempts(2);
      expect(await earned()).toEqual([1]);
      await tomorrow();
      expect((await attempts()).filter(({ updated }) => updated)).toHaveLength(1);
      expect(await earned()).toEqual([3, '2026-03-01 2']);
      await tomorrow();
      await attempts(2);
      expect(await earned()).toEqual([3, '2026-03-01 2']);
      await tomorrow(2);
      await attempts(2);
      expect(await earned()).toEqual([4, '2026-03-01 2', '2026-03-04 1']);
      const terms = await app.benefits.list(app.database, ann.id);
      expect(terms.map(({ cause, plan }) => [cause, plan])).toEqual(
        Array.from({ length: 3 }, () => ['check_in', 'vip']),
      );
    } finally {
      await other.close();
    }
  });

  test('a check-in whose reward fails does not count, and can be repeated', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    await app.database.transaction((tx) => sql`alter table benefit rename to benefit_away`.execute(tx.on()));
    await expect(checkIn(ann)).rejects.toMatchObject({ status: 500 });
    await app.database.transaction((tx) => sql`alter table benefit_away rename to benefit`.execute(tx.on()));
    expect(await checkIn(ann)).toEqual({ updated: true });
    expect(await ann.call(checkInApi.month, { query: {} })).toMatchObject({ total: 1, earned_days: 1 });
  });

  test('whether the free days were given is the status of a task, in both states', async () => {
    await using app = await openTestApp({
      dialect,
      documents: { external_products: { free_days: { days: 7 } } },
    });
    const ann = await app.signUp('ann');
    const status = async () => (await ann.call(checkInApi.task, { query: { scene: 'free_vip' } })).data;
    expect(await status()).toMatchObject({ result: 'undone', rewarded: false });
    await ann.call(inviteApi.welcome, { body: {} });
    expect(await status()).toMatchObject({ result: 'done', rewarded: true });
  });

  test('the first upload is rewarded once, and only if there was one', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const claim = (type = 'upload_file') => ann.call(checkInApi.reward, { body: { type, data: {} } });
    const statuses = async () => {
      const { data } = await ann.call(checkInApi.tasks, { query: { scene: ['upload_file', 'free_vip'] } });
      return Object.entries(data).map(([scene, { result }]) => `${scene} ${result}`);
    };
    expect(await claim()).toEqual({ updated: false });
    expect(await statuses()).toEqual(['upload_file undone', 'free_vip undone']);
    await upload(app, ann, 'sea.jpg', 'waves');
    expect(await ann.call(checkInApi.task, { query: { scene: 'upload_file' } })).toEqual({
      data: { result: 'done', rewarded: false, bot_checked: true },
    });
    expect(await statuses()).toEqual(['upload_file done', 'free_vip undone']);
    const claims = await Promise.all(Array.from({ length: 30 }, () => claim()));
    expect(claims.filter(({ updated }) => updated)).toHaveLength(1);
    expect(await ann.call(checkInApi.task, { query: { scene: 'upload_file' } })).toMatchObject({
      data: { result: 'done', rewarded: true },
    });
    expect(await claim('install_web_pikpak_extension')).toEqual({ updated: false });
    const [vip] = await app.benefits.held(app.database, ann.id);
    expect(vip!.plan.id).toBe('vip');
    expect(await app.benefits.list(app.database, ann.id)).toHaveLength(1);
  });

  test('without rewards in the document, check-ins and uploads earn nothing', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await upload(app, ann, 'sea.jpg', 'waves');
    await checkIn(ann);
    expect(await ann.call(checkInApi.reward, { body: { type: 'upload_file' } })).toEqual({ updated: false });
    expect(await app.benefits.list(app.database, ann.id)).toEqual([]);
    expect((await app.visitor.call(membershipApi.offers, {})).check_in).toBeNull();
  });
});

test('a streak continues over the ends of months and leap years', () => {
  expect(streakOf([], '2028-03-01')).toBe(0);
  expect(streakOf(['2028-03-01', '2028-02-29', '2028-02-28', '2028-02-26'], '2028-03-01')).toBe(3);
  expect(streakOf(['2028-02-29', '2028-02-28'], '2028-03-01')).toBe(2);
  expect(streakOf(['2028-02-28'], '2028-03-01')).toBe(0);
});
