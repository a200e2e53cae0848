import { driveApi, ledgerApi, membershipApi, orderApi, shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  fetchLink,
  grantBenefit,
  openTestApp,
  shareOfAnn,
  turnableClock,
  upload,
  visitorAt,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const MB = 2 ** 20;
const MINUTE = 60_000;
/** Noon of November 27, 2026 in UTC; December begins in Singapore at 16:00 on November 30. */
const START = Date.UTC(2026, 10, 27, 12);
const DECEMBER = Date.UTC(2026, 10, 30, 16);
const SECONDS_LEFT = (DECEMBER - START) / 1000;
const half = (fill: number): Buffer => Buffer.alloc(MB / 2, fill);

eachDatabase((dialect) => {
  const open = (environment: Record<string, string>, documents?: object) =>
    openTestApp({
      dialect,
      clock: turnableClock(START),
      environment,
      ...(documents ? { documents } : {}),
    });
  const pack = (app: TestApp, ann: Member, bytes: number, minutes: number) =>
    app.database.transaction((tx) =>
      app.benefits.grant(tx, {
        account: ann.id,
        kind: 'traffic',
        plan: '',
        bytes,
        length: minutes * MINUTE,
        cause: 'administrator',
        reference: app.ids.next(),
      }),
    );
  const quantities = (who: Member) =>
    who.call(membershipApi.quantities, { query: { type: 'transfer', limit: '200' } });
  const linkOf = async (who: Member, id: string): Promise<string> => {
    const { web_content_link: link } = await who.call(driveApi.get, { params: { id }, query: {} });
    const { pathname, search } = new URL(link);
    return pathname + search;
  };
  const get = (app: TestApp, url: string, range?: string) =>
    app.http.inject({ url, ...(range ? { headers: { range } } : {}) });

  test('uploads stop when the month is used up, with the numbers and the time of the next month', async () => {
    await using app = await open({ MONTHLY_UPLOAD: '1 MB' });
    const ann = await app.signUp('ann');
    await upload(app, ann, 'one.bin', half(1));
    await expect(upload(app, ann, 'more.bin', Buffer.alloc(MB / 2 + 1, 2))).rejects.toMatchObject({
      id: 'traffic_upload_limit',
      code: 12,
      status: 400,
      facts: { used_bytes: String(MB / 2), limit_bytes: String(MB), retry_in: String(SECONDS_LEFT) },
      text: 'There isn’t enough traffic left for uploads this month: 512 KB of 1 MB used. It resets in 4 days.',
    });
    await upload(app, ann, 'two.bin', half(2));
    const { transfer } = await quantities(ann);
    expect(transfer.upload).toEqual({
      info: '',
      total_assets: MB,
      assets: MB,
      size: MB,
      reset_time: '2026-11-30T16:00:00.000+00:00',
    });
    expect(await ann.call(ledgerApi.traffic, {})).toMatchObject({
      reset_time: '2026-11-30T16:00:00.000+00:00',
      kinds: [
        { kind: 'offline', used: '0', limit: '-1' },
        { kind: 'download', used: '0', limit: '-1' },
        { kind: 'upload', used: String(MB), limit: String(MB) },
        { kind: 'shared', used: '0', limit: '-1' },
      ],
    });
  });

  test('of parallel uploads only those begin that fit', async () => {
    await using app = await open({ MONTHLY_UPLOAD: '1 MB' });
    const ann = await app.signUp('ann');
    const tickets = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => askTicket(ann, { name: `${at}.bin`, size: MB / 4 })),
    );
    const begun = tickets.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(begun).toHaveLength(4);
    for (const one of tickets)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ id: 'traffic_upload_limit' });
    await expect(askTicket(ann, { name: 'next.bin', size: 1 })).rejects.toMatchObject({
      id: 'traffic_upload_limit',
    });
    expect((await quantities(ann)).transfer.upload.assets).toBe(0);
  });

  test('a month starts at midnight in Singapore, and a clock that is set back counts in the month before', async () => {
    const clock = turnableClock(DECEMBER - MINUTE);
    await using app = await openTestApp({ dialect, clock, environment: { MONTHLY_UPLOAD: '1 MB' } });
    const ann = await app.signUp('ann');
    await upload(app, ann, 'november.bin', Buffer.alloc(MB, 1));
    clock.advance(MINUTE - 1);
    await expect(upload(app, ann, 'a.bin', half(2))).rejects.toMatchObject({ facts: { retry_in: '1' } });
    clock.advance(1);
    await upload(app, ann, 'december.bin', half(3));
    expect((await quantities(ann)).transfer.upload).toMatchObject({
      assets: MB / 2,
      reset_time: '2026-12-31T16:00:00.000+00:00',
    });
    clock.advance(-2);
    expect((await quantities(ann)).transfer.upload.assets).toBe(MB);
    await expect(upload(app, ann, 'b.bin', half(4))).rejects.toMatchObject({ id: 'traffic_upload_limit' });
  });

  test('downloads count what is sent, and stop once nothing is left', async () => {
    await using app = await open({ MONTHLY_DOWNLOAD: '1 MB' });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'film.bin', Buffer.alloc(MB, 1));
    const link = await linkOf(ann, file.id);
    expect((await get(app, link, 'bytes=0-524287')).statusCode).toBe(206);
    expect((await get(app, link, 'bytes=0-0')).statusCode).toBe(206);
    expect((await app.http.inject({ method: 'HEAD', url: link })).statusCode).toBe(200);
    expect((await quantities(ann)).transfer.download).toMatchObject({ assets: MB / 2 + 1, total_assets: MB });
    // The last download may be longer than what is left.
    expect((await get(app, link)).statusCode).toBe(200);
    const refused = await get(app, link);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ error: 'traffic_download_limit', error_code: 12 });
    expect((await app.http.inject({ method: 'HEAD', url: link })).statusCode).toBe(200);
    const asked = (usage?: string) =>
      ann.call(driveApi.get, { params: { id: file.id }, query: usage ? { usage } : {} });
    await expect(asked('FETCH')).rejects.toMatchObject({ id: 'traffic_download_limit' });
    expect(await asked()).toMatchObject({ id: file.id });
  });

  test('of parallel downloads, only one exceeds what is left', async () => {
    await using app = await open({ MONTHLY_DOWNLOAD: '1 MB' });
    const ann = await app.signUp('ann');
    const file = await upload(app, ann, 'film.bin', Buffer.alloc(MB - 1, 1));
    const link = await linkOf(ann, file.id);
    const replies = await Promise.all(Array.from({ length: 10 }, () => get(app, link)));
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    expect((await quantities(ann)).transfer.download.assets).toBe(2 * (MB - 1));
  });

  test('visitors of shares can’t use up the downloads of the owner, and learn nothing about them', async () => {
    await using app = await open({ MONTHLY_DOWNLOAD: '8 B' });
    const { ann, ids, shareId } = await shareOfAnn(app, { pass_code_option: 'NOT_REQUIRED' });
    const visitor = visitorAt(app, '203.0.113.5', { 'x-device-id': 'one' });
    const { file_info: file } = await visitor.call(shareApi.fileInfo, {
      query: { share_id: shareId, file_id: ids['list.txt']! },
    });
    const { pathname, search } = new URL(file!.web_content_link);
    expect((await visitor.inject({ url: pathname + search })).statusCode).toBe(200);
    const refused = await visitor.inject({ url: pathname + search });
    expect(refused.json()).toMatchObject({ error: 'traffic_shared_limit', error_code: 12 });
    expect(refused.json().details[0].metadata).toEqual({ retry_in: String(SECONDS_LEFT) });
    expect((await get(app, await linkOf(ann, ids['list.txt']!))).statusCode).toBe(200);
    expect((await quantities(ann)).transfer.download.assets).toBe('blue things'.length);
  });

  test('cloud downloads stop when the month is used up', async () => {
    await using app = await open({ MONTHLY_OFFLINE: '1 MB' });
    const ann = await app.signUp('ann');
    await fetchLink(ann, 'https://files.example.org/1.bin');
    await app.database.transaction((tx) =>
      app.quota.charge(tx, ann.id, MB, { reason: 'offline', reference: 'task' }),
    );
    await expect(fetchLink(ann, 'https://files.example.org/2.bin')).rejects.toMatchObject({
      id: 'traffic_offline_limit',
      facts: { used_bytes: String(MB), limit_bytes: String(MB) },
    });
    expect((await quantities(ann)).transfer.offline).toMatchObject({ assets: MB, total_assets: MB });
  });

  test('packs add up while they run, and are gone when they end; a plan without a limit needs none', async () => {
    const clock = turnableClock(START);
    await using app = await openTestApp({ dialect, clock, environment: { MONTHLY_UPLOAD: '1 MB' } });
    const ann = await app.signUp('ann');
    await pack(app, ann, MB, 10);
    await pack(app, ann, 2 * MB, 20);
    await upload(app, ann, 'big.bin', Buffer.alloc(2.5 * MB, 1));
    const { transfer, data } = await quantities(ann);
    expect(transfer.upload).toMatchObject({ assets: 2.5 * MB, total_assets: 4 * MB });
    expect(transfer.download.total_assets).toBe(-1);
    expect(data).toMatchObject([
      { product_name: '1 MB', assets: MB, size: MB, expire_time: '2026-11-27T12:10:00.000+00:00' },
      { product_name: '2 MB', assets: 2 * MB, size: MB / 2, expire_time: '2026-11-27T12:20:00.000+00:00' },
    ]);
    clock.advance(10 * MINUTE);
    expect((await quantities(ann)).transfer.upload.total_assets).toBe(3 * MB);
    clock.advance(10 * MINUTE);
    expect((await quantities(ann)).transfer.upload.total_assets).toBe(MB);
    await expect(upload(app, ann, 'a.bin', half(2))).rejects.toMatchObject({ id: 'traffic_upload_limit' });
    await grantBenefit(app, ann, { plan: 'vip', days: 30 });
    await upload(app, ann, 'a.bin', half(2));
    expect((await quantities(ann)).transfer.upload).toEqual({
      info: '',
      total_assets: -1,
      assets: 3 * MB,
      size: 3 * MB,
    });
  });

  test('where packs are sold, the message mentions them, and a payment adds one', async () => {
    await using app = await open(
      { MONTHLY_UPLOAD: '1 MB' },
      {
        external_products: {
          products: [
            {
              id: 'pack',
              kind: 'traffic',
              bytes: '1 GB',
              name: '1 GB',
              terms: [{ id: 'month', months: 1, price: { USD: 99 } }],
            },
          ],
          bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
        },
      },
    );
    const ann = await app.signUp('ann');
    const sent = () => upload(app, ann, 'a.bin', Buffer.alloc(MB + 1, 1));
    await expect(sent()).rejects.toMatchObject({
      text: expect.stringContaining('get a traffic pack'),
    });
    expect((await app.visitor.call(membershipApi.offers, {})).products).toEqual(['traffic']);
    const { reference } = await ann.call(orderApi.create, {
      body: { product: 'pack', term: 'month', currency: 'USD' },
    });
    const order = (await app.orders.byReference(reference))!;
    await Promise.all([app.orders.confirm(order), app.orders.confirm(order)]);
    expect((await quantities(ann)).transfer.upload.total_assets).toBe(MB + 2 ** 30);
    await sent();
  });
});
