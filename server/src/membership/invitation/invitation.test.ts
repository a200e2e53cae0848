import { accountApi, codeApi, inviteApi, membershipApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApp } from '../../app.ts';
import { readConfig } from '../../foundation/index.ts';
import {
  callTo,
  eachDatabase,
  freshPostgres,
  openTestApp,
  runJob,
  PASSWORD,
  person,
  realServer,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 MB' }],
    free_days: { days: 7 },
    invitations: { invited_days: 3, inviter_days: 14, most_days: 30 },
  },
};
const NONE = { free_days: 0, invited_days: 0, plan: 'VIP', granted: false };

interface Visit {
  readonly address?: string;
  readonly device?: string;
}

let visits = 0;

/** Creates an account from an own network and device, unless others are given. */
async function newcomer(app: TestApp, email: string, visit: Visit = {}): Promise<Member> {
  visits += 1;
  const headers = {
    'x-forwarded-for': visit.address ?? `203.0.113.${visits % 250}`,
    'x-device-id': visit.device ?? `device${visits}`,
  };
  const grant = await person(app.http, headers).call(accountApi.signUp, {
    body: { email, password: PASSWORD, name: email.split('@')[0]! },
  });
  const accessToken = grant.access_token!;
  return {
    ...person(app.http, { ...headers, authorization: `Bearer ${accessToken}` }),
    id: grant.sub,
    email,
    password: PASSWORD,
    accessToken,
    refreshToken: grant.refresh_token!,
  };
}

const welcome = (member: Member, code?: string) =>
  member.call(inviteApi.welcome, { body: { from: 'web', ...(code && { invite_code: code }) } });
const codeOf = async (member: Member) => (await member.call(membershipApi.inviteCode, {})).code;
const infoOf = (member: Member) => member.call(inviteApi.info, {});
const listOf = async (member: Member) => (await member.call(inviteApi.list, { query: {} })).data;

const reward = (app: Pick<TestApp, 'database' | 'jobs'>) => runJob(app, 'reward-invitations');

/** Days of the plan that an account was given, by cause. */
async function daysOf(app: TestApp, { id }: Member): Promise<Record<string, number>> {
  const days: Record<string, number> = {};
  for (const { cause, length } of await app.benefits.list(app.database, id))
    days[cause] = (days[cause] ?? 0) + length! / DAY;
  return days;
}

/** Deletes an account, and everything about it. */
async function erase({ accounts, closings, erasing, database }: TestApp, { id }: Member): Promise<void> {
  await closings.order((await accounts.find(database, id))!, 'now');
  await erasing.erase(id, new AbortController().signal);
  expect(await accounts.find(database, id)).toBeUndefined();
}

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({
      dialect,
      documents: DOCUMENTS,
      ...more,
      environment: { MEMBER_STORAGE: '10 MB', TRUSTED_PROXIES: '127.0.0.1', ...more.environment },
    });

  test('a new member gets the free days once, and sees how many are left', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    let ann = await newcomer(app, 'ann@example.org');
    expect(await welcome(ann)).toEqual({ ...NONE, free_days: 7, granted: true });
    expect(await ann.call(membershipApi.vip, {})).toMatchObject({ data: { status: 'ok', type: 'platinum' } });
    expect((await app.quota.of(app.database, ann.id)).limit).toBe(50 * 2 ** 20);
    expect(await welcome(ann)).toEqual({ ...NONE, free_days: 7, granted: false });
    clock.advance(4.5 * DAY);
    ann = await signIn(app.http, ann);
    expect(await welcome(ann)).toEqual({ ...NONE, free_days: 3 });
    clock.advance(4 * DAY);
    ann = await signIn(app.http, ann);
    expect(await welcome(ann)).toEqual(NONE);
    expect(await daysOf(app, ann)).toEqual({ free_days: 7 });
    expect(await ann.call(membershipApi.vip, {})).toMatchObject({ data: { status: 'invalid' } });
  });

  test('thirty requests at once, to two processes, give the free days and those of an invitation once', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const [ann, bob] = [await newcomer(app, 'ann@example.org'), await newcomer(app, 'bob@example.org')];
      const code = await codeOf(ann);
      const there: Member = { ...bob, ...person(other.http, bob.headers) };
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, n) => welcome(n % 2 ? bob : there, code)),
      );
      expect(replies.filter(({ granted }) => granted)).toHaveLength(1);
      expect(await daysOf(app, bob)).toEqual({ free_days: 7, invite: 3 });
      await upload(app, bob, 'egg.txt', 'an egg');
      await Promise.all([reward(app), reward(other), reward(app), reward(other)]);
      expect(await daysOf(app, ann)).toEqual({ invite: 14 });
    } finally {
      await other.close();
    }
  });

  test(
    'days that a server gave before it was killed are not given again by a retry',
    { timeout: 300_000 },
    async () => {
      await using folder = await disposableFolder();
      const documents = join(folder.path, 'site.json');
      await writeFile(documents, JSON.stringify(DOCUMENTS));
      await using postgres = dialect === 'postgres' ? await disposablePostgres() : undefined;
      await using server = await realServer({
        SITE_DOCUMENTS: documents,
        ...(postgres ? { DATABASE_URL: postgres.url } : {}),
      });
      await server.start();
      const signedUp = async (name: string): Promise<string> => {
        const device = name.repeat(8);
        // Each has a device of their own, instead of the one that all test programs have.
        const call = callTo(server.origin, (url, { headers, body = '', ...request }) =>
          fetch(url, {
            ...request,
            headers: { ...headers, 'x-device-id': device },
            body: String(body).replaceAll('d'.repeat(32), device),
          }),
        );
        const body = { email: `${name}@example.org`, password: PASSWORD, name };
        return (await call(accountApi.signUp, { body })).access_token!;
      };
      const [ann, bob] = [await signedUp('ann'), await signedUp('bob')];
      const { code } = await server.call(membershipApi.inviteCode, {}, ann);
      const ask = () => server.call(inviteApi.welcome, { body: { invite_code: code } }, bob);
      await server.kill();
      await server.start({ killedAfter: 'insert into benefit' });
      await expect(ask()).rejects.toThrow(TypeError);
      await server.ended();
      await server.start();
      expect(await ask()).toEqual({ ...NONE, free_days: 7, invited_days: 3, granted: false });
      const { data } = await server.call(membershipApi.info, {}, bob);
      expect(data.vipItem.map((one) => one.surplus_day)).toEqual([10]);

      // The same is true of the inviter's days.
      await server.kill();
      const stored = await openApp(readConfig(server.environment));
      const { id } = (await stored.accounts.byEmail(stored.database, 'bob@example.org'))!;
      await stored.database.transaction((tx) =>
        stored.quota.charge(tx, id, 1, { reason: 'upload', reference: 'egg.txt' }),
      );
      await stored.close();
      const look = () => server.call(inviteApi.info, {}, ann);
      // The job that also looks may be first.
      await server.start({ killedAfter: 'insert into benefit' }).catch(() => {});
      await expect(look()).rejects.toThrow(TypeError);
      await server.ended();
      await server.start();
      for (let times = 0; times < 2; times++) expect(await look()).toMatchObject({ add_days: 14 });
    },
  );

  test.each([
    ['address with a tag', 'ann+drive@example.org'],
    ['address in capitals', 'ANN+2@EXAMPLE.org'],
  ])('a person who returns with an %s gets no days again', async (_, again) => {
    await using app = await open();
    expect(await welcome(await newcomer(app, 'ann@example.org'))).toMatchObject({ free_days: 7 });
    expect(await welcome(await newcomer(app, again))).toEqual(NONE);
    expect(await welcome(await newcomer(app, 'anna@example.org'))).toMatchObject({ free_days: 7 });
  });

  test('ten accounts of one person that ask at once, in two processes, get the days for one', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const members: Member[] = [];
      for (let n = 0; n < 10; n++) members.push(await newcomer(app, `ann+${n}@example.org`));
      const replies = await Promise.all(
        members.map((one, n) => welcome(n % 2 ? one : { ...one, ...person(other.http, one.headers) })),
      );
      expect(replies.filter(({ free_days: days }) => days > 0)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test('a person whose account was deleted gets no days again for a year, even if they had none before', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    const [ann, bob] = [await newcomer(app, 'ann@example.org'), await newcomer(app, 'bob@example.org')];
    await welcome(ann);
    for (const one of [ann, bob]) await erase(app, one);
    for (const { email } of [ann, bob]) expect(await welcome(await newcomer(app, email))).toEqual(NONE);
    clock.advance(366 * DAY);
    await runJob(app, 'forget-newcomers');
    const { rows } = await sql`select * from newcomer_trace`.execute(app.database.on());
    expect(rows).toEqual([]);
    expect(await welcome(await newcomer(app, 'ann+later@example.org'))).toMatchObject({ free_days: 7 });
  });

  test('one device gets free days for two accounts, and a network for ten a day; later ones get them the next day', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    const device = 'shared';
    for (const [name, days] of [
      ['a', 7],
      ['b', 7],
      ['c', 0],
    ] as const)
      expect(await welcome(await newcomer(app, `${name}@example.org`, { device }))).toMatchObject({
        free_days: days,
      });

    const address = '198.51.100.9';
    const first: Member[] = [];
    for (let n = 0; n < 10; n++) first.push(await newcomer(app, `n${n}@example.org`, { address }));
    for (const one of first) expect(await welcome(one)).toMatchObject({ free_days: 7 });
    let late = await newcomer(app, 'late@example.org', { address });
    expect(await welcome(late)).toEqual(NONE);
    // Members who come again don't occupy the network.
    clock.advance(DAY / 2);
    for (const one of first) await welcome(await signIn(app.http, one));
    clock.advance(DAY / 2);
    late = await signIn(app.http, late);
    expect(await welcome(late)).toMatchObject({ free_days: 7, granted: true });
  });

  test('an account that is older than a month gets no free days', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    const ann = await newcomer(app, 'ann@example.org');
    clock.advance(31 * DAY);
    expect(await welcome(await signIn(app.http, ann))).toEqual(NONE);
  });

  test('the invited person gets days at once, and the inviter once that person has stored something', async () => {
    await using app = await open();
    const [ann, bob] = [await newcomer(app, 'ann@example.org'), await newcomer(app, 'robert@example.org')];
    const code = await codeOf(ann);
    expect(await welcome(bob, ` ${code.toUpperCase()} `)).toEqual({
      ...NONE,
      free_days: 7,
      invited_days: 3,
      granted: true,
    });
    expect(await daysOf(app, bob)).toEqual({ free_days: 7, invite: 3 });
    await reward(app);
    expect(await listOf(ann)).toMatchObject([
      { invited_user: 'r**t', reward_source: 'relation', reward_days: 0, state: 'waiting' },
    ]);
    expect(await infoOf(ann)).toEqual({
      invited_nums: 1,
      add_days: 0,
      code,
      plan: 'VIP',
      invited_days: 3,
      inviter_days: 14,
      purchase_days: 0,
      most_days: 30,
    });

    await upload(app, bob, 'egg.txt', 'an egg');
    await reward(app);
    await reward(app);
    expect(await listOf(ann)).toMatchObject([
      { invited_user: 'r**t', reward_source: 'invite_reward', reward_days: 14, state: 'rewarded' },
    ]);
    expect(await infoOf(ann)).toMatchObject({ invited_nums: 1, add_days: 14 });
    expect(await daysOf(app, ann)).toEqual({ invite: 14 });
    expect(await listOf(bob)).toEqual([]);

    const check = (member: Member, userid?: string) =>
      member.call(inviteApi.check, { query: userid === undefined ? {} : { userid } });
    expect(await check(bob)).toEqual({ invited: true });
    expect(await check(ann, bob.id)).toEqual({ invited: true });
    expect(await check(ann)).toEqual({ invited: false });
    expect(await check(await newcomer(app, 'eve@example.org'), bob.id)).toEqual({ invited: false });

    const told = async ({ id }: Member) =>
      (await app.domains.membership.invites.of(id)).map((one) => one.state);
    expect([await told(ann), await told(bob)]).toEqual([['rewarded'], ['rewarded']]);
  });

  test('an inviter who looks has the days at once, however often they look', async () => {
    await using app = await open();
    const [ann, bob, eve] = [
      await newcomer(app, 'ann@example.org'),
      await newcomer(app, 'bob@example.org'),
      await newcomer(app, 'eve@example.org'),
    ];
    await welcome(bob, await codeOf(ann));
    await welcome(eve, await codeOf(ann));
    await upload(app, bob, 'egg.txt', 'an egg');
    expect(await infoOf(ann)).toMatchObject({ add_days: 14 });
    await upload(app, eve, 'egg.txt', 'an egg');
    const looks = await Promise.all([listOf(ann), listOf(ann), infoOf(ann), reward(app), listOf(ann)]);
    expect(looks[0]).toMatchObject([{ state: 'rewarded' }, { state: 'rewarded' }]);
    expect(await infoOf(ann)).toMatchObject({ add_days: 28 });
    expect(await daysOf(app, ann)).toEqual({ invite: 28 });
  });

  test('an invite code can be entered like an activation code', async () => {
    await using app = await open();
    const [ann, bob, eve] = [
      await newcomer(app, 'ann@example.org'),
      await newcomer(app, 'bob@example.org'),
      await newcomer(app, 'eve@example.org'),
    ];
    await welcome(bob);
    const code = await codeOf(ann);
    const enter = (member: Member, typed: string) =>
      member.call(codeApi.redeem, { body: { activation_code: typed } });
    for (let times = 0; times < 2; times++)
      expect(await enter(bob, ` ${code.toUpperCase()}`)).toMatchObject({
        result: 'ACCEPTED',
        add_days: 3,
        data: { kind: 'plan', name: 'VIP' },
      });
    expect(await daysOf(app, bob)).toEqual({ free_days: 7, invite: 3 });
    await expect(enter(bob, await codeOf(eve))).rejects.toMatchObject({ id: 'activation_code_reused' });
    await expect(enter(ann, code)).rejects.toMatchObject({
      id: 'invalid_activation_code',
      text: 'This is an invite code. Only new members who haven’t been invited yet can use it.',
    });
    await expect(enter(bob, 'abcdefgh')).rejects.toMatchObject({ id: 'invalid_activation_code' });
    expect(await infoOf(ann)).toMatchObject({ invited_nums: 1 });
  });

  test('a second code changes nothing, and neither does the own one', async () => {
    await using app = await open();
    const [ann, bob, eve] = [
      await newcomer(app, 'ann@example.org'),
      await newcomer(app, 'bob@example.org'),
      await newcomer(app, 'eve@example.org'),
    ];
    await welcome(bob, await codeOf(ann));
    expect(await welcome(bob, await codeOf(eve))).toMatchObject({ invited_days: 3, granted: false });
    expect(await welcome(ann, await codeOf(ann))).toMatchObject({ invited_days: 0 });
    expect([await infoOf(ann), await infoOf(eve)]).toMatchObject([{ invited_nums: 1 }, { invited_nums: 0 }]);
  });

  test('an inviter gets no more days than the document says, even in two processes at once', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const ann = await newcomer(app, 'ann@example.org');
      const code = await codeOf(ann);
      for (let n = 0; n < 4; n++) {
        const friend = await newcomer(app, `friend${n}@example.org`);
        await welcome(friend, code);
        await upload(app, friend, 'egg.txt', 'an egg');
      }
      await Promise.all([reward(app), reward(other)]);
      expect(await infoOf(ann)).toMatchObject({ invited_nums: 4, add_days: 30 });
      expect((await listOf(ann)).map((one) => one.reward_days)).toEqual([0, 2, 14, 14]);
      expect(await daysOf(app, ann)).toEqual({ invite: 30 });
    } finally {
      await other.close();
    }
  });

  test('inviting oneself is recorded, but not rewarded', async () => {
    await using app = await open();
    const home = { address: '198.51.100.1', device: 'home' };
    const ann = await newcomer(app, 'ann@example.org', home);
    await welcome(ann);
    const gone = await newcomer(app, 'gone@example.org');
    await erase(app, gone);
    const code = await codeOf(ann);
    const others = [
      await newcomer(app, 'one@example.org', { device: home.device }),
      await newcomer(app, 'two@example.org', { address: home.address }),
      await newcomer(app, 'ann+3@example.org'),
      await newcomer(app, 'gone@example.org'),
    ];
    for (const one of others) {
      expect(await welcome(one, code)).toMatchObject({ invited_days: 0 });
      await upload(app, one, 'egg.txt', 'an egg');
    }
    await reward(app);
    expect((await listOf(ann)).map(({ state, reward_days: days }) => [state, days])).toEqual(
      others.map(() => ['unrewarded', 0]),
    );
    expect(await infoOf(ann)).toMatchObject({ invited_nums: 4, add_days: 0 });
    expect(await daysOf(app, ann)).toEqual({ free_days: 7 });
  });

  test('an invited person who stores nothing for ninety days brings no reward', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    let [ann, bob] = [await newcomer(app, 'ann@example.org'), await newcomer(app, 'bob@example.org')];
    await welcome(bob, await codeOf(ann));
    clock.advance(90 * DAY);
    [ann, bob] = [await signIn(app.http, ann), await signIn(app.http, bob)];
    await upload(app, bob, 'egg.txt', 'an egg');
    await reward(app);
    expect(await listOf(ann)).toMatchObject([{ state: 'unrewarded', reward_days: 0 }]);
  });

  test('the list comes in pages, the newest first', async () => {
    await using app = await open();
    const ann = await newcomer(app, 'ann@example.org');
    const code = await codeOf(ann);
    for (const name of ['abcd', 'efgh', 'ijkl'])
      await welcome(await newcomer(app, `${name}@example.org`), code);
    const page = async (begin: string | number) => {
      const { data, has_more: more } = await ann.call(inviteApi.list, { query: { begin, limit: 2 } });
      return [data.map((one) => one.invited_user), more];
    };
    expect(await page(0)).toEqual([['i**l', 'e**h'], true]);
    expect(await page('2')).toEqual([['a**d'], false]);
    expect(await page('many')).toEqual([['i**l', 'e**h'], true]);
  });

  test('guesses at invite codes are limited', async () => {
    await using app = await open();
    const ann = await newcomer(app, 'ann@example.org');
    for (let n = 0; n < 5; n++) await welcome(ann, 'abcdefgh');
    await expect(
      (async () => {
        for (let n = 0; n < 3; n++) await welcome(ann, 'abcdefgh');
      })(),
    ).rejects.toMatchObject({ id: 'too_frequent' });
  });

  test('without an offer nobody gets anything, and nothing is recorded', async () => {
    await using app = await open({ documents: {} });
    const [ann, bob] = [await newcomer(app, 'ann@example.org'), await newcomer(app, 'bob@example.org')];
    expect(await welcome(bob, await codeOf(ann))).toEqual({ ...NONE, plan: '' });
    await erase(app, bob);
    expect(await infoOf(ann)).toMatchObject({ invited_nums: 0, add_days: 0, plan: '', inviter_days: 0 });
    const { rows } = await sql`select * from newcomer_trace`.execute(app.database.on());
    expect(rows).toEqual([]);
  });
});

async function disposablePostgres(): Promise<{ url: string } & AsyncDisposable> {
  const { url, drop } = await freshPostgres();
  return { url, [Symbol.asyncDispose]: drop };
}

async function disposableFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'bowerbird-invite-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
