import {
  checkInApi,
  contactApi,
  driveApi,
  eventApi,
  orderApi,
  securityApi,
  shareApi,
  takeoutApi,
  type Takeout,
} from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  plant,
  signIn,
  turnableClock,
  upload,
  visitingApp,
  writeAccount,
  type Member,
  type TestApp,
} from '../../testing/index.ts';
import { timeText } from '../foundation/index.ts';
import { unpacked } from '../../testing/archives/raw-zip.ts';

const DAY = 24 * 3600 * 1000;

/** Tables with rows of a member, by the file of the copy that includes them. */
const TOLD: Readonly<Record<string, string>> = {
  benefit: 'plans.json',
  check_in: 'check-ins.json',
  contact_message: 'contact-messages.json',
  event: 'added-and-played.json',
  recent: 'added-and-played.json',
  invoice_buyer: 'invoices.json',
  member_order: 'orders.json',
  order_payment: 'payments.json',
  external_identity: 'accounts-elsewhere.json',
  invitation: 'plans.json',
  node: 'files.csv',
  oauth_consent: 'connected-apps.json',
  offline: 'offline-downloads.json',
  pass: 'app-passwords-and-tokens.json',
  passkey: 'passkeys.json',
  preference: 'settings.json',
  quota: 'profile.json',
  push_device: 'notified-browsers.json',
  recovery_code: 'profile.json',
  renewal: 'renewals.json',
  second_factor: 'profile.json',
  session: 'sessions.json',
  access_grant: 'people.json',
  act: 'changes-by-people.json',
  share: 'shares.json',
  sign_in: 'sign-ins.json',
  subscription: 'subscriptions.json',
  task: 'offline-downloads.json',
  trusted_device: 'profile.json',
  version: 'file-versions.json',
  tag: 'tags.json',
  tagged: 'tagged-files.json',
  annotation: 'notes-and-colors.json',
  pin: 'pinned-folders.json',
};
/** Tables without further content: sums, checksums, secrets, and short-lived state. */
const BESIDE = new Set([
  'archive_ticket',
  'challenge',
  'dav_closed',
  'dav_lock',
  'dav_property',
  'graft',
  'invite_code',
  'known_device',
  'ledger',
  'name_block',
  'name_stale',
  'oauth_code',
  'oauth_device',
  'offline_day',
  'order_checkout',
  'recent_removal',
  'takeout',
  'transfer',
  'tree_version',
  'upload',
]);
const body = { password: PASSWORD };

const list = async (member: Member): Promise<Takeout[]> => (await member.call(takeoutApi.list, {})).takeouts;

/** Creates a copy and returns it. */
async function made(app: TestApp, member: Member): Promise<Takeout> {
  await member.call(takeoutApi.begin, {});
  await app.jobs.drain();
  return (await list(member))[0]!;
}

/** Path of a copy's download. */
async function linkOf(member: Member, id: string): Promise<string> {
  const { url } = await member.call(takeoutApi.open, { params: { id }, body });
  const { pathname, search } = new URL(url);
  return pathname + search;
}

eachDatabase((dialect) => {
  test('a member gets a copy of their data, which contains no usable credentials', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      photos: { 'sea "2".jpg': 'the sea', 'sun, moon.jpg': 'the sky' },
      '=1+1.txt': 'no formula',
      'old.txt': 'thrown away',
    });
    await ann.call(driveApi.trash, { body: { ids: [ids['old.txt']!] } });
    const share = await ann.call(shareApi.create, {
      body: { file_ids: [ids['photos']!], title: 'By the sea', pass_code_option: 'REQUIRED' },
    });
    const pass = await ann.call(securityApi.createPass, {
      body: { ...body, kind: 'access_token', name: 'a script', scopes: ['pan'] },
    });
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body });
    await (await visitingApp(app)).letIn(ann);

    const owns = { phone: '+4915112345678', picture: '/avatar/ann' };
    await writeAccount(app.database, ann.id, owns);

    const begun = await ann.call(takeoutApi.begin, {});
    expect(begun).toMatchObject({ state: 'making', size: '0', expires_at: '' });
    // A repeated request returns the same copy.
    expect((await ann.call(takeoutApi.begin, {})).id).toBe(begun.id);
    await app.jobs.drain();
    const [takeout] = await list(ann);
    expect(takeout).toMatchObject({ id: begun.id, state: 'ready', progress: 100 });
    const reply = await ann.inject({ url: await linkOf(ann, begun.id) });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': takeout!.size,
      'cache-control': 'private, no-store',
    });
    const files = unpacked(reply.rawPayload);
    const json = (name: string) => JSON.parse(files[`${name}.json`]!) as Record<string, never>[];
    expect(Object.keys(files).toSorted()).toEqual([
      'README.txt',
      'accounts-elsewhere.json',
      'added-and-played.json',
      'app-passwords-and-tokens.json',
      'changes-by-people.json',
      'check-ins.json',
      'connected-apps.json',
      'contact-messages.json',
      'file-versions.json',
      'files.csv',
      'invoices.json',
      'notes-and-colors.json',
      'notified-browsers.json',
      'offline-downloads.json',
      'orders.json',
      'passkeys.json',
      'payments.json',
      'people.json',
      'pinned-folders.json',
      'plans.json',
      'profile.json',
      'renewals.json',
      'sessions.json',
      'settings.json',
      'shares.json',
      'sign-ins.json',
      'subscriptions.json',
      'tagged-files.json',
      'tags.json',
    ]);
    expect(JSON.parse(files['profile.json']!)).toMatchObject({ id: ann.id, email: ann.email, ...owns });
    expect(json('shares')).toMatchObject([{ id: share.share_id, title: 'By the sea', has_passcode: true }]);
    expect(json('connected-apps')).toMatchObject([{ name: 'Picture Frame' }]);
    expect(json('app-passwords-and-tokens')).toMatchObject([{ name: 'a script' }]);
    expect(json('sign-ins').map(({ way }) => way)).toContain('sign_up');
    const lines = files['files.csv']!.replace('\ufeff', '').trimEnd().split('\r\n');
    expect(lines[0]).toBe('path,kind,size,hash,gcid,created,modified,starred,trashed');
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^\/=1\+1\.txt,file,10,[\da-f]{64},[\dA-F]{40},2026-/),
      expect.stringMatching(/^\/photos,folder,0,,,2026-/),
      expect.stringMatching(/^"\/photos\/sea ""2""\.jpg",file,7,/),
      expect.stringMatching(/^"\/photos\/sun, moon\.jpg",file,7,/),
      expect.stringMatching(/^\/old\.txt,file,11,/),
    ]);
    expect(lines.at(-1)).toMatch(/\d{4}-\d\d-\d\dT[^,]+$/);
    const text = Object.values(files).join();
    for (const hidden of [share.pass_code, pass.secret, secret, ann.accessToken, ann.refreshToken])
      expect(text).not.toContain(hidden);
  });

  test('the copy includes file activity, plans, orders, check-in days, and messages to the administrator', async () => {
    const clock = turnableClock();
    const terms = [{ id: 'month', months: 1, price: { USD: 499 } }];
    const documents = {
      external_products: {
        products: [{ id: 'vip', kind: 'plan', plan: 'vip', terms }],
        bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
      },
    };
    await using app = await openTestApp({ dialect, clock, documents });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const { reference } = await ann.call(orderApi.create, {
      body: { product: 'vip', term: 'month', currency: 'USD' },
    });
    const film = await upload(app, ann, 'film.mp4', 'frames');
    const params = { play_seconds: '30', play_duration: 120 };
    await ann.call(eventApi.report, { body: { event: { type: 'TYPE_PLAY', file_id: film.id, params } } });
    await ann.call(checkInApi.reward, { body: { type: 'sign_in' } });
    await app.database.transaction((tx) =>
      app.benefits.grant(tx, {
        account: ann.id,
        kind: 'plan',
        plan: 'vip',
        bytes: 0,
        length: DAY,
        cause: 'administrator',
        reference: 'one',
      }),
    );
    for (const [who, message] of [
      [ann, 'A share of mine does not open.'],
      [bob, 'Nobody else reads what I write.'],
    ] as const)
      await who.call(contactApi.send, { body: { topic: 'problem', email: '', message } });
    const { id } = await made(app, ann);
    const files = unpacked((await ann.inject({ url: await linkOf(ann, id) })).rawPayload);
    const json = (name: string): unknown => JSON.parse(files[`${name}.json`]!);
    expect(json('added-and-played')).toMatchObject([
      { type: 'TYPE_UPLOAD', file: 'film.mp4' },
      { type: 'TYPE_PLAY', file: 'film.mp4', play_seconds: '30', play_duration: '120' },
    ]);
    expect(json('plans')).toEqual([
      {
        kind: 'plan',
        plan: 'vip',
        bytes: '0',
        cause: 'administrator',
        granted_at: timeText(clock.now()),
        starts_at: timeText(clock.now()),
        ends_at: timeText(clock.now() + DAY),
        revoked_at: '',
      },
    ]);
    expect(json('orders')).toMatchObject([
      { reference, state: 'open', plan: 'vip', months: 1, currency: 'USD', amount: 499, paid_at: '' },
    ]);
    expect(json('check-ins')).toEqual([{ day: new Date(clock.now()).toISOString().slice(0, 10) }]);
    expect(json('contact-messages')).toMatchObject([
      { topic: 'problem', email: ann.email, message: 'A share of mine does not open.' },
    ]);
    for (const name of ['added-and-played', 'plans', 'orders', 'check-ins', 'contact-messages'])
      expect(files['README.txt']).toContain(`${name}.json`);
  });

  test('only the owner can download it, with the password, for some minutes each time and for seven days', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    let ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const { id, expires_at: until } = await made(app, ann);
    expect(Date.parse(until)).toBe(clock.now() + 7 * DAY);
    const open = (who: Member, password: string) =>
      who.call(takeoutApi.open, { params: { id }, body: { password } });
    await expect(open(ann, 'a wrong one')).rejects.toMatchObject({ id: 'invalid_password' });
    await expect(open(bob, PASSWORD)).rejects.toMatchObject({ id: 'not_found' });
    await expect(bob.call(takeoutApi.remove, { params: { id } })).rejects.toMatchObject({ id: 'not_found' });
    const link = await linkOf(ann, id);
    expect((await ann.inject({ url: link })).statusCode).toBe(200);
    for (const who of [bob, app.visitor])
      expect((await who.inject({ url: link })).statusCode, 'somebody else').toBe(404);
    expect((await ann.inject({ url: link.replace(/expire=\d/, 'expire=9') })).statusCode).toBe(404);
    clock.advance(601_000);
    expect((await ann.inject({ url: link })).statusCode).toBe(404);
    clock.advance(7 * DAY - 602_000);
    ann = await signIn(app.http, ann);
    const late = await linkOf(ann, id);
    expect((await ann.inject({ url: late })).statusCode).toBe(200);
    clock.advance(2000);
    expect((await ann.inject({ url: late })).statusCode).toBe(404);
  });

  test('five copies can be made a day', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    let ann = await app.signUp('ann');
    for (let count = 0; count < 5; count++) await made(app, ann);
    await expect(ann.call(takeoutApi.begin, {})).rejects.toMatchObject({ id: 'too_frequent' });
    expect(await list(ann)).toHaveLength(5);
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    await made(app, ann);
  });

  test('a copy that is canceled while it is being created, or deleted, leaves nothing', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const { id } = await made(app, ann);
    const kept = async (): Promise<number> => (await Array.fromAsync(app.storage.list('takeout/'))).length;
    expect(await kept()).toBe(1);
    await ann.call(takeoutApi.remove, { params: { id } });
    const { id: other } = await ann.call(takeoutApi.begin, {});
    await ann.call(takeoutApi.remove, { params: { id: other } });
    await app.jobs.drain();
    expect(await list(ann)).toEqual([]);
    expect(await kept()).toBe(0);
    expect(await Array.fromAsync(app.storage.staged())).toEqual([]);
  });
});

test('every table with rows of a member is included in the copy, or is known to contain nothing more', async () => {
  await using app = await openTestApp({});
  const { rows } = await sql<{ table: string }>`
    select tables.name as "table" from sqlite_master as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name = 'account'`.execute(app.database.on());
  const tables = rows.map(({ table }) => table);
  expect(tables.filter((table) => !Object.hasOwn(TOLD, table) && !BESIDE.has(table))).toEqual([]);
  expect([...Object.keys(TOLD), ...BESIDE].filter((table) => !tables.includes(table))).toEqual([]);
  const ann = await app.signUp('ann');
  const { id } = await made(app, ann);
  const files = unpacked((await ann.inject({ url: await linkOf(ann, id) })).rawPayload);
  expect(Object.values(TOLD).filter((name) => !Object.hasOwn(files, name))).toEqual([]);
});
