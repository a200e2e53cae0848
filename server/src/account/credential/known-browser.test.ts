import { accountApi, securityApi, type ApiFailure } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  turnableClock,
  visitorAt,
  type Person,
  type TestApp,
} from '../../../testing/index.ts';

const OWN = { origin: 'http://drive.test' };
const OFFICE = '198.51.100.20';
const NAME = 'pp_known_browser';

/** Signs in with a browser, and returns the cookie that marks it as known. */
async function knownCookie(app: TestApp, email: string, address: string, cookie = ''): Promise<string> {
  const reply = await visitorAt(app, address, { ...OWN, cookie }).inject({
    method: 'POST',
    url: accountApi.signIn.path,
    payload: { username: email, password: PASSWORD, session: 'cookie' },
  });
  const kept = reply.cookies.find(({ name }) => name === NAME)!;
  expect(kept).toMatchObject({ httpOnly: true });
  return `${NAME}=${kept.value}`;
}

const guess = (who: Person, username: string, n = 0) =>
  who.call(accountApi.signIn, { body: { username, password: `guess ${n} of many` } }).then(
    () => 'in',
    (failure: ApiFailure) => failure.id,
  );
const enter = (who: Person, username: string) =>
  who.call(accountApi.signIn, { body: { username, password: PASSWORD } });

/** Returns the number of wrong passwords that are compared before the lockout. */
async function compared(who: Person, email: string): Promise<number> {
  for (let n = 0; n < 40; n++) if ((await guess(who, email, n)) === 'account_locked_retry') return n;
  return 40;
}

eachDatabase((dialect) => {
  test('a stranger on the member’s own network is slowed down, but the member’s known browser is not', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const cookie = await knownCookie(app, ann.email, OFFICE);
    const stranger = visitorAt(app, OFFICE);
    expect(await compared(stranger, ann.email)).toBe(6);
    // Holds even if someone uses up the attempts of the whole network, with many names.
    for (let n = 0; n < 46; n++) await guess(stranger, `n${n}@example.org`);
    await expect(enter(stranger, ann.email)).rejects.toMatchObject({
      id: 'account_locked_retry',
      code: 4013,
    });
    for (const address of [OFFICE, '203.0.113.5'])
      expect(await enter(visitorAt(app, address, { cookie }), ann.email)).toMatchObject({ sub: ann.id });
  });

  test('guesses from many networks slow down neither a known browser nor a signed-in owner', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const cookie = await knownCookie(app, ann.email, OFFICE);
    for (let network = 1; network <= 60; network++)
      await guess(visitorAt(app, `203.0.113.${network}`), ann.email);
    await compared(visitorAt(app, OFFICE), ann.email);
    await compared(visitorAt(app, '127.0.0.1'), ann.email);
    expect(await enter(visitorAt(app, OFFICE, { cookie }), ann.email)).toMatchObject({ sub: ann.id });
    await ann.call(securityApi.beginSecondFactor, { body: { password: PASSWORD } });
  });

  test('a stolen cookie allows a few extra guesses at its own account only', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const cookie = await knownCookie(app, ann.email, OFFICE);
    const thief = visitorAt(app, '192.0.2.66', { cookie });
    const plain = visitorAt(app, '192.0.2.67');
    expect(await compared(plain, ann.email)).toBe(6);
    // The thief uses up the attempts of the cookie, then those of a stranger.
    expect(await compared(thief, ann.email)).toBe(12);
    // From another network, only the attempts of a stranger are left.
    expect(await compared(visitorAt(app, '192.0.2.68', { cookie }), ann.email)).toBe(6);
    expect(await compared(thief, bob.email)).toBe(6);
    const made = visitorAt(app, '192.0.2.69', { cookie: `${NAME}=${'A'.repeat(120)}` });
    expect(await compared(made, ann.email)).toBe(6);
    // The owner of the cookie is no worse off than a newcomer.
    expect(await enter(visitorAt(app, OFFICE, { cookie }), ann.email)).toMatchObject({ sub: ann.id });
  });

  test('a known browser is not locked out after guesses with a copy of its cookie have reached waits of minutes', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const cookie = await knownCookie(app, ann.email, OFFICE);
    // The twelfth wrong password costs 128 seconds.
    for (let n = 0; n < 12; n++) {
      clock.advance(64_000);
      await guess(visitorAt(app, `198.51.100.${n}`, { cookie }), ann.email, n);
    }
    expect(await enter(visitorAt(app, OFFICE, { cookie }), ann.email)).toMatchObject({ sub: ann.id });
  });

  test('one browser is known for each account that shares it, for four hundred days', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const first = await knownCookie(app, ann.email, OFFICE);
    const shared = await knownCookie(app, bob.email, OFFICE, first);
    expect(shared.length).toBeLessThan(1000);
    expect(shared).not.toContain(ann.id);
    for (const { email } of [ann, bob]) {
      await compared(visitorAt(app, OFFICE), email);
      await enter(visitorAt(app, OFFICE, { cookie: shared }), email);
    }
    clock.advance(401 * 24 * 3600 * 1000);
    await compared(visitorAt(app, OFFICE), ann.email);
    await expect(enter(visitorAt(app, OFFICE, { cookie: shared }), ann.email)).rejects.toMatchObject({
      id: 'account_locked_retry',
    });
  });

  test('the wait for another emailed code that a stranger causes does not apply to the owner’s browser', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({
      dialect,
      clock: turnableClock(),
      environment: { SMTP_URL: mail.url },
    });
    await app.accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
    const cookie = await knownCookie(app, 'ann@example.org', OFFICE);
    const ask = (who: Person) =>
      who.call(accountApi.sendCode, { body: { email: 'ann@example.org', usage: 'SIGN_IN' } });
    await ask(visitorAt(app, OFFICE));
    await expect(ask(visitorAt(app, OFFICE))).rejects.toMatchObject({ id: 'verification_too_frequent' });
    const owner = visitorAt(app, OFFICE, { cookie });
    const sent = await ask(owner);
    await owner.call(accountApi.checkCode, {
      body: { verification_id: sent.verification_id, verification_code: codeIn(mail.mails.at(-1)) },
    });
    await expect(ask(owner)).rejects.toMatchObject({ id: 'verification_too_frequent' });
  });
});
