import { driveApi, taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, signIn, turnableClock } from '../../testing/index.ts';

const DAY_MS = 24 * 3600 * 1000;

eachDatabase((dialect) => {
  test('tasks completed at once are kept for a day, copies for thirty days, and running tasks until they end', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    let ann = await app.signUp('ann');
    const { a, d } = await plant(app, ann.id, { a: {}, d: {} });
    const running = { kind: 'drive#file', name: 'b', size: 5, upload_type: 'UPLOAD_TYPE_RESUMABLE' } as const;
    await ann.call(driveApi.create, { body: running });
    await ann.call(driveApi.copy, { body: { ids: [a!], to: { parent_id: d! } } });
    await ann.call(driveApi.trash, { body: { ids: [a!] } });
    const after = async (days: number): Promise<string[]> => {
      clock.advance(days * DAY_MS - 1000);
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'forget-old-tasks', null));
      await app.jobs.drain();
      ann = await signIn(app.http, ann);
      const { tasks } = await ann.call(taskApi.list, { query: { limit: 100 } });
      return tasks.map(({ type }) => type).toSorted();
    };
    expect(await after(1)).toEqual(['copy', 'trash', 'upload']);
    clock.advance(2000);
    expect(await after(28)).toEqual(['copy', 'upload']);
    expect(await after(2)).toEqual(['upload']);
  });
});
