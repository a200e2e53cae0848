import { join } from 'node:path';
import { driveApi, inviteApi, statusApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  runJob,
  signIn,
  turnableClock,
  upload,
} from '../../testing/index.ts';
import { about, vip as vipAnswer } from '../../testing/clients/answers.ts';
import {
  flag,
  list,
  numeric,
  required,
  structure,
  text,
  timeOrNone,
  whole,
  word,
  type Decode,
} from '../../testing/clients/strict.ts';

// Everything that programs read about the membership of somebody with the free plan, with VIP, and with VIP that has
// ended. The replies are decoded as strictly as the strictest of these programs does, and compared byte by byte.

const DAY = 24 * 3600 * 1000;
const RECORD = join(import.meta.dirname, '../../testing/clients/golden');
const DOCUMENTS = {
  external_products: {
    grace_days: 3,
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 GB', download_monthly: '2 TB' }],
    free_days: { days: 7 },
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        name: 'VIP',
        terms: [{ id: 'month', months: 1, price: { USD: 499 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
  },
};

/** Rust programs read these into unsigned numbers. */
const unsigned: Decode<number> = (value, at) => {
  const number = whole(value, at);
  expect(number, at).toBeGreaterThanOrEqual(0);
  return number;
};
const band = structure({ info: text, total_assets: unsigned, assets: unsigned, size: unsigned });
const signedBand = structure({ info: text, total_assets: whole, assets: unsigned, size: unsigned });
const item = structure({
  type: word('regional', 'global'),
  description: required(text),
  status: word('ok'),
  expire: timeOrNone,
  surplus_day: whole,
});
const pack = structure({
  user_id: required(text),
  product: required(text),
  product_name: required(text),
  type: word('traffic', 'space'),
  activate_time: required(timeOrNone),
  expire_time: timeOrNone,
  assets: unsigned,
  size: unsigned,
  status: word('ok'),
});
const standing = {
  expire: timeOrNone,
  status: word('ok', 'invalid'),
  type: word('novip', 'platinum'),
};
const bases = {
  user_id: required(text),
  info: text,
  sub_status: flag,
  vip_status: word('ok', 'invalid'),
  expire_time: timeOrNone,
  assets: required(text),
  size: unsigned,
};
const CALLS: readonly [url: string, decode: Decode<unknown>, method?: 'POST'][] = [
  ['/drive/v1/privilege/vip', vipAnswer],
  ['/drive/v1/privilege/vip', vipAnswer, 'POST'],
  ['/vip/v1/vip/info', structure({ data: structure({ ...standing, user_id: text, vipItem: list(item) }) })],
  ['/drive/v1/about', about],
  [
    '/vip/v1/quantity/list?type=transfer&limit=200',
    structure({
      transfer: structure({ offline: signedBand, download: signedBand, upload: signedBand }),
      data: list(pack),
      has_more: flag,
      base: structure({ ...bases, offline: band, download: band, upload: band, download_daily: band }),
    }),
  ],
  [
    '/vip/v1/space/list?limit=100',
    structure({ data: list(pack), has_more: flag, size: numeric, vip_status: text, base: structure(bases) }),
  ],
  [
    '/vip/v1/allSubscriptionStatus',
    structure({
      sub_status: flag,
      data: list(structure({ product: text, status: word('ok'), sub_status: flag, expire_time: timeOrNone })),
    }),
  ],
  [
    '/vip/v1/user',
    structure({
      userId: required(text),
      premium: flag,
      ...standing,
      limit: required(numeric),
      usage: required(numeric),
      overFreeTaskLimit: flag,
      overStorageLimit: flag,
      freeDays: unsigned,
      getFreeVipCalled: flag,
      vipInfo: structure({ vipItem: list(item) }),
    }),
  ],
  [
    '/vip/v1/task/status?scene=free_vip',
    structure({ data: structure({ result: text, rewarded: flag, bot_checked: flag }) }),
  ],
  [
    '/vip/v1/activity/upgradeToPro',
    structure({ result: word('ACCEPTED'), message: text, redirect_uri: text }),
    'POST',
  ],
];

eachDatabase((dialect) => {
  test('the replies about a free, a VIP and an expired member are the recorded ones, byte by byte', async () => {
    const clock = turnableClock(Date.UTC(2026, 10, 27, 12));
    await using app = await openTestApp({
      dialect,
      clock,
      documents: DOCUMENTS,
      environment: { MEMBER_STORAGE: '10 GB', MONTHLY_DOWNLOAD: '50 GB', OFFLINE_TRAFFIC: '5 GB' },
    });
    let ann = await app.signUp('ann');
    await upload(app, ann, 'egg.txt', 'an egg');
    /** All replies, decoded and as text. */
    const replies = async (): Promise<string> => {
      const texts: string[] = [];
      for (const [url, decode, method = 'GET'] of CALLS) {
        const reply = await ann.inject({ method, url, ...(method === 'POST' ? { payload: {} } : {}) });
        expect(reply.statusCode, url).toBe(200);
        expect(reply.headers['content-type']).toContain('application/json');
        expect(reply.json()).not.toHaveProperty('error');
        decode(reply.json(), url);
        texts.push(`${method} ${url}\n${reply.payload.replaceAll(ann.id, '<1>')}\n`);
      }
      return texts.join('\n');
    };
    const expectRecorded = async (state: string): Promise<void> =>
      expect(await replies()).toMatchFileSnapshot(join(RECORD, `membership-${state}.txt`));
    const wait = async (days: number): Promise<void> => {
      clock.advance(days * DAY);
      ann = await signIn(app.http, ann);
      await runJob(app, 'update-limits');
    };

    await expectRecorded('free');
    await ann.call(inviteApi.welcome, { body: { from: 'web' } });
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    await grantBenefit(app, ann, { bytes: 5 * 2 ** 30, days: 10 });
    await app.database.transaction((tx) =>
      app.benefits.grant(tx, {
        account: ann.id,
        kind: 'traffic',
        plan: '',
        bytes: 2 ** 40,
        length: 30 * DAY,
        cause: 'administrator',
        reference: 'pack',
      }),
    );
    await wait(2);
    await expectRecorded('vip');
    await wait(39);
    await expectRecorded('expired');
    expect((await ann.call(driveApi.about, { query: {} })).quota.limit).toBe(String(10 * 2 ** 30));
  });

  test('free days that wait for another plan to end are counted from their beginning, everywhere alike', async () => {
    await using app = await openTestApp({ dialect, documents: DOCUMENTS });
    const ann = await app.signUp('ann');
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    expect(await ann.call(inviteApi.welcome, { body: {} })).toMatchObject({ free_days: 7 });
    expect(await ann.call(statusApi.user, {})).toMatchObject({ freeDays: 7, getFreeVipCalled: true });
  });

  test('somebody who has used up everything sees it in their record, and someone with endless VIP sees no end', async () => {
    await using app = await openTestApp({
      dialect,
      environment: { MEMBER_STORAGE: '1 KB', OFFLINE_DAILY: '1' },
    });
    const ann = await app.signUp('ann');
    const record = async () => (await ann.inject({ url: '/vip/v1/user' })).json<Record<string, unknown>>();
    expect(await record()).toMatchObject({
      premium: false,
      overFreeTaskLimit: false,
      overStorageLimit: false,
      getFreeVipCalled: false,
    });
    await upload(app, ann, 'full.bin', Buffer.alloc(1024, 1));
    await ann.call(driveApi.create, {
      body: {
        kind: 'drive#file',
        upload_type: 'UPLOAD_TYPE_URL',
        parent_id: '',
        url: { url: 'https://example.org/a.bin' },
      },
    });
    expect(await record()).toMatchObject({ overFreeTaskLimit: true, overStorageLimit: true, usage: '1024' });
    await grantBenefit(app, ann, { plan: 'vip' });
    expect(await record()).toMatchObject({
      premium: true,
      expire: '',
      status: 'ok',
      overFreeTaskLimit: false,
      overStorageLimit: false,
      vipInfo: { vipItem: [{ surplus_day: -1, expire: '' }] },
    });
    // Nothing is sold here.
    const upgrade = await ann.inject({ method: 'POST', url: '/vip/v1/activity/upgradeToPro', payload: {} });
    expect(upgrade.json()).toEqual({ result: 'ACCEPTED', message: '', redirect_uri: '' });
  });
});
