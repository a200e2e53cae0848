import { siteApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, visitorAt } from '../../testing/index.ts';

eachDatabase((dialect) => {
  test('page events are counted by day, and nothing else about them is stored', async () => {
    const app = await openTestApp({ dialect });
    const call = (names: readonly string[]) =>
      visitorAt(app, '203.0.113.5').call(siteApi.happened, {
        body: { happenings: names.map((detail) => ({ name: 'language_switched' as const, detail })) },
      });
    await call(['ru', 'ja']);
    await call(['ru']);
    const [first, second] = await app.statistics.of(1);
    expect(first).toMatchObject({ name: 'language_switched' as const, detail: 'ru', count: 2 });
    expect(second).toMatchObject({ detail: 'ja', count: 1 });
    expect(Object.keys(first!).toSorted()).toEqual(['count', 'day', 'detail', 'name']);
    await app.close();
  });

  test('statistics of the last days cover that many days, today included', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const days = async (asked: number) => (await app.statistics.of(asked)).map(({ detail }) => detail);
    for (const detail of ['first', 'second', 'third']) {
      await visitorAt(app, '203.0.113.5').call(siteApi.happened, {
        body: { happenings: [{ name: 'language_switched', detail }] },
      });
      await app.statistics.flush();
      clock.advance(24 * 3_600_000);
    }
    clock.advance(-24 * 3_600_000);
    expect(await days(1)).toEqual(['third']);
    expect(await days(2)).toEqual(['third', 'second']);
    expect(await days(3)).toEqual(['third', 'second', 'first']);
  });

  test('made-up page events can’t fill the database', async () => {
    const app = await openTestApp({ dialect });
    for (let from = 0; from < 140; from += 20)
      await visitorAt(app, '203.0.113.5').call(siteApi.happened, {
        body: {
          happenings: Array.from({ length: 20 }, (_, at) => ({
            name: 'spread_page' as const,
            detail: `made-up-${from + at}`,
          })),
        },
      });
    const counts = await app.statistics.of(1);
    expect(counts).toHaveLength(101);
    expect(counts[0]).toMatchObject({ detail: 'other', count: 40 });
    await app.close();
  });

  test('page events are not counted if the administrator turned it off', async () => {
    const app = await openTestApp({ dialect, environment: { STATISTICS: 'false' } });
    await visitorAt(app, '203.0.113.5').call(siteApi.happened, {
      body: { happenings: [{ name: 'block_page_shown' }] },
    });
    expect(await app.statistics.of(1)).toEqual([]);
    await app.close();
  });
});
