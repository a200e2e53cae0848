import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountApi } from '@bowerbird/contract';
import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import {
  codeIn,
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  turnableClock,
  type TestApp,
} from '../../../testing/index.ts';

const send = (app: TestApp, email: string, extra: { locale?: string } = {}) =>
  app.visitor.call(accountApi.sendCode, { body: { email, usage: 'REGISTER', target: 'ANY', ...extra } });
const check = (app: TestApp, id: string, code: string) =>
  app.visitor.call(accountApi.checkCode, { body: { verification_id: id, verification_code: code } });

eachDatabase((dialect) => {
  test('with a mail server, signing up requires an emailed code', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    expect(await app.visitor.call(accountApi.signUpRules, {})).toMatchObject({ mail_verification: true });
    const signUp = (email: string, proof?: string) =>
      app.visitor.call(accountApi.signUp, {
        body: { email, password: PASSWORD, ...(proof === undefined ? {} : { verification_token: proof }) },
      });
    await expect(signUp('ann@example.org')).rejects.toMatchObject({ id: 'verification_code_expired' });

    const sent = await send(app, ' Ann@example.org', { locale: 'en-US' });
    expect(sent).toMatchObject({ is_user: false, retry_in: 60, expires_in: 600 });
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toMatchObject({ subject: `${codeIn(mail.mails[0])} is your Bowerbird code` });
    const proof = await check(app, sent.verification_id, codeIn(mail.mails[0]));
    await expect(signUp('bob@example.org', proof.verification_token)).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    await expect(signUp('ann@example.org', 'guess')).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    expect(await signUp('ann@example.org', proof.verification_token)).toMatchObject({ token_type: 'Bearer' });
    await expect(signUp('ann@example.org', proof.verification_token)).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
  });

  test('requesting a sign-up code does not reveal whether an email address has an account', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    await app.accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
    const { verification_id: _known, ...known } = await send(app, 'ann@example.org');
    const { verification_id: _unknown, ...unknown } = await send(app, 'bob@example.org');
    expect(known).toEqual(unknown);
  });

  test('a code works once, for five attempts and ten minutes', async () => {
    const clock = turnableClock();
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, clock, environment: { SMTP_URL: mail.url } });
    const sent = await send(app, 'ann@example.org');
    const code = codeIn(mail.mails[0]);
    const wrong = code === '000000' ? '000001' : '000000';
    const guesses = await Promise.allSettled(
      Array.from({ length: 12 }, () => check(app, sent.verification_id, wrong)),
    );
    const ids = guesses.map((guess) => guess.status === 'rejected' && (guess.reason as { id: string }).id);
    expect(ids.filter((id) => id === 'verification_code_wrong')).toHaveLength(5);
    expect(ids.filter((id) => id === 'verification_code_expired')).toHaveLength(7);
    await expect(check(app, sent.verification_id, code)).rejects.toMatchObject({
      id: 'verification_code_expired',
    });

    clock.advance(120_000);
    const again = await send(app, 'ann@example.org');
    clock.advance(599_000);
    // The code was pasted with surrounding text.
    await check(app, again.verification_id, ` ${codeIn(mail.mails[1]).replace(/^.../, '$& ')} `);
    await expect(check(app, again.verification_id, codeIn(mail.mails[1]))).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    clock.advance(3600_000);
    const late = await send(app, 'ann@example.org');
    clock.advance(600_000);
    await expect(check(app, late.verification_id, codeIn(mail.mails[2]))).rejects.toMatchObject({
      id: 'verification_code_expired',
    });
    await expect(check(app, 'Vunknown', '123456')).rejects.toMatchObject({ id: 'verification_code_expired' });
  });

  test.each([' ', '-', ' - '])(
    'a code may be typed in two halves with “%s” between them',
    async (between) => {
      await using mail = await mailServer();
      await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
      const sent = await send(app, 'ann@example.org');
      const code = codeIn(mail.mails[0]);
      const typed = code.slice(0, 3) + between + code.slice(3);
      expect((await check(app, sent.verification_id, typed)).verification_token).not.toBe('');
    },
  );

  test('an email address gets one code a minute, then fewer, however many requests there are', async () => {
    const clock = turnableClock();
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, clock, environment: { SMTP_URL: mail.url } });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => send(app, 'ann@example.org')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(mail.mails).toHaveLength(1);
    await expect(send(app, 'ANN@example.org')).rejects.toMatchObject({
      id: 'verification_too_frequent',
      status: 429,
      facts: { retry_in: '60' },
    });
    await send(app, 'bob@example.org');
    clock.advance(60_000);
    expect(await send(app, 'ann@example.org')).toMatchObject({ retry_in: 120 });
  });

  test('an email address that its mail server rejects is reported as wrong', async () => {
    await using mail = await mailServer();
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: mail.url } });
    const sent = send(app, 'nobody@example.org');
    await expect(sent).rejects.toMatchObject({ id: 'invalid_argument', facts: { field: 'email' } });
  });

  test('without a mail server codes are written to the outbox in the reader’s language, and signing up requires none', async () => {
    await using app = await openTestApp({ dialect });
    const sent = await send(app, 'ann@example.org', { locale: 'en-US' });
    const outbox = join(app.config.DATA_DIR, 'outbox');
    const [file] = await readdir(outbox);
    const mail = await simpleParser(await readFile(join(outbox, file!)));
    expect(mail.to).toMatchObject({ text: 'ann@example.org' });
    await check(app, sent.verification_id, codeIn(mail));
    await app.signUp('ann');
  });

  test('when the mail server is unreachable, no code counts as sent', async () => {
    await using app = await openTestApp({ dialect, environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    await expect(send(app, 'ann@example.org')).rejects.toMatchObject({ id: 'unavailable' });
  });
});
