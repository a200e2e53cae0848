import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, type TestApp } from '../../../testing/index.ts';
import { createLog } from '../log.ts';
import { createJobs, type Jobs } from './jobs.ts';

const HOUR_MS = 3600 * 1000;

/** Separate worker on the app's database, like another process. */
const worker = ({ database, clock, ids }: TestApp): Jobs =>
  createJobs({ database, clock, ids, log: createLog('silent') });

const rows = async ({ database }: TestApp, kind: string) =>
  (
    await sql<{
      attempts: number;
      run_at: number;
      lease_owner: string | null;
      lease_until: number | null;
      last_error: string | null;
    }>`select * from job where kind = ${kind}`.execute(database.on())
  ).rows;

const change = ({ database }: TestApp, kind: string, columns: Record<string, number | null>) =>
  database.transaction((tx) =>
    sql`update job set ${sql.join(
      Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    )} where kind = ${kind}`.execute(tx.on()),
  );

const put = (app: TestApp, kind: string, payload: unknown = null, options = {}) =>
  app.database.transaction((tx) => app.jobs.enqueue(tx, kind, payload, options));

/** Promise that is settled from outside. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

eachDatabase((dialect) => {
  test('a job runs once, with its payload, and only if its transaction commits', async () => {
    await using app = await openTestApp({ dialect });
    const done: unknown[] = [];
    app.jobs.define('greet', async (payload) => void done.push(payload));
    await put(app, 'greet', { to: 'ann' });
    await app.database
      .transaction(async (tx) => {
        await app.jobs.enqueue(tx, 'greet', { to: 'nobody' });
        throw new Error('no');
      })
      .catch(() => {});
    await app.jobs.drain();
    await app.jobs.drain();
    expect(done).toEqual([{ to: 'ann' }]);
    expect(await rows(app, 'greet')).toEqual([]);
  });

  test('a job with a key is not queued twice while the first waits', async () => {
    await using app = await openTestApp({ dialect });
    let done = 0;
    app.jobs.define('count', async () => void (done += 1));
    await put(app, 'count', null, { key: 'one' });
    await put(app, 'count', null, { key: 'one' });
    await put(app, 'count', null, { key: 'another' });
    await app.jobs.drain();
    expect(done).toBe(2);
    await put(app, 'count', null, { key: 'one' });
    await app.jobs.drain();
    expect(done).toBe(3);
  });

  test('a job that is requested again while it runs is run once more, and by one worker at a time', async () => {
    await using app = await openTestApp({ dialect });
    const [first, second] = [gate(), gate()];
    const started: number[] = [];
    let running = 0;
    const workers = [worker(app), worker(app)];
    for (const each of workers)
      each.define('check', async () => {
        running += 1;
        started.push(running);
        await [first, second][started.length - 1]?.opened;
        running -= 1;
      });
    await put(app, 'check', null, { key: 'one' });
    for (const each of workers) each.start();
    await expect.poll(() => started).toHaveLength(1);
    await put(app, 'check', null, { key: 'one' });
    await put(app, 'check', null, { key: 'one' });
    first.open();
    for (const each of workers) each.wake();
    await expect.poll(() => started).toHaveLength(2);
    second.open();
    await expect.poll(() => rows(app, 'check')).toEqual([]);
    await Promise.all(workers.map((each) => each.stop()));
    expect(started).toEqual([1, 1]);
  });

  test('a job that is requested again after its work, but before it is finished, is run once more', async () => {
    await using app = await openTestApp({ dialect });
    let done = 0;
    app.jobs.define('check', async () => {
      done += 1;
      if (done === 1) await put(app, 'check', null, { key: 'one', delayMs: 0 });
    });
    await put(app, 'check', null, { key: 'one' });
    await app.jobs.drain();
    expect(done).toBe(2);
    expect(await rows(app, 'check')).toEqual([]);
  });

  test('a process that runs no jobs wakes another one when it has added one', async () => {
    await using app = await openTestApp({ dialect });
    let woken = 0;
    const adding = createJobs({ ...app, log: createLog('silent'), wakeOther: () => void (woken += 1) });
    const running = worker(app);
    const done: unknown[] = [];
    running.define('greet', async (payload) => void done.push(payload));
    const add = (to: string) => app.database.transaction((tx) => adding.enqueue(tx, 'greet', to));
    await add('ann');
    await app.database
      .transaction(async (tx) => {
        await adding.enqueue(tx, 'greet', 'nobody');
        throw new Error('no');
      })
      .catch(() => {});
    expect(woken).toBe(1);
    running.start();
    await expect.poll(() => done).toEqual(['ann']);
    adding.start();
    await add('bob');
    expect(woken).toBe(1);
    running.wake();
    await expect.poll(() => done).toEqual(['ann', 'bob']);
    await Promise.all([adding.stop(), running.stop()]);
  });

  test('a failing job is retried after a second, then less and less often, and its error is stored', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    let attempts = 0;
    app.jobs.define('frail', async () => {
      attempts += 1;
      if (attempts < 3) throw new Error(`attempt ${attempts}`);
    });
    await put(app, 'frail');
    await app.jobs.drain();
    expect(await rows(app, 'frail')).toMatchObject([
      { attempts: 1, lease_owner: null, last_error: 'Error: attempt 1' },
    ]);
    clock.advance(999);
    await app.jobs.drain();
    expect(attempts).toBe(1);
    clock.advance(1);
    await app.jobs.drain();
    expect(attempts).toBe(2);
    clock.advance(4_999);
    await app.jobs.drain();
    expect(attempts).toBe(2);
    clock.advance(1);
    await app.jobs.drain();
    expect(attempts).toBe(3);
    expect(await rows(app, 'frail')).toEqual([]);
  });

  test('a database outage does not count as an attempt of a job', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const seen: number[] = [];
    app.jobs.define('write', async (_payload, { attempts }) => {
      seen.push(attempts);
      if (seen.length > 3) return;
      if (dialect === 'sqlite')
        throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
      await app.database.transaction((tx) =>
        sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.on()),
      );
    });
    await put(app, 'write');
    for (let rounds = 0; rounds < 4; rounds++) {
      await app.jobs.drain();
      clock.advance(10_000);
    }
    expect(seen).toEqual([1, 1, 1, 1]);
    expect(await rows(app, 'write')).toEqual([]);
  });

  test('two workers never run one job at the same time, and share the queue', async () => {
    await using app = await openTestApp({ dialect });
    const workers = [worker(app), worker(app)];
    const done: string[] = [];
    for (const [at, jobs] of workers.entries())
      jobs.define<string>('shared', async (name) => {
        await sleep(5);
        done.push(`${name} ${at}`);
      });
    for (let count = 0; count < 40; count++) await put(app, 'shared', `job ${count}`);
    for (const jobs of workers) jobs.start();
    await expect.poll(() => done.length, { timeout: 20_000 }).toBe(40);
    for (const jobs of workers) await jobs.stop();
    expect(new Set(done.map((line) => line.replace(/ \d$/, ''))).size).toBe(40);
    expect(await rows(app, 'shared')).toEqual([]);
  });

  test('an expired lease belongs to whoever takes it next, and its former holder can no longer write', async () => {
    await using app = await openTestApp({ dialect });
    const other = worker(app);
    const slow = gate();
    const slower = gate();
    let taken = 0;
    app.jobs.define('leased', async () => {
      await slow.opened;
      throw new Error('too late');
    });
    other.define('leased', async () => {
      taken += 1;
      await slower.opened;
    });
    await put(app, 'leased');
    const first = app.jobs.drain();
    await expect.poll(async () => (await rows(app, 'leased'))[0]?.lease_owner ?? null).not.toBeNull();
    await other.drain();
    expect(taken).toBe(0);
    await change(app, 'leased', { lease_until: 0 });
    const second = other.drain();
    await expect.poll(() => taken).toBe(1);
    const [held] = await rows(app, 'leased');
    slow.open();
    await first;
    expect(await rows(app, 'leased')).toEqual([held]);
    slower.open();
    await second;
    expect(await rows(app, 'leased')).toEqual([]);
  });

  test('a stopping worker interrupts its jobs, returns them at once, and starts no more', async () => {
    await using app = await openTestApp({ dialect });
    const jobs = worker(app);
    const begun = gate();
    jobs.define('endless', async (_payload, { signal }) => {
      begun.open();
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    await put(app, 'endless');
    jobs.start();
    await begun.opened;
    await put(app, 'endless');
    await jobs.stop();
    const left = await rows(app, 'endless');
    expect(left.map(({ lease_owner: owner, attempts }) => [owner, attempts])).toEqual([
      [null, 0],
      [null, 0],
    ]);
    const done: number[] = [];
    app.jobs.define('endless', async (_payload, { attempts }) => void done.push(attempts));
    await app.jobs.drain();
    expect(done).toEqual([1, 1]);
  });

  test('a recurring job is queued once for its next time', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    let done = 0;
    const workers = [worker(app), worker(app)];
    for (const jobs of workers) {
      jobs.define('hourly', async () => void (done += 1), { everyMs: HOUR_MS });
      jobs.start();
    }
    await expect.poll(async () => (await rows(app, 'hourly')).length, { timeout: 10_000 }).toBe(1);
    expect((await rows(app, 'hourly'))[0]!.run_at).toBe(clock.now() + HOUR_MS);
    expect(done).toBe(0);
    clock.advance(HOUR_MS);
    await expect.poll(() => done, { timeout: 10_000 }).toBe(1);
    await expect
      .poll(async () => (await rows(app, 'hourly'))[0]?.run_at, { timeout: 10_000 })
      .toBe(clock.now() + HOUR_MS);
    for (const jobs of workers) await jobs.stop();
    expect(done).toBe(1);
  });

  test('a clock that was a day ahead delays neither recurring nor requested jobs', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    clock.advance(25 * HOUR_MS);
    const done: string[] = [];
    const parked = worker(app);
    parked.define('mend', async () => {}, { everyMs: 60_000 });
    parked.start();
    await expect.poll(async () => (await rows(app, 'mend')).length, { timeout: 10_000 }).toBe(1);
    await parked.stop();
    await put(app, 'deliver', null, { delayMs: 5_000 });
    await put(app, 'retried');
    clock.advance(-25 * HOUR_MS);
    await put(app, 'later', null, { delayMs: 25 * HOUR_MS });
    // Job that failed for the third time while the clock was ahead.
    await change(app, 'retried', {
      attempts: 3,
      created_at: clock.now() - 1,
      run_at: clock.now() + 25 * HOUR_MS,
    });

    const jobs = worker(app);
    for (const kind of ['deliver', 'retried', 'later']) jobs.define(kind, async () => void done.push(kind));
    jobs.define('mend', async () => void done.push('mend'), { everyMs: 60_000 });
    jobs.start();
    await expect.poll(() => done.toSorted(), { timeout: 10_000 }).toEqual(['mend', 'retried']);
    clock.advance(5_000);
    await expect.poll(() => done.toSorted(), { timeout: 10_000 }).toEqual(['deliver', 'mend', 'retried']);
    await jobs.stop();
    expect((await rows(app, 'later')).length).toBe(1);
  });

  test('a lease that a wrong clock made too long expires after half a minute like any other', async () => {
    await using app = await openTestApp({ dialect });
    await put(app, 'left');
    await change(app, 'left', { lease_until: Date.now() + 25 * HOUR_MS });
    await app.database.transaction((tx) =>
      sql`update job set lease_owner = 'elsewhere 1 x' where kind = 'left'`.execute(tx.on()),
    );
    const jobs = worker(app);
    jobs.start();
    await expect
      .poll(async () => (await rows(app, 'left'))[0]!.lease_until! - Date.now(), { timeout: 10_000 })
      .toBeLessThan(60_000);
    await jobs.stop();
    expect((await rows(app, 'left'))[0]!.lease_owner).toBe('elsewhere 1 x');
  });
});

test('on PostgreSQL a machine whose clock is a minute ahead takes no lease from a live process', async () => {
  const clock = turnableClock(Date.now());
  await using app = await openTestApp({ dialect: 'postgres', clock });
  const slow = gate();
  const done: string[] = [];
  app.jobs.define('held', async () => {
    await slow.opened;
    done.push('holder');
  });
  await put(app, 'held');
  const first = app.jobs.drain();
  await expect.poll(async () => (await rows(app, 'held'))[0]?.lease_owner ?? null).not.toBeNull();
  const ahead = createJobs({ ...app, clock: { now: () => Date.now() + 60_000 }, log: createLog('silent') });
  ahead.define('held', async () => void done.push('thief'));
  await ahead.drain();
  slow.open();
  await first;
  expect(done).toEqual(['holder']);
});
