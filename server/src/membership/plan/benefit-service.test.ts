import { membershipApi, offlineApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApp } from '../../app.ts';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  runJob,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const MB = 2 ** 20;
const START = Date.UTC(2026, 1, 27, 12);
const PLANS = {
  external_products: {
    grace_days: 3,
    plans: [
      { id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 MB', tasks_running: 9 },
      { id: 'team', storage: '200 MB', tasks_daily: 0 },
    ],
  },
};

const limitOf = async (app: TestApp, { id }: Member): Promise<number> =>
  (await app.quota.of(app.database, id)).limit / MB;

/** Sum and rows of the ledger of an account's limit. */
async function ledgerOf({ database }: TestApp, { id }: Member) {
  const { rows } = await sql<{ amount: number; reason: string; reference: string }>`
    select amount, reason, reference from ledger where account = ${id} and resource = 'limit' order by id
  `.execute(database.on());
  return {
    sum: rows.reduce((sum, { amount }) => sum + amount, 0) / MB,
    rows: rows.map(({ amount, reason, reference }) => [amount / MB, reason, reference]),
  };
}

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({
      dialect,
      documents: PLANS,
      ...more,
      environment: { MEMBER_STORAGE: '10 MB', OFFLINE_DAILY: '5', ...more.environment },
    });

  test('a plan raises the limits for its time, and what was stored stays when it has ended', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    const allowance = () => ann.call(offlineApi.allowance, {});
    expect(await limitOf(app, ann)).toBe(10);
    expect(await allowance()).toMatchObject({ daily_limit: 5, running_limit: 5 });

    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    expect(await limitOf(app, ann)).toBe(50);
    expect(await allowance()).toMatchObject({ daily_limit: -1, running_limit: 9 });
    await upload(app, ann, 'large.bin', Buffer.alloc(15 * MB, 1));

    clock.advance(30 * DAY);
    ann = await signIn(app.http, ann);
    await runJob(app, 'update-limits');
    expect(await allowance()).toMatchObject({ daily_limit: 5, running_limit: 5 });
    expect(await limitOf(app, ann)).toBe(50);

    clock.advance(3 * DAY);
    ann = await signIn(app.http, ann);
    await runJob(app, 'update-limits');
    expect(await limitOf(app, ann)).toBe(10);
    expect((await app.quota.of(app.database, ann.id)).used).toBe(15 * MB);
    await expect(upload(app, ann, 'small.bin', 'x')).rejects.toMatchObject({ id: 'file_space_not_enough' });
    expect(await ledgerOf(app, ann)).toEqual({
      sum: 10,
      rows: [
        [10, 'plan', 'base'],
        [40, 'plan', 'vip'],
        [-40, 'plan', 'vip'],
      ],
    });
  });

  test('the wire shows the plan that lasts longest, and each plan with its days', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    await grantBenefit(app, ann, { plan: 'vip', days: 7 });
    await grantBenefit(app, ann, { plan: 'vip', days: 31 });
    await grantBenefit(app, ann, { plan: 'team', days: 1 });
    clock.advance(DAY / 2);
    ann = await signIn(app.http, ann);
    const held = { expire: '2026-04-06T12:00:00.000+00:00', status: 'ok', type: 'platinum', user_id: ann.id };
    expect(await ann.call(membershipApi.vip, {})).toMatchObject({ result: 'ACCEPTED', data: held });
    const { data } = await ann.call(membershipApi.info, {}, { 'accept-language': 'ja' });
    expect(data).toEqual({
      ...held,
      vipItem: [
        { type: 'regional', description: '会員', status: 'ok', expire: held.expire, surplus_day: 38 },
        {
          type: 'regional',
          description: 'team',
          status: 'ok',
          expire: '2026-02-28T12:00:00.000+00:00',
          surplus_day: 1,
        },
      ],
    });
    const { base } = await ann.call(membershipApi.quantities, { query: {} });
    expect(base).toMatchObject({ vip_status: 'ok', expire_time: held.expire, assets: '200M' });
  });

  test('one cause grants once, from any number of requests at once, and a failure grants nothing', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const ann = await app.signUp('ann');
      const failing = app.database.transaction(async (tx) => {
        await app.benefits.grant(tx, {
          account: ann.id,
          kind: 'storage',
          plan: '',
          bytes: MB,
          length: undefined,
          cause: 'administrator',
          reference: 'gift',
        });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await limitOf(app, ann)).toBe(10);
      const granted = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          grantBenefit(n % 2 ? app : { ...app, ...other }, ann, { bytes: MB, reference: 'gift' }),
        ),
      );
      expect(granted.filter(Boolean)).toHaveLength(1);
      expect(await limitOf(app, ann)).toBe(11);
      expect((await ledgerOf(app, ann)).sum).toBe(11);
    } finally {
      await other.close();
    }
  });

  test('parallel grants add up, and so does the ledger', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    await Promise.all([
      ...Array.from({ length: 10 }, () => grantBenefit(app, ann, { bytes: 2 * MB, days: 10 })),
      ...Array.from({ length: 10 }, () => grantBenefit(app, ann, { plan: 'vip', days: 3 })),
    ]);
    expect(await limitOf(app, ann)).toBe(70);
    expect((await ledgerOf(app, ann)).sum).toBe(70);
    const [vip] = await app.benefits.held(app.database, ann.id);
    const terms = await app.benefits.list(app.database, ann.id);
    const first = Math.min(...terms.filter(({ kind }) => kind === 'plan').map(({ startsAt }) => startsAt));
    expect(vip!.endsAt! - first).toBe(30 * DAY);
  });

  test('a revoked plan ends at once, without a grace period, and those after it move up', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    const ann = await app.signUp('ann');
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    await grantBenefit(app, ann, { plan: 'vip', days: 10 });
    const revoke = async (at: number) => {
      const { id } = (await app.benefits.list(app.database, ann.id))[at]!;
      return app.database.transaction((tx) => app.benefits.revoke(tx, ann.id, id));
    };
    clock.advance(DAY);
    expect(await revoke(0)).toBe(true);
    expect(await revoke(0)).toBe(false);
    const [vip] = await app.benefits.held(app.database, ann.id);
    expect(vip!.endsAt).toBe(START + 11 * DAY);
    expect(await limitOf(app, ann)).toBe(50);
    expect(await revoke(1)).toBe(true);
    expect(await app.benefits.held(app.database, ann.id)).toEqual([]);
    expect(await limitOf(app, ann)).toBe(10);
    expect((await ledgerOf(app, ann)).sum).toBe(10);
  });

  test('a benefit of another account cannot be revoked', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    const { id } = (await app.benefits.list(app.database, ann.id))[0]!;
    expect(await app.database.transaction((tx) => app.benefits.revoke(tx, bob.id, id))).toBe(false);
    expect(await app.benefits.held(app.database, ann.id)).toHaveLength(1);
  });

  test('storage set by an administrator replaces the free plan’s, and plans and additional storage count', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const set = (megabytes: number) =>
      app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, megabytes * MB));
    await set(20);
    await grantBenefit(app, ann, { bytes: 3 * MB });
    expect(await limitOf(app, ann)).toBe(23);
    await grantBenefit(app, ann, { plan: 'vip' });
    expect(await limitOf(app, ann)).toBe(53);
    await set(60);
    expect(await limitOf(app, ann)).toBe(63);
    await set(10);
    expect(await limitOf(app, ann)).toBe(53);
    expect((await ledgerOf(app, ann)).sum).toBe(53);
  });

  test('other settings change the limits of all members, except those that an administrator has set', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    await app.database.transaction((tx) => app.quota.setLimit(tx, bob.id, 20 * MB));
    const later = await openApp({ ...app.config, MEMBER_STORAGE: 15 * MB }, { log: app.log });
    try {
      await runJob(later, 'update-limits');
    } finally {
      await later.close();
    }
    expect([await limitOf(app, ann), await limitOf(app, bob)]).toEqual([15, 20]);
    expect((await ledgerOf(app, ann)).sum).toBe(15);
  });

  test('limits from before there were plans are kept, unless they are the free plan’s', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    await app.database.transaction(async (tx) => {
      await sql`delete from ledger`.execute(tx.on());
      await sql`update quota set storage_limit = ${12 * MB} where account = ${bob.id}`.execute(tx.on());
      await sql`update quota set limit_own = storage_limit, limit_basis = null, limit_computed_at = null`.execute(
        tx.on(),
      );
    });
    await runJob(app, 'update-limits');
    expect([await limitOf(app, ann), await limitOf(app, bob)]).toEqual([10, 12]);
    expect(await ledgerOf(app, ann)).toEqual({ sum: 10, rows: [[10, 'plan', 'base']] });
    expect(await ledgerOf(app, bob)).toEqual({ sum: 12, rows: [[12, 'administrator', 'base']] });
  });

  test('a limit that a wrong clock lowered is raised again', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    const ann = await app.signUp('ann');
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    clock.advance(400 * DAY);
    await runJob(app, 'update-limits');
    expect(await limitOf(app, ann)).toBe(10);
    clock.advance(-395 * DAY);
    const restarted = await openApp(app.config, { log: app.log, clock });
    try {
      await runJob(restarted, 'update-limits');
    } finally {
      await restarted.close();
    }
    expect(await limitOf(app, ann)).toBe(50);
    expect((await ledgerOf(app, ann)).sum).toBe(50);
  });

  test('an account that was erased meanwhile leaves nothing in the ledger', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const erase = app.domains.membership.eraseAccount;
    await erase(ann.id, new AbortController().signal);
    await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, 20 * MB));
    expect(await ledgerOf(app, ann)).toEqual({ sum: 0, rows: [] });
  });
});
