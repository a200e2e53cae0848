import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock } from '../../testing/index.ts';
import { createKeys } from '../foundation/index.ts';
import { createShield, type GuardRules } from './index.ts';
import { networkOf } from './shield.ts';

const RULES: GuardRules = {
  error: 'account_locked_retry',
  pair: { free: 3, firstWaitSeconds: 2, longestWaitSeconds: 60, forgetSeconds: 3600 },
  network: { free: 10, firstWaitSeconds: 2, longestWaitSeconds: 60, forgetSeconds: 3600 },
  target: { free: 6, firstWaitSeconds: 4, longestWaitSeconds: 30, forgetSeconds: 3600 },
};

const refusal = { id: 'account_locked_retry' };

eachDatabase((dialect) => {
  async function setUp() {
    const clock = turnableClock();
    const app = await openTestApp({ dialect, clock });
    const parts = { ...app, clock, keys: createKeys(Buffer.alloc(32)) };
    const { shield } = createShield(parts);
    return {
      app,
      clock,
      parts,
      guard: shield.guard('test', RULES),
      [Symbol.asyncDispose]: () => app.close(),
    };
  }

  test('a wait that a wrong clock made too long is over, and the next failure starts one of the right length', async () => {
    await using place = await setUp();
    const { guard, clock } = place;
    clock.advance(25 * 3600_000);
    for (let failure = 0; failure < 3; failure++) await guard.attempt('ann', '192.0.2.1');
    expect(await guard.attempt('ann', '192.0.2.1')).toBe(2);
    clock.advance(-25 * 3600_000);
    await guard.check('ann', '192.0.2.1');
    expect(await guard.attempt('ann', '192.0.2.1')).toBe(4);
    await expect(guard.attempt('ann', '192.0.2.1')).rejects.toMatchObject(refusal);
    clock.advance(4_000);
    expect(await guard.attempt('ann', '192.0.2.1')).toBe(8);
  });

  test('a few failures are free, then the wait doubles up to a limit', async () => {
    await using place = await setUp();
    const { guard, clock } = place;
    for (let failure = 0; failure < 3; failure++) expect(await guard.attempt('ann', '192.0.2.1')).toBe(0);
    const waits: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      const wait = await guard.attempt('ann', '192.0.2.1');
      waits.push(wait);
      await expect(guard.attempt('ann', '192.0.2.1')).rejects.toMatchObject({
        ...refusal,
        facts: { retry_in: String(wait) },
      });
      clock.advance(wait * 1000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('a wait of minutes is called a lock, which ends by itself too', async () => {
    await using place = await setUp();
    const { shield } = createShield(place.parts);
    const pair = { free: 0, firstWaitSeconds: 60, longestWaitSeconds: 120, forgetSeconds: 3600 };
    const guard = shield.guard('slow', { error: 'account_locked_retry', pair });
    const attempt = () => guard.attempt('ann', '192.0.2.1');
    expect(await attempt()).toBe(60);
    await expect(attempt()).rejects.toMatchObject({ code: 4013, facts: { retry_in: '60' } });
    place.clock.advance(60_000);
    expect(await attempt()).toBe(120);
    await expect(attempt()).rejects.toMatchObject({ code: 4011, facts: { retry_in: '120' } });
    place.clock.advance(120_000);
    expect(await attempt()).toBe(120);
  });

  test('the owner gets in from another network while strangers guess', async () => {
    await using place = await setUp();
    const { guard } = place;
    for (let stranger = 0; stranger < 8; stranger++) await guard.attempt('ann', `198.51.100.${stranger}`);
    await expect(guard.attempt('ann', '198.51.100.0')).rejects.toMatchObject(refusal);
    await guard.attempt('ann', '192.0.2.1');
    await guard.succeed('ann', '192.0.2.1');
    await guard.attempt('ann', '192.0.2.1');
  });

  test('one network that tries many targets is slowed down, other networks are not', async () => {
    await using place = await setUp();
    const { guard } = place;
    for (let target = 0; target <= 10; target++) await guard.attempt(`member ${target}`, '2001:db8:1:2:a::1');
    await expect(guard.attempt('ann', '2001:db8:1:2:b::2')).rejects.toMatchObject(refusal);
    await guard.attempt('ann', '2001:db8:1:3::1');
  });

  test('parallel attempts are counted one by one', async () => {
    await using place = await setUp();
    const { guard } = place;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => guard.attempt('ann', '192.0.2.1')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  test('successful attempts cost their network nothing', async () => {
    await using place = await setUp();
    const { guard } = place;
    for (let time = 0; time < 40; time++) {
      await guard.attempt('ann', '192.0.2.1');
      await guard.succeed('ann', '192.0.2.1');
    }
    await guard.check('ann', '192.0.2.1');
  });

  test('a successful attempt resets the count of its network for this target only', async () => {
    await using place = await setUp();
    const { guard } = place;
    for (let failure = 0; failure < 3; failure++) await guard.attempt('ann', '192.0.2.1');
    await guard.succeed('ann', '192.0.2.1');
    for (let failure = 0; failure < 3; failure++) expect(await guard.attempt('ann', '192.0.2.1')).toBe(0);
    expect(await guard.attempt('ann', '192.0.2.1')).toBe(2);
  });

  test('failures are forgotten, and their rows deleted', async () => {
    await using place = await setUp();
    const { guard, clock, app, parts } = place;
    for (let failure = 0; failure < 4; failure++) await guard.attempt('ann', '192.0.2.1');
    await expect(guard.check('ann', '192.0.2.1')).rejects.toMatchObject(refusal);
    clock.advance(3 * 3600 * 1000);
    expect(await guard.attempt('ann', '192.0.2.1')).toBe(0);
    const rows = () =>
      app.database.on<{ throttle: { key: string } }>().selectFrom('throttle').selectAll().execute();
    expect(await rows()).toHaveLength(3);
    clock.advance(3 * 3600 * 1000);
    const jobs = new Map<string, () => Promise<void>>();
    createShield(parts).define({
      define: (kind: string, work: () => Promise<void>) => jobs.set(kind, work),
    } as never);
    await jobs.get('forget-failures')!();
    expect(await rows()).toEqual([]);
  });
});

test('an IPv6 network is its /64, and a mapped address is its IPv4 address', () => {
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2');
  expect(networkOf('2001:DB8::2:0:0:9')).toBe('2001:db8:0:0');
  expect(networkOf('2001:0db8:0000:0002:0000::1')).toBe('2001:db8:0:2');
  expect(networkOf('2001:db8:0:2::1%eth0')).toBe('2001:db8:0:2');
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
});
