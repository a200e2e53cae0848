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

const NEW = 'a bower of green things';

const signIn = async (app: TestApp, username: string, password: string) => {
  const grant = await app.visitor.call(accountApi.signIn, { body: { username, password } });
  return person(app.http, { authorization: `Bearer ${grant.access_token}` }) as Member;
};
const askCode = (app: TestApp, email: string) =>
  app.visitor.call(accountApi.sendCode, { body: { email, usage: 'PASSWORD_RESET' } });
const prove = async (app: TestApp, id: string, code: string) =>
  (
    await app.visitor.call(accountApi.checkCode, {
      body: { verification_id: id, verification_code: code },
    })
  ).verification_token;
const reset = (app: TestApp, token: string, password = NEW) =>
  app.visitor.call(accountApi.resetPassword, {
    body: { verification_token: token, new_password: password },
  });
const isIn = (member: Member) =>
  member.call(accountApi.me, {}).then(
    () => true,
    () => false,
  );
const makePass = (member: Member) =>
  member.call(securityApi.createPass, {
    body: { password: PASSWORD, kind: 'app_password', name: 'rclone', scopes: ['dav'] },
  });

/** Creates an account in an installation that verifies addresses. */
async function join(app: TestApp, mail: Awaited<ReturnType<typeof mailServer>>, email: string) {
  const sent = await app.visitor.call(accountApi.sendCode, { body: { email, usage: 'REGISTER' } });
  const proof = await prove(app, sent.verification_id, codeIn(mail.mails.at(-1)));
  await app.visitor.call(accountApi.signUp, {
    body: { email, password: PASSWORD, verification_token: proof },
  });
}

eachDatabase((dialect) => {
  test('a forgotten password is reset with an emailed code, which ends all access that the old password opened', async () => {
    const clock = turnableClock();
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, clock, environment: { SMTP_URL: mail.url } });
    await join(app, mail, 'ann@example.org');
    const ann = await signIn(app, 'ann@example.org', PASSWORD);
    const { secret } = await makePass(ann);
    clock.advance(120_000);
    const sent = await askCode(app, 'ANN@example.org');
    expect(mail.mails.at(-1)!.subject).toBe(`${codeIn(mail.mails.at(-1))} is your password reset code`);
    await expect(prove(app, sent.verification_id, '000000x')).rejects.toMatchObject({
      id: 'verification_code_wrong',
    });
    const token = await prove(app, sent.verification_id, codeIn(mail.mails.at(-1)));
    await expect(reset(app, token, 'short')).rejects.toMatchObject({ id: 'password_too_weak' });
    await reset(app, token);
    await expect(reset(app, token)).rejects.toMatchObject({ id: 'verification_code_expired' });
    expect(await isIn(ann)).toBe(false);
    expect(await app.appPasswords.verify('ann@example.org', secret, '192.0.2.1')).toBeUndefined();
    await expect(signIn(app, 'ann@example.org', PASSWORD)).rejects.toMatchObject({
      id: 'invalid_account_or_password',
    });
    expect(await isIn(await signIn(app, 'ann@example.org', NEW))).toBe(true);
    await app.jobs.drain();
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'Your password was changed' });
  });

  test('requesting a password reset does not reveal whether an account exists: the response is the same, and an email is sent either way', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    await join(app, mail, 'ann@example.org');
    const known = await askCode(app, 'bob@example.org');
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'There is no account for this address' });
    expect(mail.mails.at(-1)!.text).not.toMatch(/\b\d{6}\b/);
    const answer = { ...known, verification_id: '' };
    await app.database.transaction((tx) => tx.on<{ throttle: object }>().deleteFrom('throttle').execute());
    expect({ ...(await askCode(app, 'ann@example.org')), verification_id: '' }).toEqual(answer);
    await expect(prove(app, known.verification_id, '123456')).rejects.toMatchObject({
      id: 'verification_code_wrong',
    });
  });

  test('a sign-up code can’t reset a password, and a reset code can’t open an account', async () => {
    const clock = turnableClock();
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, clock, environment: { SMTP_URL: mail.url } });
    await join(app, mail, 'ann@example.org');
    clock.advance(120_000);
    const sent = await app.visitor.call(accountApi.sendCode, {
      body: { email: 'ann@example.org', usage: 'REGISTER' },
    });
    const proof = await prove(app, sent.verification_id, codeIn(mail.mails.at(-1)));
    await expect(reset(app, proof)).rejects.toMatchObject({ id: 'verification_code_expired' });
    for (const nonsense of ['', 'x', 'V'.repeat(256)])
      await expect(reset(app, nonsense)).rejects.toMatchObject({ id: 'verification_code_expired' });
  });

  test('without a mail server an administrator’s one-time token resets a password, once and within a day', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    await expect(askCode(app, ann.email)).rejects.toMatchObject({ id: 'unsupported' });
    const token = await app.passwords.oneTimeToken({ email: ann.email, phone: '' });
    const late = await app.passwords.oneTimeToken({ email: ann.email, phone: '' });
    const racing = await Promise.allSettled(Array.from({ length: 4 }, () => reset(app, token)));
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await isIn(ann)).toBe(false);
    await signIn(app, ann.email, NEW);
    clock.advance(24 * 3600_000);
    await expect(reset(app, late)).rejects.toMatchObject({ id: 'verification_code_expired' });
    expect(app.logged.join('')).not.toContain(token);
  });

  test('changing the password keeps the current session and ends all other sessions, app passwords and tokens', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const elsewhere = await signIn(app, ann.email, PASSWORD);
    const { secret } = await makePass(ann);
    const change = (password: string, next: string, keep = false) =>
      ann.call(securityApi.changePassword, {
        body: { password, new_password: next, keep_passes: keep },
      });
    await expect(change('a wrong one', NEW)).rejects.toMatchObject({ id: 'invalid_password' });
    await expect(change(PASSWORD, 'ann@example.org')).rejects.toMatchObject({ id: 'password_too_weak' });
    expect(await isIn(elsewhere)).toBe(true);
    await change(PASSWORD, NEW, true);
    expect(await isIn(elsewhere)).toBe(false);
    expect(await isIn(ann)).toBe(true);
    expect(await app.appPasswords.verify(ann.email, secret, '192.0.2.1')).toBeDefined();
    expect(await app.appPasswords.verify(ann.email, PASSWORD, '192.0.2.1')).toBeUndefined();
    await change(NEW, PASSWORD);
    expect(await app.appPasswords.verify(ann.email, secret, '192.0.2.1')).toBeUndefined();
    expect(app.logged.join('')).not.toContain(NEW);
  });

  test('a session that begins while the password changes does not survive the change', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const racing = Array.from({ length: 4 }, () => signIn(app, ann.email, PASSWORD));
    await ann.call(securityApi.changePassword, { body: { password: PASSWORD, new_password: NEW } });
    for (const result of await Promise.allSettled(racing))
      if (result.status === 'fulfilled') expect(await isIn(result.value)).toBe(false);
  });

  test('changing the email address requires the password and a code sent to the new address, and the old address is notified', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    await join(app, mail, 'ann@example.org');
    await join(app, mail, 'bob@example.org');
    const ann = await signIn(app, 'ann@example.org', PASSWORD);
    const ask = (email: string) => ann.call(securityApi.sendEmailCode, { body: { email } });
    const change = (email: string, proof?: string, password = PASSWORD) =>
      ann.call(securityApi.changeEmail, {
        body: { email, password, ...(proof === undefined ? {} : { verification_token: proof }) },
      });
    await expect(change('new@example.org')).rejects.toMatchObject({ id: 'verification_code_expired' });
    const sent = await ask('new@example.org');
    const proof = await prove(app, sent.verification_id, codeIn(mail.mails.at(-1)));
    await expect(change('other@example.org', proof)).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    await expect(change('new@example.org', proof, 'a wrong one')).rejects.toMatchObject({
      id: 'invalid_password',
    });
    await change('new@example.org', proof);
    await app.jobs.drain();
    expect(mail.mails.at(-1)).toMatchObject({ subject: 'Your account’s email was changed' });
    expect(JSON.stringify(mail.mails.at(-1)!.to)).toContain('ann@example.org');
    await signIn(app, 'New@example.org', PASSWORD);
    await expect(signIn(app, 'ann@example.org', PASSWORD)).rejects.toMatchObject({
      id: 'invalid_account_or_password',
    });

    await app.database.transaction((tx) => tx.on<{ throttle: object }>().deleteFrom('throttle').execute());
    const taken = await ask('bob@example.org');
    const bobs = await prove(app, taken.verification_id, codeIn(mail.mails.at(-1)));
    await expect(change('bob@example.org', bobs)).rejects.toMatchObject({ id: 'email_taken' });
  });

  test('a member changes name, language and notifications, and no other field of the profile', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    expect(await ann.call(accountApi.me, {})).toMatchObject({ name: 'ann', new_device_mail: true });
    const body = { name: ' Ann\nBower ', new_device_mail: false, operator: true, role: 'operator', sub: 'x' };
    expect(await ann.call(accountApi.changeMe, { body })).toMatchObject({
      sub: ann.id,
      name: 'Ann Bower',
      new_device_mail: false,
      operator: false,
    });
    expect(await ann.call(accountApi.changeMe, { body: { name: ' ' } })).toMatchObject({ name: 'ann' });
    await ann.call(securityApi.changeEmail, { body: { email: 'ann2@example.org', password: PASSWORD } });
    expect(await ann.call(accountApi.me, {})).toMatchObject({ email: 'a***@example.org', name: 'ann' });
  });
});
