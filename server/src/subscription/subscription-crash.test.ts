import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { taskApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  LOOPBACK_ALLOWED,
  openOrigin,
  openTestApp,
  processEnvironment,
  type TestApp,
} from '../../testing/index.ts';
import { publish, subscribe, find, tasksOf, eventually, type Item } from '../../testing/following.ts';

describe('a process that crashes in the middle of a run', () => {
  test('leaves the remaining items to the next run, and nothing is downloaded twice', async () => {
    await using app = await openTestApp({ dialect: 'sqlite', environment: LOOPBACK_ALLOWED });
    await using origin = await openOrigin();
    const ann = await app.signUp('ann');
    const items = Array.from({ length: 300 }, (_, n): Item => [`n${n}`, `<link>http://10.0.0.1/${n}</link>`]);
    publish(origin, items);
    const { id } = await subscribe(ann, origin.at('/feed'), { take_existing: true });
    const process_ = await startWorker(app);
    await eventually(async () => (await tasksOf(ann)).length > 20, 30);
    process_.kill('SIGKILL');
    await once(process_, 'exit');
    const before = (await tasksOf(ann)).length;
    expect(before).toBeLessThan(300);
    app.start();
    await eventually(async () => !(await find(ann, id)).running, 60);
    const { counts } = await ann.call(taskApi.count, { query: { type: 'offline' } });
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(300);
    expect((await find(ann, id)).taken_count).toBe(300);
  }, 90_000);
});

async function startWorker(app: TestApp): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../testing/jobs-alone.ts')], {
    env: {
      ...processEnvironment,
      DATA_DIR: app.config.DATA_DIR,
      SITE_URL: 'http://drive.test',
      LOG_LEVEL: 'error',
      ...LOOPBACK_ALLOWED,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}
