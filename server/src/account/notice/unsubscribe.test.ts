import { accountApi, unsubscribeApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  visitorAt,
  writeAccount,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  /**
   * Returns a member who was emailed about a sign-in from a new device, and the token of the unsubscribe
   * link.
   */
  async function told() {
    const server = await mailServer();
    const app = await openTestApp({
      dialect,
      environment: { SMTP_URL: server.url, SITE_URL: 'https://drive.test' },
    });
    await app.accounts.add({ email: 'ann@example.org', password: PASSWORD, name: 'Ann' }, 'member');
    const from = (address: string) =>
      visitorAt(app, address, {
        'user-agent': 'Mozilla/5.0 Firefox/140.0',
        'x-device-id': address.replaceAll('.', '-'),
      });
    const signIn = async (address: string) => {
      const grant = await from(address).call(accountApi.signIn, {
        body: { username: 'ann@example.org', password: PASSWORD },
      });
      await app.jobs.drain();
      return grant;
    };
    await signIn('198.51.100.1');
    const mail = server.mails.at(-1)!;
    const link = /https:\/\/drive\.test\/unsubscribe\?d=\S+/.exec(mail.text!)![0];
    return {
      app,
      server,
      mail,
      signIn,
      word: new URL(link).searchParams.get('d')!,
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  test('an email tells people and mail programs how to unsubscribe from its category', async () => {
    await using place = await told();
    expect(place.mail.headers.get('list')).toMatchObject({
      unsubscribe: { url: `https://drive.test/unsubscribe?d=${place.word}` },
      'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
    });
    expect(place.word).not.toContain(Buffer.from('ann@').toString('base64url').slice(0, 5));
  });

  test('opening the unsubscribe link changes nothing; confirming it unsubscribes without a sign-in', async () => {
    await using place = await told();
    const { app, word, server } = place;
    const look = () => app.visitor.call(unsubscribeApi.look, { query: { d: word } });
    const seen = { email: 'a***@example.org', scene: 'new_device', d: word };
    for (let times = 0; times < 2; times += 1) expect(await look()).toEqual({ ...seen, subscribed: true });
    await app.visitor.call(unsubscribeApi.act, { query: { d: word } });
    expect(await look()).toEqual({ ...seen, subscribed: false });
    const before = server.mails.length;
    await place.signIn('203.0.113.50');
    expect(server.mails).toHaveLength(before);
  });

  test('an unsubscribe token that was altered, or that names a former email address, is rejected', async () => {
    await using place = await told();
    const { app, word } = place;
    const forged = `${Buffer.from(JSON.stringify(['V', 'new_device', ''])).toString('base64url')}.${word.split('.')[1]}`;
    for (const d of [forged, 'x', `${word}x`])
      for (const spec of [unsubscribeApi.look, unsubscribeApi.act])
        await expect(app.visitor.call(spec, { query: { d } })).rejects.toMatchObject({ id: 'not_found' });
    const account = (await app.accounts.byEmail(app.database, 'ann@example.org'))!;
    const email = 'new@example.org';
    await writeAccount(app.database, account.id, { email, email_key: email });
    await expect(app.visitor.call(unsubscribeApi.look, { query: { d: word } })).rejects.toMatchObject({
      id: 'not_found',
    });
  });
});
