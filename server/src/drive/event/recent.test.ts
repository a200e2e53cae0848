import { driveApi, eventApi, preferenceApi, recentApi, shareApi, type RecentKind } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TurnableClock,
} from '../../../testing/index.ts';

eachDatabase((dialect) => {
  const list = (ann: Member, query: Record<string, string> = {}) => ann.call(recentApi.list, { query });
  const shown = async (ann: Member, query: Record<string, string> = {}) =>
    (await list(ann, query)).entries.map(({ event, file }) => [event, file.name]);
  const open = (ann: Member, id: string) =>
    ann.call(driveApi.get, { params: { id }, query: { opened: 'true' } });
  const play = (ann: Member, id: string, seconds: number, duration: number) =>
    ann.call(eventApi.report, {
      body: {
        event: {
          type: 'TYPE_PLAY',
          file_id: id,
          params: { play_seconds: seconds, play_duration: duration },
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
  const replace = (
    app: Awaited<ReturnType<typeof openTestApp>>,
    id: string,
    account: string,
    content: string,
  ) =>
    app.database.transaction(async (tx) => {
      await app.drive.nodes.lock(tx, account);
      const node = (await app.drive.nodes.find(tx, account, id))!;
      await app.drive.placements.replaceContent(tx, node, {
        blob: node.blob!,
        size: content.length,
        modifiedAt: 1,
        by: 'edit',
      });
    });

  test('a file is listed once, with its latest event, and filters choose among its events', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const note = await upload(app, ann, 'note.txt', 'a note');
    clock.advance(1000);
    const film = await upload(app, ann, 'film.mp4', 'a film');
    clock.advance(1000);
    await open(ann, note.id);
    clock.advance(1000);
    await play(ann, film.id, 754, 2700);
    clock.advance(1000);
    await ann.call(shareApi.create, { body: { file_ids: [note.id] } });
    expect(await shown(ann)).toEqual([
      ['shared', 'note.txt'],
      ['played', 'film.mp4'],
    ]);
    const kinds = (...wanted: RecentKind[]) => shown(ann, { kinds: wanted.join(',') });
    expect(await kinds('added')).toEqual([
      ['added', 'film.mp4'],
      ['added', 'note.txt'],
    ]);
    expect(await kinds('opened', 'added')).toEqual([
      ['opened', 'note.txt'],
      ['added', 'film.mp4'],
    ]);
    expect(await shown(ann, { categories: 'video' })).toEqual([['played', 'film.mp4']]);
    expect((await list(ann, { kinds: 'played' })).entries).toMatchObject([
      { play: { file_id: film.id, seconds: 754, duration: 2700 }, folder: { id: '', name: '' } },
    ]);
    for (const query of [{ kinds: 'added,eaten' }, { categories: 'films' }, { page_token: 'x' }])
      await expect(list(ann, query)).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('clients of the protocol see no other events than before', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const note = await upload(app, ann, 'note.txt', 'a note');
    clock.advance(1000);
    await open(ann, note.id);
    await ann.call(shareApi.create, { body: { file_ids: [note.id] } });
    await replace(app, note.id, ann.id, 'edited');
    expect(await shown(ann, { kinds: 'edited' })).toEqual([['edited', 'note.txt']]);
    const { events } = await ann.call(eventApi.list, { query: {} });
    expect(events.map(({ type }) => type)).toEqual(['TYPE_UPLOAD']);
  });

  test('pages have no duplicates or gaps, and leave out files that are in the trash', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const files = [];
    for (let at = 0; at < 9; at++) {
      files.push(await upload(app, ann, `${at}.${at % 3 === 0 ? 'mp4' : 'txt'}`, `content ${at}`));
      clock.advance(at % 2 === 0 ? 0 : 1000);
    }
    for (const at of [1, 3, 8]) await open(ann, files[at]!.id);
    await ann.call(driveApi.trash, { body: { ids: [files[5]!.id] } });
    const all = async (query: Record<string, string>) => {
      const seen: string[] = [];
      let token = '';
      do {
        const page = await list(ann, { ...query, limit: '2', page_token: token });
        expect(page.entries.length).toBeLessThanOrEqual(2);
        seen.push(...page.entries.map(({ file }) => file.name));
        token = page.next_page_token;
      } while (token !== '');
      return seen;
    };
    const everything = await all({});
    expect(everything.slice(0, 3).toSorted()).toEqual(['1.txt', '3.mp4', '8.txt']);
    expect(everything.slice(3)).toEqual(['7.txt', '6.mp4', '4.txt', '2.txt', '0.mp4']);
    expect(await all({ categories: 'video' })).toEqual(['3.mp4', '6.mp4', '0.mp4']);
  });

  test('opening is recorded once in five minutes, and only if the member wants it', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const note = await upload(app, ann, 'note.txt', 'a note');
    const timeOf = async () =>
      (await list(ann, { kinds: 'opened' })).entries.map(({ time }) => Date.parse(time));
    await ann.call(driveApi.get, { params: { id: note.id }, query: {} });
    expect(await timeOf()).toEqual([]);
    await open(ann, note.id);
    const [first] = await timeOf();
    clock.advance(4 * 60_000);
    await open(ann, note.id);
    expect(await timeOf()).toEqual([first]);
    clock.advance(2 * 60_000);
    await open(ann, note.id);
    expect(await timeOf()).toEqual([first! + 6 * 60_000]);

    await ann.call(preferenceApi.change, { body: { rememberOpenedFiles: false } });
    await ann.call(recentApi.clear, { body: { kinds: ['opened'] } });
    clock.advance(6 * 60_000);
    await open(ann, note.id);
    await play(ann, note.id, 60, 100);
    expect(await timeOf()).toEqual([]);
    expect((await list(ann, { kinds: 'played' })).entries).toEqual([]);
  });

  test('a file opens even if nothing can be recorded', async () => {
    const { app, ann } = await opened();
    await using _ = app;
    const note = await upload(app, ann, 'note.txt', 'a note');
    await app.database.transaction((tx) => tx.on<{ recent: object }>().schema.dropTable('recent').execute());
    expect(await open(ann, note.id)).toMatchObject({ name: 'note.txt' });
    await expect(app.drive.recents.flush()).rejects.toThrow();
    expect(await open(ann, note.id)).toMatchObject({ name: 'note.txt' });
  });

  test('videos and long recordings can be resumed between their beginning and their end', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const resumable = async () =>
      (await list(ann, { unfinished: 'true' })).entries.map(({ file }) => file.name);
    const film = await upload(app, ann, 'film.mp4', 'a film');
    const song = await upload(app, ann, 'song.mp3', 'a song');
    const talk = await upload(app, ann, 'talk.mp3', 'a talk');
    await play(ann, song.id, 60, 200);
    await play(ann, talk.id, 60, 3600);
    const steps = [
      [14, []],
      [15, ['film.mp4']],
      [949, ['film.mp4']],
      [950, []],
    ] as const;
    for (const [seconds, names] of steps) {
      clock.advance(2000);
      await play(ann, film.id, seconds, 1000);
      expect(await resumable()).toEqual([...names, 'talk.mp3']);
    }
    const positions = (member: Member) =>
      member.call(recentApi.positions, { query: { file_ids: `${film.id},${talk.id},nothing` } });
    const found = (await positions(ann)).positions.map(({ file_id: id, seconds }) => [id, seconds]);
    expect(new Map(found as [string, number][])).toEqual(
      new Map([
        [film.id, 950],
        [talk.id, 60],
      ]),
    );
    expect(await positions(bob)).toEqual({ positions: [] });
    await expect(
      ann.call(recentApi.positions, { query: { file_ids: Array(101).fill('x').join(',') } }),
    ).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('removed entries stay away, their files stay, and nobody removes those of others', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const his = await upload(app, bob, 'his.txt', 'his');
    await open(bob, his.id);
    const [one, two] = [await upload(app, ann, 'one.mp4', '1'), await upload(app, ann, 'two.mp4', '2')];
    clock.advance(1000);
    await open(ann, one.id);
    await play(ann, one.id, 60, 100);
    const remove = (ids: string[], kinds?: string[]) =>
      ann.call(recentApi.remove, { body: { file_ids: ids, ...(kinds ? { kinds } : {}) } });
    await remove([one.id, his.id], ['played']);
    expect(await shown(ann)).toEqual([
      ['opened', 'one.mp4'],
      ['added', 'two.mp4'],
    ]);
    await remove([one.id, his.id]);
    expect(await shown(ann)).toEqual([['added', 'two.mp4']]);
    expect((await ann.call(driveApi.get, { params: { id: one.id }, query: {} })).trashed).toBe(false);
    expect(await shown(bob)).toEqual([['opened', 'his.txt']]);
    await open(ann, one.id);
    await ann.call(recentApi.clear, { body: {} });
    expect(await shown(ann)).toEqual([]);
    expect(await shown(bob)).toEqual([['opened', 'his.txt']]);
    await open(ann, two.id);
    expect(await shown(ann)).toEqual([['opened', 'two.mp4']]);
  });

  test('a removal can be undone for a day, once, by the member', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const bob = await app.signUp('bob');
    const [one, two] = [await upload(app, ann, 'one.mp4', '1'), await upload(app, ann, 'two.mp4', '2')];
    clock.advance(1000);
    await play(ann, one.id, 60, 100);
    clock.advance(1000);
    await open(ann, two.id);
    const before = await list(ann);
    const remove = async () =>
      (await ann.call(recentApi.remove, { body: { file_ids: [one.id, two.id] } })).removal;
    const restore = (member: Member, removal: string) =>
      member.call(recentApi.restore, { body: { removal } });
    const removal = await remove();
    expect(await shown(ann)).toEqual([]);
    await expect(restore(bob, removal)).rejects.toMatchObject({ id: 'not_found' });
    await restore(ann, removal);
    expect(await list(ann)).toEqual(before);
    await expect(restore(ann, removal)).rejects.toMatchObject({ id: 'not_found' });

    const again = await remove();
    clock.advance(2000);
    await play(ann, one.id, 70, 100);
    await restore(ann, again);
    const { positions } = await ann.call(recentApi.positions, { query: { file_ids: one.id } });
    expect(positions).toMatchObject([{ seconds: 70 }]);
    expect((await shown(ann, { kinds: 'opened' })).flat()).toEqual(['opened', 'two.mp4']);

    const late = await remove();
    clock.advance(25 * 3600 * 1000);
    await app.drive.recents.forgetOld(new AbortController().signal);
    const member = await signIn(app.http, ann);
    await expect(restore(member, late)).rejects.toMatchObject({ id: 'not_found' });
  });

  test('a file that was removed is listed as soon as it is opened again', async () => {
    const { app, ann } = await opened();
    await using _ = app;
    const note = await upload(app, ann, 'note.txt', 'a note');
    await open(ann, note.id);
    for (const remove of [
      () => ann.call(recentApi.remove, { body: { file_ids: [note.id] } }),
      () => ann.call(recentApi.clear, { body: {} }),
    ]) {
      await remove();
      expect(await shown(ann)).toEqual([]);
      await open(ann, note.id);
      expect(await shown(ann)).toEqual([['opened', 'note.txt']]);
    }
  });

  test('an account keeps its newest two thousand events, and those of deleted files are forgotten', async () => {
    const { app, ann, clock } = await opened();
    await using _ = app;
    const tree = Object.fromEntries(Array.from({ length: 2020 }, (_, at) => [`${at}.txt`, 'x']));
    const ids = Object.values(await plant(app, ann.id, tree));
    const { recents } = app.drive;
    await app.database.transaction(async (tx) => {
      for (let at = 0; at < ids.length; at += 100) {
        clock.advance(1);
        await recents.noted(tx, ann.id, 'edited', ids.slice(at, at + 100));
      }
    });
    const rows = () =>
      app.database
        .on<{ recent: { node: string } }>()
        .selectFrom('recent')
        .select('node')
        .execute()
        .then((found) => new Set(found.map(({ node }) => node)));
    expect((await rows()).size).toBe(2020);
    await recents.forgetOld(new AbortController().signal);
    expect((await rows()).size).toBe(2000);
    expect((await rows()).has(ids.at(-1)!)).toBe(true);
    await ann.call(driveApi.remove, { params: { id: ids.at(-1)! } });
    await app.jobs.drain();
    await recents.forgetOld(new AbortController().signal);
    expect((await rows()).size).toBe(1999);
    clock.advance(366 * 24 * 3600 * 1000);
    await recents.forgetOld(new AbortController().signal);
    expect((await rows()).size).toBe(0);
  });
});
