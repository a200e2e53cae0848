import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import Type from 'typebox';
import { ALL_SCOPES, ApiFailure, endpoint } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, type TestApp } from '../../../testing/index.ts';
import { DatabaseUnavailable } from '../database/index.ts';
import { createApi } from './api.ts';
import type { Caller } from './viewer.ts';

const count = endpoint({
  name: 'test.count',
  method: 'POST',
  path: '/count',
  host: 'drive',
  credentials: 'required',
  summary: 'Counts',
  reply: Type.Object({ count: Type.Integer() }),
});
const add = endpoint({
  name: 'test.add',
  method: 'POST',
  path: '/add',
  host: 'drive',
  credentials: 'required',
  summary: 'Adds',
  body: Type.Object({ amount: Type.Integer() }),
  reply: Type.Object({ count: Type.Integer() }),
});
const caller = {
  viewer: { account: 'A', session: 'S', operator: false, by: 'token', scopes: ALL_SCOPES },
  idempotencyKey: 'once',
} as Caller;

eachDatabase((dialect) => {
  test('a repeated call with the same key takes effect once, also while the first is running', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    let counted = 0;
    api.handle(count, async () => ({ count: ++counted }));
    const racing = await Promise.allSettled(Array.from({ length: 10 }, () => api.call(count, {}, caller)));
    for (const result of racing)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ id: 'unavailable' });
    expect(await api.call(count, {}, caller)).toEqual({ count: 1 });
    expect(await api.call(count, {}, { ...caller, idempotencyKey: 'another' })).toEqual({ count: 2 });
  });

  test('a failed call can be retried with its key at once, and a call whose process was killed after a minute', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const api = createApi(app);
    const attempts: (() => Promise<{ count: number }>)[] = [
      () => Promise.reject(new Error('refused')),
      () => new Promise(() => {}),
      async () => ({ count: 3 }),
    ];
    let at = 0;
    api.handle(count, () => attempts[at++]!());
    await expect(api.call(count, {}, caller)).rejects.toThrow('refused');
    void api.call(count, {}, caller);
    await expect.poll(() => at).toBe(2);
    await expect(api.call(count, {}, caller)).rejects.toMatchObject({ id: 'unavailable' });
    clock.advance(60_001);
    expect(await api.call(count, {}, caller)).toEqual({ count: 3 });
    expect(await api.call(count, {}, caller)).toEqual({ count: 3 });
  });

  test('a key belongs to one request: another request with it is rejected and has no effect', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    let counted = 0;
    api.handle(add, async ({ body }) => ({ count: (counted += body.amount) }));
    expect(await api.call(add, { body: { amount: 1 } }, caller)).toEqual({ count: 1 });
    await expect(api.call(add, { body: { amount: 2 } }, caller)).rejects.toMatchObject({
      id: 'invalid_argument',
      facts: { field: 'Idempotency-Key' },
    });
    expect(await api.call(add, { body: { amount: 1 } }, caller)).toEqual({ count: 1 });
    // Another process has the same replies.
    const restarted = createApi(app);
    restarted.handle(add, async () => ({ count: -1 }));
    expect(await restarted.call(add, { body: { amount: 1 } }, caller)).toEqual({ count: 1 });
  });

  test('work is prepared before its transaction, and not at all if there is a reply already', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    const done: string[] = [];
    const prepare = async () => {
      // Fails within a transaction: transactions don't nest.
      await app.database.transaction(async () => void done.push('prepared'));
      return 'ready';
    };
    api.handle(count, { underKey: 'joined', prepare }, async (_call, prepared) => {
      done.push(prepared);
      return { count: 1 };
    });
    const asked = [caller, caller, { ...caller, idempotencyKey: undefined }] as Caller[];
    for (const each of asked) expect(await api.call(count, {}, each)).toEqual({ count: 1 });
    expect(done).toEqual(['prepared', 'ready', 'prepared', 'ready']);
  });

  test('a key held by a killed process of this machine is free at once', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    api.handle(count, () => new Promise(() => {}));
    void api.call(count, {}, caller);
    const owner = async () =>
      (await sql<{ owner: string }>`select owner from replay`.execute(app.database.on())).rows[0]?.owner;
    await expect.poll(owner).toBeTruthy();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [place] = (await owner())!.split(' ');
    await app.database.transaction((tx) =>
      sql`update replay set owner = ${`${place} ${pid} secret claim`}`.execute(tx.on()),
    );
    const restarted = createApi(app);
    restarted.handle(count, async () => ({ count: 1 }));
    expect(await restarted.call(count, {}, caller)).toEqual({ count: 1 });
  });

  test('work that took effect is not repeated when its reply could not be stored at first', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    let counted = 0;
    api.handle(count, async () => {
      counted += 1;
      failing = true;
      return { count: counted };
    });
    let failing = false;
    const { transaction } = app.database;
    // The connection is lost right after the change.
    Object.assign(app.database, {
      transaction: (...parameters: Parameters<typeof transaction>) =>
        failing ? Promise.reject(new DatabaseUnavailable(new Error('gone'))) : transaction(...parameters),
    });
    const first = api.call(count, {}, caller);
    await expect.poll(() => counted).toBe(1);
    await expect(api.call(count, {}, caller)).rejects.toMatchObject({ id: 'unavailable' });
    failing = false;
    expect(await first).toEqual({ count: 1 });
    expect(await api.call(count, {}, caller)).toEqual({ count: 1 });
    expect(counted).toBe(1);
  });

  /** Creates a table in which the work under test leaves a trace. */
  async function openCounter(
    app: TestApp,
  ): Promise<{ add: () => Promise<void>; count: () => Promise<number> }> {
    const { database } = app;
    await database.transaction((tx) => sql`create table trace (at bigint)`.execute(tx.on()));
    return {
      add: () =>
        database.transaction(async (tx) => void (await sql`insert into trace values (1)`.execute(tx.on()))),
      count: async () =>
        Number((await sql<{ n: number }>`select count(*) as n from trace`.execute(database.on())).rows[0]!.n),
    };
  }

  /** Makes commits succeed while their responses are lost, as when a connection breaks at that moment. */
  function loseAnswers(app: TestApp): { isLosing: boolean } {
    const state = { isLosing: false };
    const { transaction } = app.database;
    Object.assign(app.database, {
      transaction: async (...parameters: Parameters<typeof transaction>) => {
        const result = await transaction(...parameters);
        if (state.isLosing) throw new DatabaseUnavailable(new Error('gone'));
        return result;
      },
    });
    return state;
  }

  test('joined work and its reply are stored together or not at all', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    const trace = await openCounter(app);
    let isRefused = true;
    api.handle(count, { underKey: 'joined' }, async () => {
      await trace.add();
      await trace.add();
      if (isRefused) throw new ApiFailure('share_empty');
      return { count: await trace.count() };
    });
    await expect(api.call(count, {}, caller)).rejects.toMatchObject({ id: 'share_empty' });
    expect(await trace.count()).toBe(0);
    isRefused = false;
    expect(await api.call(count, {}, caller)).toEqual({ count: 2 });
    expect(await api.call(count, {}, caller)).toEqual({ count: 2 });
    expect(await trace.count()).toBe(2);
  });

  test('joined work requested many times at once runs once, and all callers get its reply', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    const trace = await openCounter(app);
    api.handle(count, { underKey: 'joined' }, async () => {
      await trace.add();
      return { count: await trace.count() };
    });
    const replies = await Promise.all(Array.from({ length: 10 }, () => api.call(count, {}, caller)));
    expect(replies).toEqual(Array.from({ length: 10 }, () => ({ count: 1 })));
    expect(await trace.count()).toBe(1);
  });

  test('when the response to the commit is lost, a retry of joined work gets the reply', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    const trace = await openCounter(app);
    const answers = loseAnswers(app);
    api.handle(count, { underKey: 'joined' }, async () => {
      await trace.add();
      const reply = { count: await trace.count() };
      answers.isLosing = true;
      return reply;
    });
    await expect(api.call(count, {}, caller)).rejects.toThrow(DatabaseUnavailable);
    answers.isLosing = false;
    expect(await trace.count()).toBe(1);
    expect(await api.call(count, {}, caller)).toEqual({ count: 1 });
    expect(await trace.count()).toBe(1);
  });

  test('separate work that failed after a change is never repeated; before any change it is', async () => {
    await using app = await openTestApp({ dialect });
    const api = createApi(app);
    const trace = await openCounter(app);
    const answers = loseAnswers(app);
    let isBroken = true;
    api.handle(count, async () => {
      if (isBroken) throw new Error('broken');
      answers.isLosing = true;
      try {
        await trace.add();
      } finally {
        answers.isLosing = false;
      }
      return { count: 1 };
    });
    await expect(api.call(count, {}, caller)).rejects.toThrow('broken');
    isBroken = false;
    await expect(api.call(count, {}, caller)).rejects.toThrow(DatabaseUnavailable);
    await expect(api.call(count, {}, caller)).rejects.toMatchObject({ id: 'outcome_unknown' });
    await expect(api.call(count, {}, caller)).rejects.toMatchObject({ id: 'outcome_unknown' });
    expect(await trace.count()).toBe(1);
  });

  test('a caller presumed dead changes nothing once another holds the key', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const trace = await openCounter(app);
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const { promise: asleep, resolve: isAsleep } = Promise.withResolvers<void>();
    const slow = createApi(app);
    slow.handle(count, async () => {
      isAsleep();
      await woken;
      await trace.add();
      return { count: 1 };
    });
    const other = createApi(app);
    other.handle(count, async () => {
      await trace.add();
      return { count: 2 };
    });
    const first = slow.call(count, {}, caller);
    await asleep;
    await expect(other.call(count, {}, caller)).rejects.toMatchObject({ id: 'unavailable' });
    clock.advance(60_001);
    expect(await other.call(count, {}, caller)).toEqual({ count: 2 });
    wake();
    await expect(first).rejects.toMatchObject({ id: 'unavailable' });
    expect(await trace.count()).toBe(1);
    expect(await slow.call(count, {}, caller)).toEqual({ count: 2 });
  });

  test('work that recognizes its key is repeated after a kill, whatever it had written', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const api = createApi(app);
    const trace = await openCounter(app);
    let isKilled = true;
    api.handle(count, { underKey: 'recognized' }, async () => {
      if ((await trace.count()) === 0) await trace.add();
      return isKilled ? new Promise<never>(() => {}) : { count: await trace.count() };
    });
    void api.call(count, {}, caller);
    await expect.poll(() => trace.count()).toBe(1);
    isKilled = false;
    clock.advance(60_001);
    expect(await api.call(count, {}, caller)).toEqual({ count: 1 });
  });
});
