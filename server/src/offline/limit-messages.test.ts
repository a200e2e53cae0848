import { expect, test } from 'vitest';
import {
  eachDatabase,
  fetchLink,
  grantBenefit,
  openTestApp,
  turnableClock,
  upload,
} from '../../testing/index.ts';

const HOUR = 3600;
const START = Date.UTC(2026, 1, 27, 15);
const PLANS = {
  external_products: { plans: [{ id: 'vip', storage: '10 MB', tasks_daily: 2, traffic_daily: 0 }] },
};

eachDatabase((dialect) => {
  const open = (environment: Record<string, string>) =>
    openTestApp({ dialect, clock: turnableClock(START), documents: PLANS, environment });
  const link = (n: number) => `https://files.example.org/${n}.bin`;

  test('a daily limit says how many there were, when there are more, and whether a plan set it', async () => {
    await using app = await open({ OFFLINE_DAILY: '1' });
    const ann = await app.signUp('ann');
    await fetchLink(ann, link(1));
    const refused = { limit: '1', retry_in: String(9 * HOUR) };
    await expect(fetchLink(ann, link(2))).rejects.toMatchObject({
      id: 'task_daily_create_limit',
      facts: refused,
      text: 'You’ve created all 1 cloud downloads of today. You can create more in 9 hours.',
    });
    await grantBenefit(app, ann, { plan: 'vip' });
    await fetchLink(ann, link(3));
    await expect(fetchLink(ann, link(4))).rejects.toMatchObject({
      id: 'task_daily_create_limit_vip',
      facts: { ...refused, limit: '2' },
    });
  });

  const SALES = {
    external_products: {
      ...PLANS.external_products,
      products: [
        { id: 'vip', kind: 'plan', plan: 'vip', terms: [{ id: 'm', months: 1, price: { USD: 499 } }] },
      ],
      bank_transfer: { recipient: 'Example Ltd', account: '1' },
    },
  };

  test('where a plan allows more, the messages mention it until the member has it', async () => {
    const environment = { OFFLINE_DAILY: '1', MEMBER_STORAGE: '1 MB' };
    await using app = await openTestApp({
      dialect,
      clock: turnableClock(START),
      documents: SALES,
      environment,
    });
    const ann = await app.signUp('ann');
    await fetchLink(ann, link(1));
    await expect(fetchLink(ann, link(2))).rejects.toMatchObject({
      facts: { more: 'plan' },
      text: expect.stringMatching(/more in 9 hours\. A plan allows more per day\.$/) as string,
    });
    await expect(upload(app, ann, 'large.bin', Buffer.alloc(2 ** 21))).rejects.toMatchObject({
      facts: { more: 'storage' },
      text: 'There isn’t enough space: 0 B of 1 MB used. Free some space, or get more.',
    });
    await grantBenefit(app, ann, { plan: 'vip' });
    await fetchLink(ann, link(3));
    const refusal: unknown = await fetchLink(ann, link(4)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ id: 'task_daily_create_limit_vip' });
    expect(refusal).not.toHaveProperty('facts.more');
  });

  test('a full drive says how much is used and how much there is', async () => {
    await using app = await open({ MEMBER_STORAGE: '1 MB' });
    const ann = await app.signUp('ann');
    await upload(app, ann, 'half.bin', Buffer.alloc(2 ** 19, 1));
    await expect(upload(app, ann, 'more.bin', Buffer.alloc(2 ** 20, 2))).rejects.toMatchObject({
      id: 'file_space_not_enough',
      facts: { used_bytes: String(2 ** 19), limit_bytes: String(2 ** 20) },
      text: 'There isn’t enough space: 512 KB of 1 MB used. Free some space and try again.',
    });
  });
});
