import { adminApi, driveApi, securityApi } from '@bowerbird/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApp, type App } from '../app.ts';
import { createLog } from '../foundation/index.ts';
import {
  eachDatabase,
  helperProgram,
  openTestApp,
  PASSWORD,
  person,
  readLive,
  type LiveReader,
  signIn,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const folder = (name: string) => ({ body: { kind: 'drive#folder', name } }) as const;

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let people = 0;
  const someone = (): Promise<Member> => app.signUp(`someone-${(people += 1)}`);
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  beforeEach(async () => {
    ann = await someone();
  });
  afterAll(() => app.close());

  test('a member’s stream tells of their changes within a moment, and of nobody else’s', async () => {
    const bob = await someone();
    using anns = await readLive(app, ann);
    using bobs = await readLive(app, bob);
    await bobs.next('beat');
    expect(anns.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const begun = performance.now();
    await ann.call(driveApi.create, folder('nest'));
    await anns.next('change', 'files');
    expect(performance.now() - begun).toBeLessThan(8000);
    expect(bobs.events.filter(({ name }) => name === 'change')).toEqual([]);
    await bob.call(driveApi.create, folder('his'));
    await bobs.next('change', 'files');
    expect(anns.events.filter(({ name }) => name === 'change')).toHaveLength(1);
  });

  test('many changes become few events', async () => {
    using anns = await readLive(app, ann);
    await anns.next('beat');
    const begun = performance.now();
    for (let at = 0; at < 20; at++) await ann.call(driveApi.create, folder(`nest ${at}`));
    const seconds = (performance.now() - begun) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 700));
    const changes = anns.events.filter(({ name }) => name === 'change').length;
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThanOrEqual(2 + Math.ceil(seconds / 0.5));
  });

  test('a client that returns learns what it missed, and only that', async () => {
    using first = await readLive(app, ann);
    await first.next('beat');
    await ann.call(driveApi.create, folder('known'));
    const { id } = await first.next('change', 'files');
    first[Symbol.dispose]();

    // Nothing has happened since.
    using same = await readLive(app, ann, { 'last-event-id': id! });
    await same.next('beat');
    expect(same.events.map(({ name }) => name)).toEqual(['beat']);
    same[Symbol.dispose]();

    await ann.call(driveApi.create, folder('missed'));
    using later = await readLive(app, ann, { 'last-event-id': id! });
    expect((await later.next('change')).data.topics).toEqual(expect.arrayContaining(['files']));

    // The id of another process, and a client that was away for a whole night, get to look at everything again.
    using strange = await readLive(app, ann, { 'last-event-id': 'abcdef012345-3' });
    await strange.next('resync');
    using overnight = await readLive(app, ann, { query: '?away=800000000' });
    await overnight.next('resync');
  });

  test('a page that was read a moment ago learns what was changed since', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    using idle = await readLive(app, ann, { query: '?away=10' });
    // Signing up was more than the two seconds ago that another server may need to tell this one.
    await idle.next('beat');
    expect(idle.events).toHaveLength(1);
    await ann.call(driveApi.create, folder('nest'));
    using later = await readLive(app, ann, { query: '?away=8000' });
    expect((await later.next('change')).data.topics).toContain('files');
  }, 60_000);

  test('a stream ends with its session: signed out, ended elsewhere, or suspended', async () => {
    const phone = await signIn(app.http, ann);
    using anns = await readLive(app, ann);
    using phones = await readLive(app, phone);
    await Promise.all([anns.next('beat'), phones.next('beat')]);
    await ann.call(securityApi.endOtherSessions, {});
    await phones.next('end');
    await phones.ended;
    await expect(readLive(app, phone)).rejects.toThrow('401');

    const { pass, secret } = await ann.call(securityApi.createPass, {
      body: { password: PASSWORD, kind: 'access_token', name: 'script', scopes: ['pan'] },
    });
    using scripts = await readLive(app, person(app.http, { authorization: `Bearer ${secret}` }));
    await scripts.next('beat');
    await ann.call(securityApi.revokePass, { body: { id: pass.id, password: PASSWORD } });
    await scripts.next('end');

    const olga = await someone();
    await app.accounts.makeOperator(olga.id);
    expect(anns.events.some(({ name }) => name === 'end')).toBe(false);
    await olga.call(adminApi.freeze, { params: { id: ann.id } });
    await anns.next('end');
    await anns.ended;
  });

  test('visitors, and tokens that may not see files, get no stream', async () => {
    await expect(readLive(app, app.visitor)).rejects.toThrow('401');
    const { secret } = await ann.call(securityApi.createPass, {
      body: { password: PASSWORD, kind: 'access_token', name: 'script', scopes: ['user'] },
    });
    await expect(readLive(app, person(app.http, { authorization: `Bearer ${secret}` }))).rejects.toThrow(
      '403',
    );
    await expect(readLive(app, ann, { query: '?away=soon' })).rejects.toThrow('400');
  });

  test('one account can’t use up the streams of all others', async () => {
    await expect.poll(() => app.domains.live.live.count).toBe(0);
    const streams: LiveReader[] = [];
    for (let at = 0; at < 60; at++) streams.push(await readLive(app, ann));
    await expect(readLive(app, ann)).rejects.toThrow('429');
    using bobs = await readLive(app, await someone());
    await bobs.next('beat');
    streams.pop()![Symbol.dispose]();
    await expect.poll(() => app.domains.live.live.count).toBe(60);
    streams.push(await readLive(app, ann));
    for (const stream of streams) stream[Symbol.dispose]();
    await expect.poll(() => app.domains.live.live.count).toBe(1);
  });

  test('a stop ends the streams at once', async () => {
    const stopped = await openTestApp({ dialect });
    using anns = await readLive(stopped, await stopped.signUp('ann'));
    await anns.next('beat');
    const begun = performance.now();
    await stopped.close();
    await anns.ended;
    expect(anns.events.some(({ name }) => name === 'end')).toBe(false);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

describe('on postgres', () => {
  test('servers tell each other’s streams, and streams look at everything again after a lost connection', async () => {
    await using app = await openTestApp({ dialect: 'postgres' });
    const ann = await app.signUp('ann');
    const other: App = await openApp(app.config, { log: createLog('silent'), program: helperProgram });
    try {
      using here = await readLive(app, ann);
      using there = await readLive(other, ann);
      // Servers connect to each other in the background, before or after their first streams.
      const hasHeard = ({ events }: LiveReader): boolean => events.some(({ name }) => name === 'change');
      let made = 0;
      const change = async (): Promise<boolean> => {
        await ann.call(driveApi.create, folder(`nest ${made++}`));
        return hasHeard(here) && hasHeard(there);
      };
      await expect.poll(change, { interval: 300 }).toBe(true);

      // The session ends in one process, and the stream in the other.
      const phone = await signIn(app.http, ann);
      using phones = await readLive(other, phone);
      await phones.next('beat');
      await ann.call(securityApi.endOtherSessions, {});
      await phones.next('end');

      await app.database.transaction(async (tx) => {
        const { sql } = await import('kysely');
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bowerbird_live' and datname = current_database()`.execute(
          tx.on(),
        );
      });
      await Promise.all([here.next('resync'), there.next('resync')]);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await ann.call(driveApi.create, folder('again'));
      await Promise.all([here.next('change', 'files'), there.next('change', 'files')]);

      // A command that ends at once tells them, too.
      const command = await openApp(app.config, { log: createLog('silent'), program: helperProgram });
      await command.database.transaction(async (tx) => tx.changed(ann.id, 'plan'));
      await command.close();
      await there.next('change', 'plan');
    } finally {
      await other.close();
    }
  });
});
