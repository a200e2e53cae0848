import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import Type from 'typebox';
import { ALL_SCOPES, endpoint } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock } from '../../../testing/index.ts';
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
  test('a call that is repeated with its key takes effect once, also while the first is under way', async () => {
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

  test('a call that failed may be tried again with its key at once, one whose process was killed after a minute', async () => {
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

  test('a key stands for one request: another one under it is refused, and takes no effect', async () => {
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

  test('a key that a killed process of this machine had taken is free at once', async () => {
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

  test('what took effect is not done again because its reply could not be written at first', async () => {
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
    // The connection is lost at the moment after the change.
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
});
