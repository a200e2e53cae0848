import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountApi, oauthApi, securityApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  eventually,
  mailServer,
  openTestApp,
  PASSWORD,
  person,
  smsServer,
  turnableClock,
  visitorAt,
  type Person,
  type TestApp,
} from '../../../testing/index.ts';

const ANN = '+491701234567';
const BOB = '+491701234568';
const NEW = 'a bower of green things';
type Usage = 'REGISTER' | 'SIGN_IN' | 'PASSWORD_RESET';

const ask = (who: Person, phone: string, usage: Usage) =>
  who.call(accountApi.sendCode, { body: { phone_number: phone, usage, locale: 'en-US' } });
const prove = async (who: Person, id: string, code: string): Promise<string> =>
  (await who.call(accountApi.checkCode, { body: { verification_id: id, verification_code: code } }))
    .verification_token;
const signIn = (who: Person, username: string, password = PASSWORD) =>
  who.call(accountApi.signIn, { body: { username, password } });
const memberOf = ({ http }: TestApp, grant: { access_token?: string }): Person =>
  person(http, { authorization: `Bearer ${grant.access_token}` });

async function place(dialect: 'sqlite' | 'postgres', environment: Record<string, string> = {}) {
  const clock = turnableClock();
  const sms = await smsServer();
  const app = await openTestApp({
    dialect,
    clock,
    environment: { SMS_URL: sms.url, SMS_COUNTRIES: 'DE, US', ...environment },
  });
  /** Returns the code of the newest message, once it arrives: some are sent in the background. */
  const newest = async (count: number): Promise<string> => {
    await eventually(() => Promise.resolve(sms.messages.length === count));
    return codeIn(sms.messages.at(-1));
  };
  const join = async (phone: string): Promise<Person> => {
    const sent = await ask(visitorAt(app, '192.0.2.200'), phone, 'REGISTER');
    const proof = await prove(app.visitor, sent.verification_id, codeIn(sms.messages.at(-1)));
    const body = { phone_number: phone, password: PASSWORD, name: 'Ann', verification_token: proof };
    return memberOf(app, await app.visitor.call(accountApi.signUp, { body }));
  };
  return {
    app,
    clock,
    sms,
    newest,
    join,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await sms[Symbol.asyncDispose]();
    },
  };
}

eachDatabase((dialect) => {
  test('a phone number signs in with a password or a code, and resets a forgotten password', async () => {
    await using here = await place(dialect);
    const { app, clock, sms, newest } = here;
    const { visitor } = app;
    expect(await visitor.call(accountApi.signUpRules, {})).toMatchObject({ phone: true });
    expect(await visitor.call(oauthApi.doors, {})).toMatchObject({ phone_code: true, mail_code: false });
    const unproven = { phone_number: ANN, password: PASSWORD };
    await expect(visitor.call(accountApi.signUp, { body: unproven })).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    const ann = await here.join('+49 170 1234567');
    expect(sms.messages[0]).toMatchObject({
      to: ANN,
      from: '+15005550006',
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${Buffer.from('AC1:to/ken').toString('base64')}`,
    });
    expect(sms.messages[0]!.text).toMatch(/@drive\.test #\d{6}$/);
    expect(await ann.call(accountApi.me, {})).toMatchObject({
      name: 'Ann',
      email: '',
      phone_number: '+49*******567',
    });

    for (const typed of [ANN, '0049 (170) 123 45 67', '0170 1234567']) await signIn(visitor, typed);
    await expect(signIn(visitor, ANN, 'wrong')).rejects.toMatchObject({ id: 'invalid_account_or_password' });
    for (const phone of [ANN, BOB])
      await expect(visitor.call(accountApi.signIn, { body: { username: phone } })).rejects.toMatchObject({
        id: 'sms_code_required',
        code: 4020,
      });

    clock.advance(3600_000);
    const sent = await ask(visitor, ANN, 'SIGN_IN');
    const proof = await prove(visitor, sent.verification_id, await newest(2));
    const grant = await visitor.call(accountApi.signIn, {
      body: { username: ANN, verification_token: proof },
    });
    const { sign_ins: signIns } = await memberOf(app, grant).call(securityApi.listSignIns, {});
    expect(signIns[0]).toMatchObject({ way: 'sms_code' });

    clock.advance(3600_000);
    const forgotten = await ask(visitor, ANN, 'PASSWORD_RESET');
    const token = await prove(visitor, forgotten.verification_id, await newest(3));
    const tooPlain = { verification_token: token, new_password: ANN };
    await expect(visitor.call(accountApi.resetPassword, { body: tooPlain })).rejects.toMatchObject({
      id: 'password_too_weak',
    });
    await visitor.call(accountApi.resetPassword, {
      body: { verification_token: token, new_password: NEW },
    });
    await signIn(visitor, ANN, NEW);
    await expect(here.join(ANN)).rejects.toMatchObject({ id: 'verification_too_frequent' });
    clock.advance(24 * 3600_000);
    await expect(here.join(ANN)).rejects.toMatchObject({ id: 'phone_taken' });
    expect(app.logged.join('')).not.toContain('1701234567');
  });

  test('requesting a code does not reveal whether a phone number has an account, and sends no message to unknown numbers', async () => {
    await using here = await place(dialect);
    const { app, sms } = here;
    await here.join(ANN);
    const stranger = visitorAt(app, '198.51.100.9');
    here.clock.advance(24 * 3600_000);
    for (const usage of ['SIGN_IN', 'PASSWORD_RESET'] as const) {
      const { verification_id: known, ...answer } = await ask(stranger, ANN, usage);
      const { verification_id: unknown, ...other } = await ask(stranger, BOB, usage);
      expect(other).toEqual(answer);
      for (const id of [known, unknown])
        await expect(prove(stranger, id, 'wrong')).rejects.toMatchObject({ id: 'verification_code_wrong' });
      here.clock.advance(24 * 3600_000);
    }
    await here.newest(3);
    expect(sms.messages.map(({ to }) => to)).toEqual([ANN, ANN, ANN]);
  });

  test('text messages are limited by number, by network, and by country and day; countries that are not listed get none', async () => {
    await using here = await place(dialect, { SMS_DAILY: '10' });
    const { app, clock } = here;
    const often = { id: 'verification_too_frequent' };
    await ask(app.visitor, ANN, 'REGISTER');
    await expect(ask(visitorAt(app, '192.0.2.1'), ANN, 'REGISTER')).rejects.toMatchObject({
      ...often,
      facts: { retry_in: '60' },
    });
    const many = visitorAt(app, '198.51.100.1');
    for (let n = 0; n < 7; n++) await ask(many, `+49170123451${n}`, 'REGISTER');
    await expect(ask(many, '+491701234520', 'REGISTER')).rejects.toMatchObject(often);
    for (let n = 1; n <= 2; n++) await ask(visitorAt(app, `192.0.2.${n}`), `+49170123453${n}`, 'REGISTER');
    await expect(ask(visitorAt(app, '192.0.2.3'), '+491701234533', 'REGISTER')).rejects.toMatchObject(often);
    await ask(visitorAt(app, '192.0.2.4'), '+14155550123', 'REGISTER');
    clock.advance(24 * 3600_000);
    await ask(visitorAt(app, '192.0.2.5'), '+491701234535', 'REGISTER');
    for (const phone of ['+18765550123', '+33612345678'])
      await expect(ask(app.visitor, phone, 'REGISTER')).rejects.toMatchObject({
        id: 'phone_country_unsupported',
      });
    for (const phone of ['+49', 'ann'])
      await expect(ask(app.visitor, phone, 'REGISTER')).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('an SMS provider’s rejections and failures are reported as such, and no log shows a full number', async () => {
    await using here = await place(dialect);
    const { visitor, logged } = here.app;
    await expect(ask(visitor, '+491701234000', 'REGISTER')).rejects.toMatchObject({
      id: 'invalid_argument',
      facts: { field: 'phone_number' },
    });
    await expect(ask(visitor, '+491701234999', 'REGISTER')).rejects.toMatchObject({ id: 'unavailable' });
    expect(logged.join('')).toContain('+49*******999');
    expect(logged.join('')).not.toContain('1701234');
  });

  test('an owner adds, changes and removes a phone number with the password and a code sent to it', async () => {
    await using mail = await mailServer();
    await using here = await place(dialect, { SMTP_URL: mail.url });
    const { app, sms, clock } = here;
    await app.accounts.add({ email: 'ann@example.org', password: PASSWORD, name: 'Ann' }, 'member');
    await here.join(BOB);
    clock.advance(24 * 3600_000);
    const ann = memberOf(app, await signIn(app.visitor, 'ann@example.org'));
    const code = async (phone: string): Promise<string> => {
      const sent = await ann.call(securityApi.sendPhoneCode, { body: { phone_number: phone } });
      return prove(ann, sent.verification_id, codeIn(sms.messages.at(-1)));
    };
    const change = (phone: string, proof: string, password = PASSWORD) =>
      ann.call(securityApi.changePhone, {
        body: { phone_number: phone, password, verification_token: proof },
      });
    const shown = async () => (await ann.call(accountApi.me, {})).phone_number;

    const proof = await code(ANN);
    await expect(change(ANN, proof, 'wrong')).rejects.toMatchObject({ id: 'invalid_password' });
    await expect(change('+491701234599', proof)).rejects.toMatchObject({ id: 'verification_code_expired' });
    await change(ANN, proof);
    expect(await shown()).toBe('+49*******567');
    await expect(change(ANN, proof)).rejects.toMatchObject({ id: 'verification_code_expired' });
    await app.jobs.drain();
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'Your account has a new phone number' });
    expect(mail.mails.at(-1)!.text).not.toContain('1701234567');
    await signIn(app.visitor, ANN);
    await expect(change(BOB, await code(BOB))).rejects.toMatchObject({ id: 'phone_taken' });
    await change('+14155550123', await code('+14155550123'));
    await expect(signIn(app.visitor, ANN)).rejects.toMatchObject({ id: 'invalid_account_or_password' });

    const remove = (who: Person, password = PASSWORD) =>
      who.call(securityApi.removePhone, { body: { password } });
    await expect(remove(ann, 'wrong')).rejects.toMatchObject({ id: 'invalid_password' });
    await remove(ann);
    expect(await shown()).toBe('');
    await app.jobs.drain();
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'Phone number removed from your account' });
    // A member whose only contact is a phone can't remove it.
    const bob = memberOf(app, await signIn(app.visitor, BOB));
    await expect(remove(bob)).rejects.toMatchObject({ id: 'unsupported' });
  });

  test('without an SMS provider no number is requested; with the outbox setting, messages are written to the data folder', async () => {
    await using app = await openTestApp({ dialect });
    expect(await app.visitor.call(accountApi.signUpRules, {})).toMatchObject({ phone: false });
    await expect(ask(app.visitor, ANN, 'REGISTER')).rejects.toMatchObject({ id: 'unsupported' });
    const ann = await app.signUp('ann');
    const send = ann.call(securityApi.sendPhoneCode, { body: { phone_number: ANN } });
    await expect(send).rejects.toMatchObject({ id: 'unsupported' });
    await expect(app.visitor.call(accountApi.signIn, { body: { username: ANN } })).rejects.toMatchObject({
      id: 'invalid_argument',
    });

    await using boxed = await openTestApp({
      dialect,
      environment: { SMS_URL: 'outbox:', SMS_COUNTRIES: 'DE' },
    });
    await ask(boxed.visitor, ANN, 'REGISTER');
    const outbox = join(boxed.config.DATA_DIR, 'outbox');
    const [file] = await readdir(outbox);
    expect(await readFile(join(outbox, file!), 'utf8')).toMatch(/^\+491701234567\n\n\d{6} is your Bowerbird/);
    await expect(openTestApp({ dialect, environment: { SMS_URL: 'outbox:' } })).rejects.toThrow(
      'SMS_URL requires SMS_COUNTRIES',
    );
  });
});
