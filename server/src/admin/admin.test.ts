import { adminApi, contactApi, type EndpointSpec } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  faultyStorage,
  mailServer,
  openTestApp,
  signIn,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const LETTER = {
  topic: 'question',
  email: 'vera@example.org',
  message: 'How do I keep a whole folder?',
} as const;

/** Member who is an administrator and is signed in. */
async function operatorOf(app: TestApp): Promise<Member> {
  const account = await app.accounts.add(
    { email: 'olga@example.org', name: 'Olga', password: 'a bower of blue things' },
    'operator',
  );
  return signIn(app.http, {
    id: account.id,
    email: 'olga@example.org',
    password: 'a bower of blue things',
  } as Member);
}

const CALLS: readonly [EndpointSpec, object][] = [
  [adminApi.service, {}],
  [adminApi.reach, {}],
  [adminApi.testMail, {}],
  [adminApi.people, { query: {} }],
  [adminApi.admit, { params: { id: 'someone' } }],
  [adminApi.decline, { params: { id: 'someone' } }],
  [adminApi.freeze, { params: { id: 'someone' } }],
  [adminApi.thaw, { params: { id: 'someone' } }],
  [adminApi.setStorage, { params: { id: 'someone' }, body: { storage_limit: '1' } }],
  [adminApi.messages, { query: {} }],
  [adminApi.handleMessage, { params: { id: 'something' } }],
];

test('every administrator endpoint is in the list of calls that are tried without permission', () => {
  expect(CALLS.map(([spec]) => spec.name).toSorted()).toEqual(
    Object.values(adminApi)
      .map(({ name }) => name)
      .toSorted(),
  );
});

eachDatabase((dialect) => {
  test('members and visitors can call no administrator endpoint', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    for (const [spec, input] of CALLS) {
      await expect(ann.call(spec, input as never), spec.name).rejects.toMatchObject({
        id: 'permission_denied',
      });
      await expect(app.visitor.call(spec, input as never), spec.name).rejects.toMatchObject({
        id: 'unauthenticated',
      });
    }
  });

  test('the service status shows the settings, the space in use, who waits for approval, and overdue jobs', async () => {
    await using app = await openTestApp({
      dialect,
      environment: { SIGN_UP: 'approval', MAIL_FROM: 'drive@example.org', DISK_RESERVE: '1 MB' },
    });
    const olga = await operatorOf(app);
    await expect(app.signUp('ann')).rejects.toMatchObject({ id: 'account_not_activated' });
    await app.visitor.call(contactApi.send, { body: LETTER });
    await app.visitor.call(contactApi.send, { body: { ...LETTER, topic: 'abuse' } });
    const waiting = await app.accounts.byEmail(app.database, 'ann@example.org');
    await app.database.transaction((tx) => app.quota.reserve(tx, waiting!.id, 300));
    const state = await olga.call(adminApi.service, {});
    expect(state).toMatchObject({
      site_url: 'http://drive.test',
      mail: { delivers: false, from: 'drive@example.org' },
      sign_up: 'approval',
      space: { used: '0', arriving: '300', reserve: String(2 ** 20), level: 'ok' },
      people: { all: 2, waiting: 1, frozen: 0 },
      messages: { reports: 1, others: 1 },
      health: { database: true, storage: true, jobs_late: 0, jobs_failing: 0 },
    });
    expect(Number(state.space.free)).toBeGreaterThan(0);
  });

  test('the disk level is low from the warning threshold and full when only the reserve is left', async () => {
    const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
    await using app = await openTestApp({
      dialect,
      storage,
      environment: { DISK_WARNING: '100 MB', DISK_RESERVE: '10 MB' },
    });
    const olga = await operatorOf(app);
    for (const [megabytes, level] of [
      [100, 'ok'],
      [99, 'low'],
      [11, 'low'],
      [10, 'full'],
    ] as const) {
      faults.freeSpace = megabytes * 2 ** 20;
      const { space } = await olga.call(adminApi.service, {});
      expect(space).toMatchObject({ free: String(faults.freeSpace), level });
    }
  });

  test('the service status counts overdue jobs and failing jobs', async () => {
    await using app = await openTestApp({ dialect });
    const olga = await operatorOf(app);
    await app.database.transaction((tx) =>
      app.jobs.enqueue(tx, 'nobody-does-this', null, { delayMs: -120_000 }),
    );
    app.jobs.define('fails', () => Promise.reject(new Error('on purpose')));
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'fails', null));
    await app.jobs.drain();
    const { health } = await olga.call(adminApi.service, {});
    expect(health).toMatchObject({ jobs_late: 1, jobs_failing: 1 });
  });

  test('a waiting member is approved or declined, and declining deletes the account', async () => {
    await using app = await openTestApp({ dialect, environment: { SIGN_UP: 'approval' } });
    const olga = await operatorOf(app);
    await expect(app.signUp('ann')).rejects.toThrow();
    await expect(app.signUp('ben')).rejects.toThrow();
    const { people } = await olga.call(adminApi.people, { query: { status: 'waiting' } });
    expect(people.map(({ email, status, seen_at }) => [email, status, seen_at])).toEqual([
      ['ann@example.org', 'waiting', ''],
      ['ben@example.org', 'waiting', ''],
    ]);
    const [ann, ben] = people;
    await expect(olga.call(adminApi.freeze, { params: { id: ann!.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await olga.call(adminApi.admit, { params: { id: ann!.id } });
    await olga.call(adminApi.decline, { params: { id: ben!.id } });
    expect(await app.accounts.find(app.database, ben!.id)).toBeUndefined();
    await expect(olga.call(adminApi.decline, { params: { id: ann!.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await expect(olga.call(adminApi.admit, { params: { id: ann!.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    expect((await olga.call(adminApi.people, { query: {} })).people).toHaveLength(2);
  });

  test('a suspended member is locked out until the suspension is lifted; administrators can’t suspend one another', async () => {
    await using app = await openTestApp({ dialect });
    const olga = await operatorOf(app);
    const ann = await app.signUp('ann');
    await olga.call(adminApi.freeze, { params: { id: ann.id } });
    await expect(ann.call(adminApi.people, { query: {} })).rejects.toMatchObject({ id: 'account_frozen' });
    expect((await olga.call(adminApi.people, { query: { status: 'frozen' } })).people).toMatchObject([
      { id: ann.id, status: 'frozen' },
    ]);
    await olga.call(adminApi.thaw, { params: { id: ann.id } });
    await signIn(app.http, ann);
    await expect(olga.call(adminApi.thaw, { params: { id: ann.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await expect(olga.call(adminApi.freeze, { params: { id: olga.id } })).rejects.toMatchObject({
      id: 'permission_denied',
    });
    await expect(olga.call(adminApi.freeze, { params: { id: 'nobody' } })).rejects.toMatchObject({
      id: 'not_found',
    });
  });

  test('a member’s quota is set, and malformed sizes are rejected', async () => {
    await using app = await openTestApp({ dialect });
    const olga = await operatorOf(app);
    const ann = await app.signUp('ann');
    await olga.call(adminApi.setStorage, { params: { id: ann.id }, body: { storage_limit: '5000' } });
    expect(await app.quota.of(app.database, ann.id)).toMatchObject({ limit: 5000 });
    for (const wrong of ['-1', '99999999999999999999'])
      await expect(
        olga.call(adminApi.setStorage, { params: { id: ann.id }, body: { storage_limit: wrong } }),
      ).rejects.toMatchObject({ id: 'invalid_argument' });
    await expect(
      olga.call(adminApi.setStorage, { params: { id: 'nobody' }, body: { storage_limit: '1' } }),
    ).rejects.toMatchObject({ id: 'not_found' });
  });

  test('members and messages are listed page by page without duplicates', async () => {
    await using app = await openTestApp({ dialect });
    const olga = await operatorOf(app);
    for (const name of ['ann', 'ben', 'cleo']) await app.signUp(name);
    for (const topic of ['question', 'problem', 'abuse'] as const)
      await app.visitor.call(contactApi.send, { body: { ...LETTER, topic } });
    const names: string[] = [];
    const topics: string[] = [];
    for (let token = '', turn = 0; turn === 0 || token !== ''; turn += 1) {
      const reply = await olga.call(adminApi.people, { query: { limit: 3, page_token: token } });
      names.push(...reply.people.map(({ email }) => email.split('@')[0]!));
      token = reply.next_page_token;
    }
    for (let token = '', turn = 0; turn === 0 || token !== ''; turn += 1) {
      const reply = await olga.call(adminApi.messages, { query: { limit: 1, page_token: token } });
      topics.push(...reply.messages.map(({ topic }) => topic));
      token = reply.next_page_token;
    }
    expect(names).toEqual(['olga', 'ann', 'ben', 'cleo']);
    expect(topics).toEqual(['abuse', 'problem', 'question']);
  });

  test('a message marked as done leaves the list and is still stored', async () => {
    await using app = await openTestApp({ dialect });
    const olga = await operatorOf(app);
    await app.visitor.call(contactApi.send, {
      body: { ...LETTER, topic: 'copyright', link: 'https://drive.test/s/V0' },
    });
    const { messages } = await olga.call(adminApi.messages, { query: { kind: 'report' } });
    expect(messages).toMatchObject([
      { topic: 'copyright', link: 'https://drive.test/s/V0', email: LETTER.email },
    ]);
    expect((await olga.call(adminApi.messages, { query: { kind: 'other' } })).messages).toEqual([]);
    const one = { params: { id: messages[0]!.id } };
    await olga.call(adminApi.handleMessage, one);
    expect((await olga.call(adminApi.messages, { query: {} })).messages).toEqual([]);
    await expect(olga.call(adminApi.handleMessage, one)).rejects.toMatchObject({ id: 'not_found' });
    expect(await app.contacts.of(1)).toHaveLength(1);
  });
});

test('a test email reaches the administrator who requests it, and a rejection quotes the mail server', async () => {
  const server = await mailServer();
  await using app = await openTestApp({ environment: { SMTP_URL: server.url } });
  const olga = await operatorOf(app);
  expect(await olga.call(adminApi.testMail, {})).toEqual({ sent: true, to: 'olga@example.org', reason: '' });
  expect(server.mails[0]).toMatchObject({ subject: 'Test message from Bowerbird' });
  await server[Symbol.asyncDispose]();
  const refused = await olga.call(adminApi.testMail, {});
  expect(refused).toMatchObject({ sent: false, to: 'olga@example.org' });
  expect(refused.reason).not.toBe('');
});

test('no test email is offered without a mail server', async () => {
  await using app = await openTestApp();
  const olga = await operatorOf(app);
  await expect(olga.call(adminApi.testMail, {})).rejects.toMatchObject({ id: 'unsupported' });
});

test('an address is reported as unreachable if another server, or none, responds there', async () => {
  await using app = await openTestApp({ environment: { SITE_URL: 'http://127.0.0.1:9' } });
  const olga = await operatorOf(app);
  expect(await olga.call(adminApi.reach, {})).toEqual({ reached: false });
  await using other = await openTestApp();
  const address = await other.http.listen({ port: 0, host: '127.0.0.1' });
  await using reached = await openTestApp({ environment: { SITE_URL: address } });
  expect(await (await operatorOf(reached)).call(adminApi.reach, {})).toEqual({ reached: true });
});
