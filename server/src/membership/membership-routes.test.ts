import { driveApi, membershipApi } from '@bowerbird/contract';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, upload } from '../../testing/index.ts';

eachDatabase((dialect) => {
  test('monthly traffic counts the bytes actually transferred, and restarts on the first in Singapore time', async () => {
    const clock = turnableClock(Date.UTC(2026, 10, 30, 15, 0));
    await using app = await openTestApp({ dialect, clock, environment: { OFFLINE_TRAFFIC: '1 GB' } });
    const ann = await app.signUp('ann');
    const quantities = () =>
      ann.call(membershipApi.quantities, { query: { type: 'transfer', limit: '200' } });
    const file = await upload(app, ann, 'egg.txt', 'x'.repeat(1000));
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const { web_content_link: link } = await ann.call(driveApi.get, { params: { id: file.id }, query: {} });
    const { pathname, search } = new URL(link);
    for (const range of ['bytes=0-99', ''])
      await (
        await fetch(`http://127.0.0.1:${port}${pathname}${search}`, range ? { headers: { range } } : {})
      ).arrayBuffer();
    const { transfer, base, data, has_more: more } = await quantities();
    expect(transfer).toMatchObject({
      upload: { assets: 1000, size: 1000, total_assets: -1 },
      download: { assets: 1100, total_assets: -1 },
      offline: { assets: 0, total_assets: 31 * 2 ** 30 },
    });
    expect(base).toMatchObject({ user_id: ann.id, size: 1000, expire_time: '' });
    expect({ data, more }).toEqual({ data: [], more: false });
    clock.advance(61 * 60 * 1000);
    expect((await quantities()).transfer.upload.assets).toBe(0);
  });

  test('everybody has the free plan, which does not expire', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const plan = { expire: '', status: 'invalid', type: 'novip', user_id: ann.id };
    expect(await ann.call(membershipApi.vip, {})).toMatchObject({ result: 'ACCEPTED', data: plan });
    expect(await ann.call(membershipApi.vipByPost, {})).toMatchObject({ data: plan });
    expect(await ann.call(membershipApi.info, {})).toEqual({ data: { ...plan, vipItem: [] } });
  });

  test('a member’s invitation code stays the same and is unique, however often it is requested at once', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const asked = await Promise.all(Array.from({ length: 10 }, () => ann.call(membershipApi.inviteCode, {})));
    expect(new Set(asked.map(({ code }) => code)).size).toBe(1);
    expect(asked[0]!.code).toMatch(/^[a-z2-9]{8}$/);
    expect((await bob.call(membershipApi.inviteCode, {})).code).not.toBe(asked[0]!.code);
  });

  test('anyone can see what is offered, which is nothing without the administrator’s document', async () => {
    await using plain = await openTestApp({ dialect });
    expect(await plain.visitor.call(membershipApi.offers, {})).toEqual({
      codes: false,
      free_days: 0,
      free_plan: '',
      invitations: null,
      check_in: null,
      tasks: null,
      monthly_traffic: false,
      products: [],
    });

    await using app = await openTestApp({
      dialect,
      documents: {
        external_products: {
          plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' } }],
          free_days: { days: 7 },
          invitations: { invited_days: 3, inviter_days: 14 },
        },
      },
    });
    expect(await app.visitor.call(membershipApi.offers, {}, { 'accept-language': 'ja' })).toMatchObject({
      free_days: 7,
      free_plan: '会員',
      invitations: { plan: '会員', invited_days: 3, inviter_days: 14 },
    });
  });
});
