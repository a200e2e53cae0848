import { archiveApi, driveApi, shareApi, type InputOf } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, signIn, turnableClock, visitorAt, type Member, type Person, type TestApp, type Tree } from '../../testing/index.ts';

const TREE: Tree = {
  'secret plans': { 'pläne 文件 🐦.txt': 'fly south', deeper: { 'map.txt': 'here' } },
  'list.txt': 'blue things',
  'private.txt': 'not shared',
};
const NAMES = ['secret plans', 'pläne', 'deeper', 'map.txt', 'list.txt', 'A bower', 'blue things'];

interface Shared {
  readonly app: TestApp;
  readonly ann: Member;
  readonly ids: Record<string, string>;
  readonly shareId: string;
  readonly passcode: string;
}

async function shared(app: TestApp, options: Partial<InputOf<typeof shareApi.create>['body']> = {}): Promise<Shared> {
  const ann = await app.signUp('ann');
  const ids = await plant(app, ann.id, TREE);
  const share = await ann.call(shareApi.create, { body: { file_ids: [ids['secret plans']!, ids['list.txt']!], title: 'A bower', ...options } });
  return { app, ann, ids, shareId: share.share_id, passcode: share.pass_code };
}

const statusOf = async (person: Person, shareId: string, query: object = {}): Promise<string> => (await person.call(shareApi.open, { query: { share_id: shareId, ...query } })).share_status;
const tokenOf = async (person: Person, shareId: string, passcode: string): Promise<string> => (await person.call(shareApi.open, { query: { share_id: shareId, pass_code: passcode } })).pass_code_token;

eachDatabase((dialect) => {
  describe('a public share', () => {
    test('is opened and walked by anyone, from its roots to the last file', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann } = await shared(app);
      const opened = await app.visitor.call(shareApi.open, { query: { share_id: shareId, order: 'NAME_ASC' } });
      expect(opened).toMatchObject({ share_status: 'OK', title: 'A bower', file_num: '2', file_size: '11', expiration_left: '-1', expiration_at: '-1', restore_count_left: '-1', own: false });
      expect(opened.user_info).toMatchObject({ user_id: ann.id, nickname: 'a**' });
      expect(opened.files.map(({ name, parent_id }) => [name, parent_id])).toEqual([['secret plans', ''], ['list.txt', '']]);
      expect(opened.files.every(({ links, web_content_link: link }) => Object.keys(links).length === 0 && link === '')).toBe(true);
      expect(opened.pass_code_token).not.toBe('');

      const access = { share_id: shareId, pass_code_token: opened.pass_code_token };
      const root = await app.visitor.call(shareApi.detail, { query: { ...access, parent_id: '', order: 'NAME_ASC' } });
      expect(root.files).toEqual(opened.files);
      const deep = await app.visitor.call(shareApi.detail, { query: { share_id: shareId, parent_id: ids['secret plans/deeper']! } });
      expect(deep.files.map(({ name }) => name)).toEqual(['map.txt']);
      expect(deep.ancestors).toEqual([{ id: ids['secret plans'], name: 'secret plans' }, { id: ids['secret plans/deeper'], name: 'deeper' }]);
      const { file_info: file } = await app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['secret plans/deeper/map.txt']! } });
      expect(file).toMatchObject({ name: 'map.txt', size: '4' });
      expect(file!.web_content_link).toContain('/download/');
    });

    test('keeps what its owner noted on the files, and what was not shared, to its owner', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann } = await shared(app);
      await ann.call(driveApi.star, { body: { ids: [ids['list.txt']!] } });
      const { files } = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(files.map(({ starred, tags, params, writable }) => ({ starred, tags, params, writable }))).toEqual([{ starred: false, tags: [], params: {}, writable: false }, { starred: false, tags: [], params: {}, writable: false }]);
      for (const id of [ids['private.txt']!, ann.id, 'V0000000000000000000000000']) {
        await expect(app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: id } })).rejects.toThrow(/./);
        await expect(app.visitor.call(shareApi.detail, { query: { share_id: shareId, parent_id: id } })).rejects.toMatchObject({ id: 'file_not_found' });
      }
      const { files: found } = await app.visitor.call(shareApi.batchFileInfo, { body: { share_id: shareId, file_ids: [ids['private.txt']!, ids['list.txt']!] } });
      expect(found.map(({ name }) => name)).toEqual(['list.txt']);
    });

    test('is paged by cursor in the asked order, at its roots and below', async () => {
      await using app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const many = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`file ${at + 1 === 7 ? 10 : at + 1}.txt`, `${at}`]));
      const ids = await plant(app, ann.id, { ...many, folder: many });
      const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: Object.keys(many).map((name) => ids[name]!) } });
      const { share_id: folderShare } = await ann.call(shareApi.create, { body: { file_ids: [ids['folder']!] } });
      for (const query of [{ share_id: shareId, parent_id: '' }, { share_id: folderShare, parent_id: ids['folder']! }]) {
        const names: string[] = [];
        let token = '';
        do {
          const page = await app.visitor.call(shareApi.detail, { query: { ...query, limit: 3, order: 'NAME_ASC', page_token: token } });
          expect(page.files.length).toBeGreaterThan(0);
          names.push(...page.files.map(({ name }) => name));
          token = page.next_page_token;
        } while (token !== '');
        expect(names).toEqual(['file 1.txt', 'file 2.txt', 'file 3.txt', 'file 4.txt', 'file 5.txt', 'file 6.txt', 'file 10.txt']);
      }
    });
  });

  describe('before the passcode is right', () => {
    test('a visitor learns nothing but whose share it is', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann, passcode } = await shared(app, { pass_code_option: 'REQUIRED' });
      expect(passcode).toMatch(/^[a-z0-9]{4}$/);
      const secrets = [...NAMES, ...Object.values(ids), ann.id, passcode];
      const ask = (method: 'GET' | 'POST', path: string, data: Record<string, unknown>) =>
        app.visitor.inject(method === 'GET' ? { url: `${path}?${new URLSearchParams(data as Record<string, string>)}` } : { method, url: path, payload: data });
      const replies = await Promise.all([
        ask('GET', '/drive/v1/share', { share_id: shareId }),
        ask('GET', '/drive/v1/share', { share_id: shareId, pass_code: 'zzzz' }),
        ask('GET', '/drive/v1/share', { share_id: shareId, pass_code_token: 'zzzz' }),
        ask('GET', '/drive/v1/share/detail', { share_id: shareId }),
        ask('GET', '/drive/v1/share/detail', { share_id: shareId, parent_id: ids['secret plans']! }),
        ask('GET', '/drive/v1/share/file_info', { share_id: shareId, file_id: ids['list.txt']! }),
        ask('POST', '/drive/v1/share:batch_file_info', { share_id: shareId, file_ids: [ids['list.txt']] }),
        ask('POST', '/drive/v1/share:archive', { share_id: shareId }),
      ]);
      for (const reply of replies) {
        expect(reply.statusCode).toBe(200);
        expect(['PASS_CODE_EMPTY', 'PASS_CODE_ERROR']).toContain(reply.json().share_status);
        for (const secret of secrets) expect(reply.body).not.toContain(secret);
      }
      expect(replies[0]!.json()).toMatchObject({ share_status: 'PASS_CODE_EMPTY', title: '', file_num: '0', files: [], pass_code_token: '', user_info: { user_id: '', nickname: 'a**' } });
      expect(replies[1]!.json().share_status).toBe('PASS_CODE_ERROR');
      await expect(app.visitor.call(shareApi.restore, { body: { share_id: shareId } })).rejects.toMatchObject({ id: 'unauthenticated' });
      const bob = await app.signUp('bob');
      expect(await bob.call(shareApi.restore, { body: { share_id: shareId } })).toMatchObject({ share_status: 'PASS_CODE_EMPTY', restore_status: 'RESTORE_UNKNOWN', restore_task_id: '' });
      expect((await bob.call(driveApi.list, { query: {} })).files).toEqual([]);
    });

    test('an unknown share, a foreign one and a closed one look alike but for the status', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann } = await shared(app, { pass_code_option: 'REQUIRED' });
      await ann.call(shareApi.cancel, { params: { id: shareId } });
      const { share_status: gone, share_status_text: goneText, ...closed } = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      const { share_status: unknown, share_status_text: unknownText, ...nothing } = await app.visitor.call(shareApi.open, { query: { share_id: 'V0000000000000000000000000' } });
      expect([gone, unknown]).toEqual(['DELETED', 'NOT_FOUND']);
      expect(goneText).not.toBe(unknownText);
      expect(closed).toEqual(nothing);
    });

    test('neither logs nor the database say the passcode', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId } = await shared(app, { custom_pass_code: 'Bower42' });
      const token = await tokenOf(app.visitor, shareId, 'Bower42');
      await app.visitor.call(shareApi.open, { query: { share_id: shareId, pass_code: 'Wrong42' } });
      expect(token).not.toBe('');
      expect(Buffer.from(token.split('.')[0]!, 'base64url').toString()).not.toContain('Bower42');
      for (const secret of ['Bower42', 'Wrong42', token]) expect(app.logged.join('\n')).not.toContain(secret);
      const row = await app.database.on<{ share: { id: string; passcode: string } }>().selectFrom('share').select('passcode').where('id', '=', shareId).executeTakeFirstOrThrow();
      expect(row.passcode).not.toContain('Bower42');
    });
  });

  describe('the right passcode', () => {
    test('gives a token that opens every door for twelve hours, on any device, to this share alone', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ids, ann, passcode } = await shared(app, { pass_code_option: 'REQUIRED' });
      const token = await tokenOf(app.visitor, shareId, passcode);
      const access = { share_id: shareId, pass_code_token: token };
      const elsewhere = visitorAt(app, '198.51.100.7', { 'x-device-id': 'another-device' });
      expect(await statusOf(elsewhere, shareId, { pass_code_token: token })).toBe('OK');
      expect((await elsewhere.call(shareApi.detail, { query: access })).files).toHaveLength(2);
      expect((await elsewhere.call(shareApi.fileInfo, { query: { ...access, file_id: ids['list.txt']! } })).file_info?.name).toBe('list.txt');
      expect((await elsewhere.call(shareApi.batchFileInfo, { body: { ...access, file_ids: [ids['list.txt']!] } })).files).toHaveLength(1);

      const other = await ann.call(shareApi.create, { body: { file_ids: [ids['list.txt']!], pass_code_option: 'REQUIRED' } });
      expect(await statusOf(elsewhere, other.share_id, { pass_code_token: token })).toBe('PASS_CODE_ERROR');
      const [body, sign] = token.split('.');
      const forged = JSON.parse(Buffer.from(body!, 'base64url').toString()) as unknown[];
      forged[0] = other.share_id;
      expect(await statusOf(elsewhere, other.share_id, { pass_code_token: `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${sign}` })).toBe('PASS_CODE_ERROR');

      clock.advance(12 * 3600 * 1000 - 1);
      expect(await statusOf(elsewhere, shareId, { pass_code_token: token })).toBe('OK');
      clock.advance(1);
      expect(await statusOf(elsewhere, shareId, { pass_code_token: token })).toBe('PASS_CODE_EMPTY');
    });

    test('is of no use any more once its owner changed it', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, passcode } = await shared(app, { pass_code_option: 'REQUIRED' });
      const token = await tokenOf(app.visitor, shareId, passcode);
      const edited = await ann.call(shareApi.edit, { body: { share_id: shareId, custom_pass_code: 'Newer1' } });
      expect(edited.pass_code).toBe('Newer1');
      expect(await statusOf(app.visitor, shareId, { pass_code_token: token })).toBe('PASS_CODE_EMPTY');
      expect(await statusOf(app.visitor, shareId, { pass_code: passcode })).toBe('PASS_CODE_ERROR');
      expect(await statusOf(app.visitor, shareId, { pass_code: 'Newer1' })).toBe('OK');
      await ann.call(shareApi.edit, { body: { share_id: shareId, title: 'Another title' } });
      expect(await statusOf(app.visitor, shareId, { pass_code: 'Newer1' })).toBe('OK');
      await ann.call(shareApi.edit, { body: { share_id: shareId, pass_code_option: 'NOT_REQUIRED' } });
      expect(await statusOf(app.visitor, shareId)).toBe('OK');
    });

    test('is not asked of the owner, who reads it again in the own list', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, passcode } = await shared(app, { pass_code_option: 'REQUIRED' });
      const opened = await ann.call(shareApi.open, { query: { share_id: shareId } });
      expect(opened).toMatchObject({ share_status: 'OK', own: true });
      expect((await ann.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({ share_id: shareId, pass_code: passcode });
      const bob = await app.signUp('bob');
      expect((await bob.call(shareApi.listOwn, { query: {} })).data).toEqual([]);
    });
  });

  describe('guessing', () => {
    test('gets slower, never locks for ever, and leaves visitors from elsewhere alone', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, passcode } = await shared(app, { pass_code_option: 'REQUIRED' });
      const guesser = visitorAt(app, '203.0.113.5');
      const guesses = await Promise.allSettled(Array.from({ length: 40 }, () => statusOf(guesser, shareId, { pass_code: 'zzzz' })));
      const looked = guesses.filter(({ status }) => status === 'fulfilled').length;
      expect(looked).toBeLessThanOrEqual(7);
      await expect(statusOf(guesser, shareId, { pass_code: passcode })).rejects.toMatchObject({ id: 'too_frequent', facts: { retry_in: expect.stringMatching(/^\d+$/) } });
      expect(await statusOf(guesser, shareId)).toBe('PASS_CODE_EMPTY');
      expect(await statusOf(visitorAt(app, '198.51.100.7'), shareId, { pass_code: passcode })).toBe('OK');
      clock.advance(3600 * 1000);
      expect(await statusOf(guesser, shareId, { pass_code: passcode })).toBe('OK');
    });

    test('a client that repeats a token which opens nothing is told to stop', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId } = await shared(app, { pass_code_option: 'REQUIRED' });
      const driver = visitorAt(app, '203.0.113.6', { 'x-device-id': 'driver' });
      const refusals: unknown[] = [];
      for (let at = 0; at < 40 && refusals.length === 0; at++) {
        await driver.call(shareApi.detail, { query: { share_id: shareId, pass_code_token: '' } }).catch((error: unknown) => refusals.push(error));
      }
      expect(refusals[0]).toMatchObject({ id: 'too_frequent' });
      expect(await statusOf(driver, shareId)).toBe('PASS_CODE_EMPTY');
    });
  });

  describe('what a share is found to be', () => {
    test('it ends at its instant, and can be prolonged', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ann, ids } = await shared(app, { expiration_days: '1' });
      const opened = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(opened).toMatchObject({ expiration_left: '1', expiration_left_seconds: '86400', expiration_at: '2026-11-28T12:00:00.000+00:00' });
      clock.advance(86_400_000 - 1);
      expect(await statusOf(app.visitor, shareId)).toBe('OK');
      clock.advance(1);
      expect(await statusOf(app.visitor, shareId)).toBe('EXPIRED');
      expect(await app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['list.txt']! } })).toMatchObject({ share_status: 'EXPIRED', file_info: null });
      const back = await signIn(app.http, ann);
      expect((await back.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({ share_status: 'EXPIRED', expiration_left: '0' });
      await back.call(shareApi.edit, { body: { share_id: shareId, expiration_days: 7 } });
      expect(await statusOf(app.visitor, shareId)).toBe('OK');
    });

    test('a pause and its end, a frozen owner, the marks of moderation', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shared(app);
      expect(await ann.call(shareApi.edit, { body: { share_id: shareId, paused: true } })).toMatchObject({ share_status: 'PROHIBITED', paused: true });
      const { share_status: paused, share_status_text: text } = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect([paused, text]).toEqual(['PROHIBITED', 'The owner has paused this share.']);
      await ann.call(shareApi.edit, { body: { share_id: shareId, paused: false } });
      expect(await statusOf(app.visitor, shareId)).toBe('OK');

      await app.accounts.freeze(ann.id, true);
      expect(await statusOf(app.visitor, shareId)).toBe('PROHIBITED');
      await app.accounts.freeze(ann.id, false);

      const marks = [['auditing', false, 'AUDITING'], ['prohibited', false, 'PROHIBITED'], ['sensitive_resource', false, 'SENSITIVE_RESOURCE'], ['sensitive_word', false, 'SENSITIVE_WORD']] as const;
      for (const [mark, covered, status] of marks) {
        await app.share.shares.mark(shareId, mark, covered);
        expect(await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).toMatchObject({ share_status: status, title: '', files: [], pass_code_token: '' });
      }
      await app.share.shares.mark(shareId, 'sensitive_resource', true);
      const covered = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(covered).toMatchObject({ share_status: 'SENSITIVE_RESOURCE', title: 'A bower' });
      expect(covered.files).toHaveLength(2);
      expect((await app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['list.txt']! } })).file_info?.name).toBe('list.txt');
      await app.share.shares.mark(shareId, 'none');
      expect(await statusOf(app.visitor, shareId)).toBe('OK');
    });

    test('what its owner puts into the trash is gone from it; with everything gone it is deleted', async () => {
      await using app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const ids = await plant(app, ann.id, { outer: { inner: { 'a.txt': 'a' } }, 'b.txt': 'b' });
      const inner = ids['outer/inner']!;
      const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: [inner, ids['b.txt']!] } });
      await ann.call(driveApi.trash, { body: { ids: [ids['b.txt']!] } });
      expect(await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).toMatchObject({ share_status: 'OK', file_num: '1' });
      await expect(app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['b.txt']! } })).rejects.toMatchObject({ id: 'file_not_found' });
      await ann.call(driveApi.trash, { body: { ids: [ids['outer']!] } });
      expect(await statusOf(app.visitor, shareId)).toBe('DELETED');
      expect((await ann.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({ share_status: 'DELETED', title: 'inner' });
      await ann.call(driveApi.untrash, { body: { ids: [ids['outer']!] } });
      expect((await app.visitor.call(shareApi.detail, { query: { share_id: shareId, parent_id: inner } })).files).toHaveLength(1);
    });

    test('what was moved out of a shared folder is out of the share', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shared(app);
      const file = ids['secret plans/deeper/map.txt']!;
      await ann.call(driveApi.move, { body: { ids: [file], to: { parent_id: '' } } });
      await expect(app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: file } })).rejects.toMatchObject({ id: 'file_not_found' });
    });

    test('a link that was handed out dies with its share', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shared(app);
      const { file_info: file } = await app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['list.txt']! } });
      const { pathname, search } = new URL(file!.web_content_link);
      const pack = await app.visitor.call(archiveApi.packShare, { body: { share_id: shareId } });
      const archive = new URL(pack.url);
      expect((await app.visitor.inject({ url: pathname + search })).body).toBe('blue things');
      expect((await app.visitor.inject({ url: archive.pathname + archive.search })).statusCode).toBe(200);
      await ann.call(shareApi.cancel, { params: { id: shareId } });
      const dead = await app.visitor.inject({ url: pathname + search });
      expect(dead.statusCode).toBeGreaterThanOrEqual(400);
      expect(dead.body).not.toContain('blue things');
      expect((await app.visitor.inject({ url: archive.pathname + archive.search })).statusCode).toBe(404);
    });
  });

  describe('an owner', () => {
    test('shares only what is theirs and live, and says it within bounds', async () => {
      await using app = await openTestApp({ dialect });
      const { ids } = await shared(app);
      const bob = await app.signUp('bob');
      const own = await plant(app, bob.id, { 'mine.txt': 'x', 'gone.txt': 'y' });
      await bob.call(driveApi.trash, { body: { ids: [own['gone.txt']!] } });
      const create = (body: Partial<InputOf<typeof shareApi.create>['body']>) => bob.call(shareApi.create, { body: { file_ids: [own['mine.txt']!], ...body } });
      await expect(create({ file_ids: [] })).rejects.toMatchObject({ id: 'share_empty' });
      for (const foreign of [ids['list.txt']!, own['gone.txt']!, 'V0', bob.id]) await expect(create({ file_ids: [own['mine.txt']!, foreign] })).rejects.toMatchObject({ id: 'file_not_found' });
      for (const bad of [{ expiration_days: 0 }, { expiration_days: '3651' }, { restore_limit: 0 }, { custom_pass_code: 'a b c' }, { custom_pass_code: 'abc' }, { title: 'x'.repeat(121) }]) {
        await expect(create(bad)).rejects.toMatchObject({ id: 'invalid_argument' });
      }
      const share = await create({ file_ids: [own['mine.txt']!, own['mine.txt']!], share_to: 'encryptedlink', expiration_days: '14', limit_count: '3', params: { subscribe_push: 'true' } });
      expect(share.share_url).toBe(`http://drive.test/s/${share.share_id}`);
      expect(share.share_text).toContain(share.pass_code);
      expect((await bob.call(shareApi.listOwn, { query: {} })).data).toMatchObject([
        { title: 'mine.txt', file_num: '1', file_kind: 'drive#file', file_size: '1', restore_limit: '3', restore_count: '0', view_count: '0', expiration_days: '14', share_status: 'OK', params: { name: 'mine.txt', mime_type: 'text/plain' } },
      ]);
    });

    test('reads all shares newest first, page by page, or those of one file', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const ann = await app.signUp('ann');
      const ids = await plant(app, ann.id, { 'a.txt': 'a', 'b.txt': 'b' });
      for (let at = 0; at < 5; at++) {
        await ann.call(shareApi.create, { body: { file_ids: [ids[at % 2 === 0 ? 'a.txt' : 'b.txt']!], title: `share ${at}` } });
        if (at !== 2) clock.advance(1000);
      }
      const first = await ann.call(shareApi.listOwn, { query: { limit: 3 } });
      const second = await ann.call(shareApi.listOwn, { query: { limit: 3, page_token: first.next_page_token } });
      const titles = [...first.data, ...second.data].map(({ title }) => title);
      expect(titles.toSorted()).toEqual(['share 0', 'share 1', 'share 2', 'share 3', 'share 4']);
      expect(titles[0]).toBe('share 4');
      expect(second.next_page_token).toBe('');
      expect((await ann.call(shareApi.listOwn, { query: { file_id: ids['b.txt']! } })).data.map(({ title }) => title)).toEqual(['share 3', 'share 1']);
    });

    test('cancels shares, alone or many, and nobody else does', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shared(app);
      const bob = await app.signUp('bob');
      await expect(bob.call(shareApi.cancel, { params: { id: shareId } })).rejects.toMatchObject({ id: 'share_not_found' });
      await expect(bob.call(shareApi.edit, { body: { share_id: shareId, paused: true } })).rejects.toMatchObject({ id: 'share_not_found' });
      await bob.call(shareApi.cancelMany, { body: { ids: [shareId] } });
      expect(await statusOf(app.visitor, shareId)).toBe('OK');
      const other = await ann.call(shareApi.create, { body: { file_ids: [ids['list.txt']!] } });
      await ann.call(shareApi.cancelMany, { body: { ids: [shareId, shareId, other.share_id, 'V0'] } });
      expect(await statusOf(app.visitor, shareId)).toBe('DELETED');
      expect((await ann.call(shareApi.listOwn, { query: {} })).data).toEqual([]);
      await expect(ann.call(shareApi.edit, { body: { share_id: shareId, paused: false } })).rejects.toMatchObject({ id: 'share_not_found' });
    });

    test('changes many things of one share at once without mixing passcodes and tokens', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann } = await shared(app, { pass_code_option: 'REQUIRED' });
      const codes = Array.from({ length: 8 }, (_, at) => `code${at}`);
      await Promise.all(codes.map((code) => ann.call(shareApi.edit, { body: { share_id: shareId, custom_pass_code: code } })));
      const row = await app.database.on<{ share: { id: string; passcode_version: number } }>().selectFrom('share').select('passcode_version').where('id', '=', shareId).executeTakeFirstOrThrow();
      expect(row.passcode_version).toBe(8);
    });

    test('sees how many visitors looked and downloaded, each counted once a day', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ann, ids } = await shared(app);
      const [one, two] = [visitorAt(app, '203.0.113.5', { 'x-device-id': 'one' }), visitorAt(app, '203.0.113.5', { 'x-device-id': 'two' })];
      for (const who of [one, one, two, ann]) await statusOf(who, shareId);
      const { file_info: file } = await one.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['list.txt']! } });
      const { pathname, search } = new URL(file!.web_content_link);
      for (const headers of [{}, { range: 'bytes=1-2' }, { range: 'bytes=3-' }]) await one.inject({ url: pathname + search, headers });
      await two.call(archiveApi.packShare, { body: { share_id: shareId } });
      clock.advance(86_400_000);
      await statusOf(one, shareId);
      await app.share.visits.flush();
      const back = await signIn(app.http, ann);
      expect((await back.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({ view_count: '3', download_count: '2', restore_count: '0' });
    });
  });
});
