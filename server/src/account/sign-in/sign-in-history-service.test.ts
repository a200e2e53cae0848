import { accountApi, securityApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  person,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Place {
  readonly device?: string;
  readonly address?: string;
  readonly agent?: string;
  readonly password?: string;
}
async function signIn(app: TestApp, email: string, place: Place = {}): Promise<Member> {
  const { device = '', address = '127.0.0.1', agent = FIREFOX, password = PASSWORD } = place;
  const reply = await app.send({
    method: 'POST',
    url: '/v1/auth/signin',
    remoteAddress: address,
    headers: { 'content-type': 'application/json', 'user-agent': agent, 'x-device-id': device },
    payload: JSON.stringify({ username: email, password }),
  });
  return person(app.http, {
    authorization: `Bearer ${reply.json<{ access_token: string }>().access_token}`,
  }) as Member;
}
const list = async ({ call }: Member) => (await call(securityApi.listSessions, {})).sessions;
const history = async ({ call }: Member) => (await call(securityApi.listSignIns, {})).sign_ins;

eachDatabase((dialect) => {
  test('a member sees their active sessions, and signs out one, then all others, at once', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const laptop = await signIn(app, ann.email, { address: '192.0.2.1' });
    const script = await signIn(app, ann.email, { agent: 'rclone/v1.70' });
    const phone = await signIn(app, ann.email);
    const [last, ...others] = await list(phone);
    expect(last).toMatchObject({ current: true, device: 'Firefox, Linux', browser: false });
    expect(others.map(({ current }) => current)).toEqual([false, false, false]);
    expect(others.map(({ device }) => device)).toContain('rclone/v1.70');
    expect(JSON.stringify(await list(phone))).not.toMatch(/secret|hash|os\./);

    const gone = others.find(({ address }) => address === '192.0.2.1')!;
    await expect(bob.call(securityApi.endSession, { params: { id: gone.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await phone.call(securityApi.endSession, { params: { id: gone.id } });
    await expect(laptop.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    await expect(phone.call(securityApi.endSession, { params: { id: gone.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await phone.call(securityApi.endOtherSessions, {});
    for (const other of [ann, script])
      await expect(other.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
    expect(await list(phone)).toHaveLength(1);
    expect(await list(bob)).toHaveLength(1);
  });

  test('the sign-in history shows successful and failed sign-ins of thirty days, to the account’s owner only', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    await signIn(app, ann.email, { password: 'a wrong one', address: '203.0.113.9' });
    await signIn(app, 'nobody@example.org', { password: 'a wrong one' });
    clock.advance(1000);
    const again = await signIn(app, ann.email);
    await expect.poll(async () => (await history(again)).length).toBe(3);
    expect((await history(again)).map(({ way, outcome }) => [way, outcome])).toEqual([
      ['password', 'in'],
      ['password', 'refused'],
      ['sign_up', 'in'],
    ]);
    expect((await history(again))[1]).toMatchObject({ address: '203.0.113.9', device: 'Firefox, Linux' });
    clock.advance(31 * DAY);
    const late = await signIn(app, ann.email);
    expect(await history(late)).toHaveLength(1);
    app.start();
    const rows = () => app.database.on<{ sign_in: object }>().selectFrom('sign_in').selectAll().execute();
    const anHourLater = async (): Promise<number> => {
      clock.advance(3600_000);
      return (await rows()).length;
    };
    await expect.poll(anHourLater, { timeout: 10_000, interval: 200 }).toBe(1);
  });

  test('a first sign-in from a device and network is announced by email; later ones and signing up are not', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    const email = 'ann@example.org';
    const sent = await app.visitor.call(accountApi.sendCode, { body: { email, usage: 'REGISTER' } });
    const { verification_token: proof } = await app.visitor.call(accountApi.checkCode, {
      body: { verification_id: sent.verification_id, verification_code: codeIn(mail.mails[0]) },
    });
    await app.visitor.call(
      accountApi.signUp,
      { body: { email, password: PASSWORD, name: 'Ann', verification_token: proof } },
      { 'x-device-id': 'laptop', 'user-agent': FIREFOX },
    );
    await app.jobs.drain();
    expect(mail.mails).toHaveLength(1);

    const told = async (place: Place): Promise<string | undefined> => {
      const before = mail.mails.length;
      await signIn(app, email, place);
      await app.jobs.drain();
      return mail.mails[before]?.text;
    };
    expect(await told({ device: 'laptop' })).toBeUndefined();
    expect(await told({ device: 'phone', address: '2001:db8::1' })).toMatch(
      /Hello Ann[^]*Firefox, Linux\n2001:db8::1\n\d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    expect(await told({ device: 'phone', address: '2001:db8::2' })).toBeUndefined();
    expect(await told({ device: 'phone', address: '192.0.2.1' })).toBeDefined();
    const ann = await signIn(app, email, { device: 'phone', address: '192.0.2.1' });
    await ann.call(accountApi.changeMe, { body: { new_device_mail: false } });
    expect(await told({ device: 'tablet' })).toBeUndefined();
  });
});
