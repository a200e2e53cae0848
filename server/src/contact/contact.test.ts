import { contactApi, CONTACT_LIMITS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, mailServer, openTestApp, turnableClock, visitorAt } from '../../testing/index.ts';

const LETTER = {
  topic: 'question',
  email: 'vera@example.org',
  message: 'How do I keep a whole folder of songs?',
} as const;
const DAY_MS = 24 * 3600 * 1000;

eachDatabase((dialect) => {
  test('a visitor’s message reaches the administrator complete, with an address to reply to', async () => {
    await using server = await mailServer();
    await using app = await openTestApp({
      dialect,
      environment: { SMTP_URL: server.url, CONTACT_ADDRESS: 'operator@example.org' },
    });
    const link = 'https://drive.test/s/V0123';
    await app.visitor.call(contactApi.send, { body: { ...LETTER, email: ' vera@example.org ', link } });
    await app.jobs.drain();
    const [mail] = server.mails;
    expect(mail).toMatchObject({ subject: '[question] A message from vera@example.org' });
    expect(mail?.to).toMatchObject({ text: 'operator@example.org' });
    expect(mail?.replyTo?.value[0]?.address).toBe('vera@example.org');
    expect(mail?.text).toContain(LETTER.message);
    expect(mail?.text).toContain(link);
    expect(await app.contacts.of(1)).toMatchObject([{ ...LETTER, link, account: undefined }]);
  });

  test('a member’s message names the member, and waits in the database if there is no mail server', async () => {
    await using app = await openTestApp({
      dialect,
      environment: { CONTACT_ADDRESS: 'operator@example.org' },
    });
    const ann = await app.signUp('ann');
    await ann.call(contactApi.send, { body: LETTER });
    await app.jobs.drain();
    expect(await app.contacts.of(1)).toMatchObject([{ email: LETTER.email, account: ann.id }]);
  });

  test('replies to a member who names no address go to the account’s address; a visitor must name one', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await ann.call(contactApi.send, { body: { ...LETTER, email: '' } });
    expect(await app.contacts.of(1)).toMatchObject([{ email: ann.email, account: ann.id }]);
    await expect(app.visitor.call(contactApi.send, { body: { ...LETTER, email: '' } })).rejects.toMatchObject(
      { id: 'invalid_argument' },
    );
  });

  test('a message with invalid fields is rejected at the field and does not count against the limit', async () => {
    await using app = await openTestApp({ dialect });
    for (const [field, wrong] of [
      ['email', { email: 'nobody' }],
      ['email', { email: 'a@example.org\nBcc: b@example.org' }],
      ['message', { message: '  hm  ' }],
      ['message', { message: 'x'.repeat(CONTACT_LIMITS.messageMax + 1) }],
      ['link', { link: 'javascript:alert(1)' }],
    ] as const)
      for (let times = 0; times < 3; times += 1)
        await expect(
          app.visitor.call(contactApi.send, { body: { ...LETTER, ...wrong } }),
        ).rejects.toMatchObject({ id: 'invalid_argument', facts: { field } });
    expect(await app.contacts.of(1)).toEqual([]);
    await app.visitor.call(contactApi.send, { body: LETTER });
    expect(await app.contacts.of(1)).toHaveLength(1);
  });

  test('a bot that fills the hidden field is thanked, and its message is not stored', async () => {
    await using app = await openTestApp({ dialect });
    await app.visitor.call(contactApi.send, { body: { ...LETTER, website: 'https://cheap.example' } });
    expect(await app.contacts.of(1)).toEqual([]);
  });

  test('messages are rate-limited for each network', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const loud = visitorAt(app, '198.51.100.7');
    for (let times = 0; times < 6; times += 1) await loud.call(contactApi.send, { body: LETTER });
    await expect(loud.call(contactApi.send, { body: LETTER })).rejects.toMatchObject({
      id: 'too_frequent',
      facts: { retry_in: '60' },
    });
    await visitorAt(app, '198.51.100.8').call(contactApi.send, { body: LETTER });
    expect(await app.contacts.of(1)).toHaveLength(7);
  });

  test('messages are kept for half a year', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    await app.visitor.call(contactApi.send, { body: LETTER });
    clock.advance(179 * DAY_MS);
    await app.contacts.forgetOld();
    expect(await app.contacts.of(365)).toHaveLength(1);
    clock.advance(2 * DAY_MS);
    await app.contacts.forgetOld();
    expect(await app.contacts.of(365)).toEqual([]);
  });
});
