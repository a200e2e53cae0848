import { checkInApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, signIn, turnableClock, type Member } from '../../testing/index.ts';
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

test('a streak continues over the ends of months and leap years', () => {
  expect(streakOf([], '2028-03-01')).toBe(0);
  expect(streakOf(['2028-03-01', '2028-02-29', '2028-02-28', '2028-02-26'], '2028-03-01')).toBe(3);
  expect(streakOf(['2028-02-29', '2028-02-28'], '2028-03-01')).toBe(2);
  expect(streakOf(['2028-02-28'], '2028-03-01')).toBe(0);
});
