import { describe, expect, test } from 'vitest';
import { afterRefusal, nextTry } from './subscription.ts';

describe('retries', () => {
  const now = Date.UTC(2026, 10, 27, 12);
  const [minute, day] = [60_000, 24 * 3_600_000];

  test('retries after failures become less frequent, down to once a day, or to the feed’s own interval if that is longer', () => {
    const waits = (everyMinutes: number) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((failures) => nextTry(now, everyMinutes, failures) - now);
    const growing = [15, 30, 60, 120, 240, 480, 960].map((minutes) => minutes * minute);
    expect(waits(60)).toEqual([...growing, day, day, day]);
    expect(waits(7 * 1440)).toEqual([...growing, 1920 * minute, 3840 * minute, 7 * day]);
  });

  test('continue tomorrow after a daily limit, and in a quarter of an hour after a lack of space', () => {
    const weekly = 7 * 1440;
    const tomorrow = Date.UTC(2026, 10, 28);
    expect(afterRefusal(now, weekly, 'task_daily_create_limit')).toBe(tomorrow);
    expect(afterRefusal(now, weekly, 'task_daily_create_limit_vip')).toBe(tomorrow);
    expect(afterRefusal(now, weekly, 'task_traffic_limit')).toBe(tomorrow);
    expect(afterRefusal(now, weekly, 'file_space_not_enough')).toBe(now + 15 * minute);
    expect(afterRefusal(now, weekly, 'task_run_nums_limit')).toBe(now + 15 * minute);
    expect(afterRefusal(now, 60, 'task_traffic_limit')).toBe(now + 60 * minute);
  });
});
