import { accountApi, oauthApi, securityApi, type ApiFailure } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  person,
  turnableClock,
  visitorAt,
  type Person,
  type TestApp,
} from '../../../testing/index.ts';
import { stepAt, totpCode } from '../credential/totp.ts';

const ANN = 'ann@example.org';
const BOB = 'bob@example.org';

const ask = (who: Person, email: string) =>
  who.call(accountApi.sendCode, { body: { email, usage: 'SIGN_IN', locale: 'en-US' } });
const prove = async (who: Person, id: string, code: string): Promise<string> =>
  (await who.call(accountApi.checkCode, { body: { verification_id: id, verification_code: code } }))
    .verification_token;
const enter = (who: Person, username: string, proof: string) =>
  who.call(accountApi.signIn, { body: { username, verification_token: proof } });
const guess = (who: Person, username: string) =>
  who.call(accountApi.signIn, { body: { username, password: 'not the password' } });
const failureOf = (work: Promise<unknown>): Promise<ApiFailure> =>
  work.then(
    () => Promise.reject(new Error('it was let in')),
    (failure: ApiFailure) => failure,
  );

async function place(dialect: 'sqlite' | 'postgres') {
  const clock = turnableClock();
  const mail = await mailServer();
  const app = await openTestApp({ dialect, clock, environment: { SMTP_URL: mail.url } });
  for (const email of [ANN, BOB]) await app.accounts.add({ email, password: PASSWORD }, 'member');
  return {
    app,
    clock,
    mail,
    newest: (): string => codeIn(mail.mails.at(-1)),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

const memberOf = (app: TestApp, token: string | undefined): Person =>
  person(app.http, { authorization: `Bearer ${token}` });

eachDatabase((dialect) => {
  test('an emailed code signs in to its own account once, without the password', async () => {
    await using here = await place(dialect);
    const { app, clock, mail } = here;
    const { visitor } = app;
    expect(await visitor.call(oauthApi.doors, {})).toMatchObject({ mail_code: true });
    const sent = await ask(visitor, ' ANN@example.org');
    expect(sent).toMatchObject({ retry_in: 60, expires_in: 600 });
    expect(mail.mails.at(-1)).toMatchObject({ subject: `${here.newest()} is your sign-in code` });
    const proof = await prove(visitor, sent.verification_id, here.newest());
    await expect(enter(visitor, BOB, proof)).rejects.toMatchObject({
      id: 'invalid_account_or_code',
      code: 4023,
    });
    await expect(enter(visitor, ANN, 'guessed')).rejects.toMatchObject({ id: 'verification_code_expired' });
    const reset = visitor.call(accountApi.resetPassword, {
      body: { verification_token: proof, new_password: 'a bower of green things' },
    });
    await expect(reset).rejects.toMatchObject({ id: 'verification_code_expired' });

    const both = await Promise.allSettled([enter(visitor, ANN, proof), enter(visitor, ANN, proof)]);
    const [granted] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(both.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const ann = memberOf(app, granted?.access_token);
    expect(await ann.call(accountApi.me, {})).toMatchObject({ email: 'a***@example.org' });
    expect((await ann.call(securityApi.listSignIns, {})).sign_ins[0]).toMatchObject({
      way: 'mail_code',
      outcome: 'in',
    });
    await expect(enter(visitor, ANN, proof)).rejects.toMatchObject({ id: 'verification_code_expired' });

    clock.advance(3600_000);
    const late = await ask(visitor, ANN);
    const again = await prove(visitor, late.verification_id, here.newest());
    await app.accounts.freeze((await app.accounts.byEmail(app.database, ANN))!.id, true);
    await expect(enter(visitor, ANN, again)).rejects.toMatchObject({ id: 'account_frozen' });
  });

  test('an emailed code is only the first step if two-step verification is on', async () => {
    await using here = await place(dialect);
    const { app, clock } = here;
    const { visitor } = app;
    const grant = await visitor.call(accountApi.signIn, { body: { username: ANN, password: PASSWORD } });
    const ann = memberOf(app, grant.access_token);
    const { secret } = await ann.call(securityApi.beginSecondFactor, { body: { password: PASSWORD } });
    const code = (): string => totpCode(secret, stepAt(clock.now()));
    await ann.call(securityApi.confirmSecondFactor, { body: { code: code() } });
    clock.advance(60_000);
    const sent = await ask(visitor, ANN);
    const proof = await prove(visitor, sent.verification_id, here.newest());
    const asked = await failureOf(enter(visitor, ANN, proof));
    expect(asked).toMatchObject({ id: 'second_factor_required', code: 4015 });
    // The code is used up with the first step.
    await expect(enter(visitor, ANN, proof)).rejects.toMatchObject({ id: 'verification_code_expired' });
    const second = await visitor.call(accountApi.secondFactor, {
      body: { ticket: asked.facts['ticket']!, code: code() },
    });
    expect(await memberOf(app, second.access_token).call(accountApi.me, {})).toMatchObject({
      sub: grant.sub,
    });
  });

  test('requesting a code does not reveal whether an account exists, and is limited by email address and by network', async () => {
    await using here = await place(dialect);
    const { app, mail } = here;
    const { verification_id: known, ...answer } = await ask(app.visitor, ANN);
    const { verification_id: unknown, ...other } = await ask(app.visitor, 'nemo@example.org');
    expect(other).toEqual(answer);
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'There is no account for this address' });
    expect(mail.mails.at(-1)!.text).not.toMatch(/\b\d{6}\b/);
    for (const id of [known, unknown])
      await expect(prove(app.visitor, id, 'wrong')).rejects.toMatchObject({ id: 'verification_code_wrong' });
    await expect(ask(visitorAt(app, '192.0.2.9'), ANN)).rejects.toMatchObject({
      id: 'verification_too_frequent',
      facts: { retry_in: '60' },
    });
    const many = visitorAt(app, '198.51.100.1');
    for (let n = 0; n < 21; n++) await ask(many, `n${n}@example.org`);
    await expect(ask(many, 'n21@example.org')).rejects.toMatchObject({ id: 'verification_too_frequent' });
    await ask(visitorAt(app, '198.51.100.2'), 'n21@example.org');
  });

  test('wrong codes and wrong passwords count together, and after the free attempts a password reset is suggested for known and unknown accounts alike', async () => {
    await using here = await place(dialect);
    const { app } = here;
    for (const name of [BOB, 'nemo@example.org']) {
      const stranger = visitorAt(app, name === BOB ? '198.51.100.3' : '198.51.100.4');
      const sent = await ask(stranger, name);
      for (let n = 0; n < 3; n++)
        await expect(prove(stranger, sent.verification_id, 'wrong')).rejects.toMatchObject({
          id: 'verification_code_wrong',
        });
      for (let n = 0; n < 2; n++)
        await expect(guess(stranger, name)).rejects.toMatchObject({ id: 'invalid_account_or_password' });
      await expect(guess(stranger, name)).rejects.toMatchObject({
        id: 'password_recovery_advised',
        code: 4021,
        facts: { retry_in: '2' },
      });
      await expect(guess(stranger, name)).rejects.toMatchObject({ id: 'account_locked_retry', code: 4013 });
      await expect(prove(stranger, sent.verification_id, 'wrong')).rejects.toMatchObject({
        id: 'account_locked_retry',
      });
    }
  });

  test('without a mail server there are no sign-in codes, and signing in requires a password', async () => {
    await using app = await openTestApp({ dialect });
    expect(await app.visitor.call(oauthApi.doors, {})).toMatchObject({ mail_code: false });
    await expect(ask(app.visitor, ANN)).rejects.toMatchObject({ id: 'unsupported' });
    await expect(app.visitor.call(accountApi.signIn, { body: { username: ANN } })).rejects.toMatchObject({
      id: 'invalid_argument',
      facts: { field: 'password' },
    });
  });
});
