import { driveApi, eventApi, shareApi } from '@bowerbird/contract';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  turnableClock,
  upload,
  type Member,
  type TurnableClock,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  const list = (ann: Member, query: Record<string, string> = {}) => ann.call(eventApi.list, { query });
  const plays = JSON.stringify({ type: { in: 'TYPE_PLAY' } });
  const report = (ann: Member, id: string, seconds: number, duration = 100) =>
    ann.call(eventApi.report, {
      body: {
        event: {
          type: 'TYPE_PLAY',
          file_id: id,
          params: { play_seconds: String(seconds), play_duration: duration },
        },
      },
    });

  async function opened(): Promise<{
    app: Awaited<ReturnType<typeof openTestApp>>;
    ann: Member;
    clock: TurnableClock;
  }> {
    const clock = turnableClock();
    const app = await openTestApp({ dialect, clock });
    return { app, ann: await app.signUp('ann'), clock };
  }

  test('additions are recorded, newest first, and shown in their current state', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const first = await upload(app, ann, 'first.txt', 'one');
    clock.advance(1000);
    await upload(app, ann, 'second.txt', 'two');
    const bob = await app.signUp('bob');
    const ids = await plant(app, bob.id, { nest: { 'egg.txt': 'x' } });
    const { share_id: share } = await bob.call(shareApi.create, { body: { file_ids: [ids['nest']!] } });
    clock.advance(1000);
    await ann.call(shareApi.restore, { body: { share_id: share } });
    await ann.call(driveApi.rename, { params: { id: first.id }, body: { name: 'renamed.txt' } });
    const { events } = await list(ann);
    expect(events.map(({ type, file_name: name }) => [type, name])).toEqual([
      ['TYPE_RESTORE', 'nest'],
      ['TYPE_UPLOAD', 'second.txt'],
      ['TYPE_UPLOAD', 'renamed.txt'],
    ]);
    expect(events[2]).toMatchObject({
      file_id: first.id,
      folder_id: '',
      mime_type: 'text/plain',
      reference_resource: { id: first.id },
    });
    expect((await list(bob)).events).toEqual([]);
  });

  test('pages have no duplicates or gaps, and skip trashed files', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const files = [];
    for (let at = 0; at < 7; at++) {
      files.push(await upload(app, ann, `${at}.txt`, `content ${at}`));
      clock.advance(at % 2 === 0 ? 0 : 1000);
    }
    await ann.call(driveApi.trash, { body: { ids: [files[5]!.id, files[4]!.id] } });
    const seen: string[] = [];
    let token = '';
    do {
      const page = await list(ann, { limit: '2', page_token: token });
      expect(page.events.length).toBeGreaterThan(0);
      seen.push(...page.events.map(({ file_name: name }) => name));
      token = page.next_page_token;
    } while (token !== '');
    expect(seen).toEqual(['6.txt', '3.txt', '2.txt', '1.txt', '0.txt']);
  });

  test('a play is one event that is updated, and reports in quick succession are ignored', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const film = await upload(app, ann, 'film.mp4', 'a film');
    await report(ann, film.id, 10);
    clock.advance(1000);
    await report(ann, film.id, 11);
    const [early] = (await list(ann, { filters: plays })).events;
    expect(early).toMatchObject({
      type: 'TYPE_PLAY',
      progress: 10,
      params: { play_seconds: '10', play_duration: '100' },
    });
    clock.advance(2000);
    await report(ann, film.id, 60);
    const { events } = await list(ann, { filters: plays });
    expect(events).toMatchObject([{ id: early!.id, progress: 60 }]);
    expect((await list(ann)).events.map(({ type }) => type)).toEqual(['TYPE_UPLOAD']);
  });

  test('a play position beyond the end of the file counts as fully played', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const film = await upload(app, ann, 'film.mp4', 'a film');
    for (const [seconds, duration, progress] of [
      [130, 100, 100],
      [99, 100, 99],
      [7, 0, 0],
    ] as const) {
      await report(ann, film.id, seconds, duration);
      expect((await list(ann, { filters: plays })).events).toMatchObject([{ progress }]);
      clock.advance(2000);
    }
  });

  test('deleted events stay deleted, and a member deletes only their own', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const one = await upload(app, ann, 'one.mp4', 'one');
    clock.advance(1000);
    await upload(app, ann, 'two.mp4', 'two');
    await upload(app, bob, 'his.mp4', 'his');
    await report(ann, one.id, 5);
    const [newest] = (await list(ann)).events;
    const [his] = (await list(bob)).events;
    await ann.call(eventApi.remove, { body: { ids: [newest!.id, his!.id, 'nothing'] } });
    expect((await list(ann)).events.map(({ file_name: name }) => name)).toEqual(['one.mp4']);
    expect((await list(bob)).events).toHaveLength(1);
    await ann.call(eventApi.clear, { body: {} });
    expect((await list(ann)).events).toEqual([]);
    expect((await list(ann, { filters: plays })).events).toHaveLength(1);
    await ann.call(eventApi.clear, { body: { types: ['TYPE_PLAY'] } });
    expect((await list(ann, { filters: plays })).events).toEqual([]);
  });

  test('plays of another member’s files and invalid reports are rejected', async () => {
    const { app, ann } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const his = await upload(app, bob, 'his.mp4', 'his');
    await expect(report(ann, his.id, 1)).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(report(bob, his.id, -1)).rejects.toMatchObject({ id: 'invalid_argument' });
    await expect(list(ann, { filters: '{"name":{"eq":"x"}}' })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
    await expect(list(ann, { filters: '{"type":{"in":"TYPE_NONE"}}' })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
  });

  test('events of deleted files, and old events, are deleted automatically', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const gone = await upload(app, ann, 'gone.txt', 'gone');
    await upload(app, ann, 'stays.txt', 'stays');
    await ann.call(driveApi.remove, { params: { id: gone.id } });
    await app.jobs.drain();
    clock.advance(25 * 3600 * 1000);
    await app.jobs.drain();
    await app.drive.events.forgetOld(new AbortController().signal);
    const rows = await app.database
      .on<{ event: { node: string } }>()
      .selectFrom('event')
      .selectAll()
      .execute();
    expect(rows).toHaveLength(1);
    clock.advance(366 * 24 * 3600 * 1000);
    await app.drive.events.forgetOld(new AbortController().signal);
    expect(
      await app.database.on<{ event: { node: string } }>().selectFrom('event').selectAll().execute(),
    ).toEqual([]);
  });

  test('content is found by its quick digest in the member’s own drive only', async () => {
    const { app, ann } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const file = await upload(app, ann, 'egg.txt', 'an egg');
    const cid = createHash('sha1').update('an egg').digest('hex');
    const ask = (member: Member, query: { cid?: string; file_size?: string }) =>
      member.call(driveApi.byCid, { query });
    expect(await ask(ann, { cid, file_size: '6' })).toEqual({ gcid: file.hash });
    expect(await ask(ann, { cid: cid.toUpperCase(), file_size: '7' })).toEqual({ gcid: '' });
    expect(await ask(bob, { cid, file_size: '6' })).toEqual({ gcid: '' });
    for (const query of [{}, { cid }, { cid, file_size: '0' }, { cid: 'x', file_size: '6' }])
      await expect(ask(ann, query)).rejects.toMatchObject({ id: 'invalid_argument' });
  });
});
