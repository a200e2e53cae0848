import { accountApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  type TestApp,
} from '../../../testing/index.ts';

const OPERATOR = 'olga@example.org';
const EMAIL = 'a&reboot@example.org';
const WAITING = { id: 'account_not_activated', code: 4012 };

eachDatabase((dialect) => {
  /** An installation where an administrator approves accounts, with one waiting. */
  async function somebodyWaits() {
    const server = await mailServer();
    const app = await openTestApp({ dialect, environment: { SIGN_UP: 'approval', SMTP_URL: server.url } });
    await app.accounts.add({ email: OPERATOR, password: PASSWORD, name: 'Olga' }, 'operator');
    const proof = await proofOf(app, EMAIL, () => codeIn(server.mails.at(-1)));
    const body = { email: EMAIL, password: PASSWORD, verification_token: proof };
    await expect(app.visitor.call(accountApi.signUp, { body })).rejects.toMatchObject(WAITING);
    await app.jobs.drain();
    const { id } = (await app.accounts.byEmail(app.database, EMAIL))!;
    return {
      app,
      id,
      mails: server.mails,
      signIn: (password: string) =>
        app.visitor.call(accountApi.signIn, { body: { username: EMAIL, password } }),
      async [Symbol.asyncDispose]() {
        await app.close();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  async function proofOf(app: TestApp, email: string, code: () => string): Promise<string> {
    const sent = await app.visitor.call(accountApi.sendCode, { body: { email, usage: 'REGISTER' } });
    const proven = await app.visitor.call(accountApi.checkCode, {
      body: { verification_id: sent.verification_id, verification_code: code() },
    });
    return proven.verification_token;
  }

  test('a new account waits for approval, and only someone with its password learns that', async () => {
    await using place = await somebodyWaits();
    expect(await place.app.visitor.call(accountApi.signUpRules, {})).toMatchObject({
      open: true,
      approval: true,
    });
    await expect(place.signIn(PASSWORD)).rejects.toMatchObject(WAITING);
    await expect(place.signIn('somebody who guesses 9')).rejects.toMatchObject({
      id: 'invalid_account_or_password',
    });
  });

  test('administrators are notified of a new account by email, with commands that an email address cannot inject into', async () => {
    await using place = await somebodyWaits();
    const { subject, text = '', to } = place.mails.at(-1)!;
    expect([to, subject]).toEqual([
      expect.objectContaining({ text: OPERATOR }),
      `${EMAIL} is waiting for approval`,
    ]);
    const commands = text.split('\n').filter((line) => line.startsWith('npx'));
    expect(commands).toEqual([
      `npx bowerbird user admit ${place.id}`,
      `npx bowerbird user delete ${place.id} --now`,
    ]);
  });

  test('unfreezing an account does not approve it', async () => {
    await using place = await somebodyWaits();
    expect(await place.app.accounts.freeze(place.id, false)).toBe(false);
    await expect(place.signIn(PASSWORD)).rejects.toMatchObject(WAITING);
    expect(await place.app.accounts.admit(place.id)).toBe(true);
  });

  test('an approved member can sign in and is notified once by email', async () => {
    await using place = await somebodyWaits();
    expect(await place.app.accounts.admit(place.id)).toBe(true);
    expect(await place.app.accounts.admit(place.id)).toBe(false);
    await place.app.jobs.drain();
    const told = place.mails.filter(({ subject }) => subject === 'Your account is approved');
    expect(told).toMatchObject([{ to: { text: EMAIL } }]);
    expect(await place.signIn(PASSWORD)).toMatchObject({ sub: place.id });
  });
});
