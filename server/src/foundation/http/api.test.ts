import Type from 'typebox';
import { ALL_SCOPES, endpoint } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock } from '../../../testing/index.ts';
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
});
