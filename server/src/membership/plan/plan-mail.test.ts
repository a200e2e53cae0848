import { accountApi, unsubscribeApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApp } from '../../app.ts';
import {
  eachDatabase,
  grantBenefit,
  mailServer,
  openTestApp,
  runJob,
  signIn,
  turnableClock,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const START = Date.UTC(2026, 0, 31, 12);
const PLANS = {
  external_products: { grace_days: 7, plans: [{ id: 'vip', name: { 'en-US': 'VIP', ru: 'ВИП' } }] },
};

eachDatabase((dialect) => {
  /** A member, and the subjects of the emails about plans that they got so far. */
  async function place(days: number | undefined, locale = 'en-US') {
    const server = await mailServer();
    const clock = turnableClock(START);
    const app = await openTestApp({
      dialect,
      clock,
      documents: PLANS,
      environment: { SMTP_URL: server.url, SITE_URL: 'https://drive.test' },
    });
    const ann = await app.accounts.add(
      { email: 'ann@example.org', password: 'blue feathers 27', name: 'Ann' },
      'member',
    );
    await app.database.transaction((tx) =>
      sql`update account set locale = ${locale} where id = ${ann.id}`.execute(tx.on()),
    );
    const grant = (length: number | undefined, plan = 'vip') =>
      grantBenefit(app, ann, { plan, days: length });
    await grant(days);
    const run = (one: Pick<typeof app, 'database' | 'jobs'> = app) => runJob(one, 'remind-plans');
    return {
      app,
      ann,
      clock,
      server,
      grant,
      run,
      /** Lets days pass, with the job running once on each of them. */
      async pass(count: number) {
        for (let day = 0; day < count; day += 1) {
          clock.advance(DAY);
          await run();
        }
      },
      subjects: () =>
        server.mails.map(({ subject }) => subject).filter((subject) => /VIP|ВИП/.test(subject ?? '')),
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  test('the end of a plan is announced a week before, a day before, and when the grace period begins', async () => {
    await using it = await place(30);
    const [ending, ended] = ['Your VIP plan ends on 2026-03-02', 'Your VIP plan has ended'];
    await it.pass(22);
    expect(it.subjects()).toEqual([]);
    await it.pass(1);
    expect(it.subjects()).toEqual([ending]);
    await it.pass(5);
    expect(it.subjects()).toEqual([ending]);
    await it.pass(1);
    expect(it.subjects()).toEqual([ending, ending]);
    await it.pass(20);
    expect(it.subjects()).toEqual([ending, ending, ended]);
    const { text } = it.server.mails.at(-1)!;
    expect(text).toContain('Nothing has been deleted');
    expect(text).toContain('until 2026-03-09');
    expect(text).toMatch(/https:\/\/drive\.test\/unsubscribe\?d=\S+/);
  });

  test('several processes that are restarted announce it once', async () => {
    await using it = await place(30);
    it.clock.advance(23 * DAY);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => openApp(it.app.config, { log: it.app.log, clock: it.clock })),
    );
    try {
      await Promise.all([it.app, ...others].map((one) => it.run(one)));
      await Promise.all([it.app, ...others].map((one) => it.run(one)));
    } finally {
      for (const one of others) await one.close();
    }
    expect(it.subjects()).toHaveLength(1);
  });

  test('a term that another of the same plan follows is not announced, until that one is revoked', async () => {
    await using it = await place(30);
    await it.grant(10);
    await it.grant(5, 'vip');
    await it.pass(31);
    expect(it.subjects()).toEqual([]);
    const all = await it.app.benefits.list(it.app.database, it.ann.id);
    for (const { id } of all.slice(1))
      await it.app.database.transaction((tx) => it.app.benefits.revoke(tx, it.ann.id, id));
    await it.run();
    expect(it.subjects()).toEqual(['Your VIP plan has ended']);
  });

  test('after a pause only the last announcement is sent, and none after the grace period', async () => {
    await using one = await place(30);
    one.clock.advance(29.5 * DAY);
    await one.run();
    expect(one.subjects()).toEqual(['Your VIP plan ends on 2026-03-02']);
    one.clock.advance(30 * DAY);
    await one.run();
    expect(one.subjects()).toHaveLength(1);
  });

  test('a short term is not announced right after it was granted, and an endless one never', async () => {
    await using short = await place(1);
    await short.run();
    await short.pass(3);
    expect(short.subjects()).toEqual(['Your VIP plan has ended']);
    await using endless = await place(undefined);
    await endless.grant(10);
    await endless.pass(20);
    expect(endless.subjects()).toEqual([]);
  });

  test('the emails are in the member’s language, and can be unsubscribed from', async () => {
    await using it = await place(30, 'ru');
    await it.pass(23);
    expect(it.subjects()).toEqual(['Тариф «ВИП» закончится 2026-03-02']);
    const d = /unsubscribe\?d=(\S+)/.exec(it.server.mails.at(-1)!.text!)![1]!;
    expect(await it.app.visitor.call(unsubscribeApi.look, { query: { d } })).toMatchObject({
      scene: 'plan_end',
      subscribed: true,
    });
    await it.app.visitor.call(unsubscribeApi.act, { query: { d } });
    await it.pass(10);
    expect(it.subjects()).toHaveLength(1);
    const ann = await signIn(it.app.http, {
      email: 'ann@example.org',
      password: 'blue feathers 27',
    } as never);
    expect(await ann.call(accountApi.me, {})).toMatchObject({ plan_mail: false, new_device_mail: true });
    await ann.call(accountApi.changeMe, { body: { plan_mail: true } });
    expect(await ann.call(accountApi.me, {})).toMatchObject({ plan_mail: true });
  });
});
