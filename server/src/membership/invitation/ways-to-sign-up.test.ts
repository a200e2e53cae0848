import { accountApi, inviteApi, membershipApi, oauthApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eventually,
  knowing,
  mailServer,
  openOpenidProvider,
  openTestApp,
  PASSWORD,
  person,
  smsServer,
  turnableClock,
  type Person,
  type TestApp,
} from '../../../testing/index.ts';

// However somebody creates an account, the code of the invite link that brought them gives both their days. There is no
// account that begins with a passkey: one is added to an account, and then signs in to it.

type Clock = ReturnType<typeof turnableClock>;

const DOCUMENTS = {
  external_products: { free_days: { days: 7 }, invitations: { invited_days: 3, inviter_days: 14 } },
};

const open = (environment: Record<string, string>, clock?: Clock) =>
  openTestApp({
    ...(clock ? { clock } : {}),
    documents: DOCUMENTS,
    environment: { TRUSTED_PROXIES: '127.0.0.1', ...environment },
  });

/** Visitor with a network and a device of their own. */
const stranger = (app: TestApp, n: number): Person =>
  person(app.http, { 'x-forwarded-for': `203.0.113.${n}`, 'x-device-id': `way${n}` });

async function inviteCode(app: TestApp): Promise<string> {
  await app.accounts.add({ email: 'ann@example.org', name: 'Ann', password: PASSWORD }, 'member');
  const visitor = stranger(app, 1);
  const grant = await visitor.call(accountApi.signIn, {
    body: { username: 'ann@example.org', password: PASSWORD },
  });
  const ann = person(app.http, { ...visitor.headers, authorization: `Bearer ${grant.access_token}` });
  return (await ann.call(membershipApi.inviteCode, {})).code;
}

const DAYS = { free_days: 7, invited_days: 3, granted: true };
const welcome = (member: Person, code: string) =>
  member.call(inviteApi.welcome, { body: { from: 'web', invite_code: code } });

/** Creates an account with a code that was sent to an email address or a phone number. */
async function signUp(
  app: TestApp,
  visitor: Person,
  { to, code }: { to: { email: string } | { phone_number: string }; code: () => Promise<string> },
): Promise<Person> {
  const sent = await visitor.call(accountApi.sendCode, {
    body: { ...to, usage: 'REGISTER', locale: 'en-US' },
  });
  const { verification_token: proof } = await visitor.call(accountApi.checkCode, {
    body: { verification_id: sent.verification_id, verification_code: await code() },
  });
  const grant = await visitor.call(accountApi.signUp, {
    body: { ...to, password: PASSWORD, name: 'Bob', verification_token: proof },
  });
  return person(app.http, { ...visitor.headers, authorization: `Bearer ${grant.access_token}` });
}

test('an invited person who signs up by email gets the days', async () => {
  await using mails = await mailServer();
  await using app = await open({ SMTP_URL: mails.url });
  const code = await inviteCode(app);
  const bob = await signUp(app, stranger(app, 2), {
    to: { email: 'bob@example.org' },
    async code() {
      await eventually(() => Promise.resolve(mails.mails.length === 1));
      return codeIn(mails.mails[0]);
    },
  });
  expect(await welcome(bob, code)).toMatchObject(DAYS);
});

test('an invited person who signs up by phone gets the days, once for each number', async () => {
  const clock = turnableClock();
  await using sms = await smsServer();
  await using app = await open({ SMS_URL: sms.url, SMS_COUNTRIES: 'DE' }, clock);
  const code = await inviteCode(app);
  const to = { phone_number: '+491701234567' };
  const newest = () => Promise.resolve(codeIn(sms.messages.at(-1)));
  const bob = await signUp(app, stranger(app, 2), { to, code: newest });
  expect(await welcome(bob, code)).toMatchObject(DAYS);
  const { sub } = await bob.call(accountApi.me, {});
  await app.closings.order((await app.accounts.find(app.database, sub))!, 'now');
  await app.erasing.erase(sub, new AbortController().signal);
  clock.advance(10 * 60_000);
  const again = await signUp(app, stranger(app, 3), { to, code: newest });
  expect(await welcome(again, code)).toMatchObject({ free_days: 0, invited_days: 0, granted: false });
});

test('an invited person who signs up with an account of another service gets the days', async () => {
  await using provider = await openOpenidProvider();
  await using app = await open(knowing(provider, { OPENID_SIGN_UP: 'true' }));
  const code = await inviteCode(app);
  const cookies = new Map<string, string>();
  const browser = person(app.http, { 'x-forwarded-for': '203.0.113.2', 'x-device-id': 'way2' });
  const send = async (url: string, body: object): Promise<Record<string, string>> => {
    const reply = await browser.inject({
      method: 'POST',
      url,
      headers: {
        origin: 'http://drive.test',
        'content-type': 'application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '),
      },
      payload: JSON.stringify(body),
    });
    for (const { name, value } of reply.cookies) cookies.set(name, value);
    return reply.json();
  };
  const { redirect_to: to } = await send(oauthApi.beginExternal.path, { continue: '/drive/all' });
  const back = await provider.visit(to!);
  expect(await send(oauthApi.finishExternal.path, Object.fromEntries(back.searchParams))).toMatchObject({
    outcome: 'in',
  });
  expect(await send(inviteApi.welcome.path, { from: 'web', invite_code: code })).toMatchObject(DAYS);
});
