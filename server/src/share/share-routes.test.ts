import { archiveApi, driveApi, shareApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  shareOfAnn,
  shareStatus,
  signIn,
  turnableClock,
} from '../../testing/index.ts';

eachDatabase((dialect) => {
  describe('a public share', () => {
    test('can be opened and browsed by anyone, from its roots to the last file', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann } = await shareOfAnn(app);
      const opened = await app.visitor.call(shareApi.open, {
        query: { share_id: shareId, order: 'NAME_ASC' },
      });
      expect(opened).toMatchObject({
        share_status: 'OK',
        title: 'A bower',
        file_num: '2',
        file_size: '24',
        expiration_left: '-1',
        expiration_at: '-1',
        restore_count_left: '-1',
        own: false,
      });
      expect(opened.user_info).toMatchObject({ user_id: ann.id, nickname: 'a**' });
      expect(opened.files.map(({ name, parent_id }) => [name, parent_id])).toEqual([
        ['secret plans', ''],
        ['list.txt', ''],
      ]);
      expect(
        opened.files.every(
          ({ links, web_content_link: link }) => Object.keys(links).length === 0 && link === '',
        ),
      ).toBe(true);
      expect(opened.pass_code_token).not.toBe('');

      const access = { share_id: shareId, pass_code_token: opened.pass_code_token };
      const root = await app.visitor.call(shareApi.detail, {
        query: { ...access, parent_id: '', order: 'NAME_ASC' },
      });
      expect(root.files).toEqual(opened.files);
      const deep = await app.visitor.call(shareApi.detail, {
        query: { share_id: shareId, parent_id: ids['secret plans/deeper']! },
      });
      expect(deep.files.map(({ name }) => name)).toEqual(['map.txt']);
      expect(deep.ancestors).toEqual([
        { id: ids['secret plans'], name: 'secret plans' },
        { id: ids['secret plans/deeper'], name: 'deeper' },
      ]);
      const { file_info: file } = await app.visitor.call(shareApi.fileInfo, {
        query: { share_id: shareId, file_id: ids['secret plans/deeper/map.txt']! },
      });
      expect(file).toMatchObject({ name: 'map.txt', size: '4' });
      expect(file!.web_content_link).toContain('/download/');
    });

    test('hides its owner’s notes on the files, and files that are not shared', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann } = await shareOfAnn(app);
      await ann.call(driveApi.star, { body: { ids: [ids['list.txt']!] } });
      const { files } = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(
        files.map(({ starred, tags, params, writable }) => ({ starred, tags, params, writable })),
      ).toEqual([
        { starred: false, tags: [], params: {}, writable: false },
        { starred: false, tags: [], params: {}, writable: false },
      ]);
      for (const id of [ids['private.txt']!, ann.id, 'V0000000000000000000000000']) {
        await expect(
          app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: id } }),
        ).rejects.toThrow(/./);
        await expect(
          app.visitor.call(shareApi.detail, { query: { share_id: shareId, parent_id: id } }),
        ).rejects.toMatchObject({ id: 'file_not_found' });
      }
      const { files: found } = await app.visitor.call(shareApi.batchFileInfo, {
        body: { share_id: shareId, file_ids: [ids['private.txt']!, ids['list.txt']!] },
      });
      expect(found.map(({ name }) => name)).toEqual(['list.txt']);
    });

    test('is paged by cursor in the requested order, at its roots and below', async () => {
      await using app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const many = Object.fromEntries(
        Array.from({ length: 7 }, (_, at) => [`file ${at + 1 === 7 ? 10 : at + 1}.txt`, `${at}`]),
      );
      const ids = await plant(app, ann.id, { ...many, folder: many });
      const { share_id: shareId } = await ann.call(shareApi.create, {
        body: { file_ids: Object.keys(many).map((name) => ids[name]!) },
      });
      const { share_id: folderShare } = await ann.call(shareApi.create, {
        body: { file_ids: [ids['folder']!] },
      });
      for (const query of [
        { share_id: shareId, parent_id: '' },
        { share_id: folderShare, parent_id: ids['folder']! },
      ]) {
        const names: string[] = [];
        let token = '';
        do {
          const page = await app.visitor.call(shareApi.detail, {
            query: { ...query, limit: 3, order: 'NAME_ASC', page_token: token },
          });
          expect(page.files.length).toBeGreaterThan(0);
          names.push(...page.files.map(({ name }) => name));
          token = page.next_page_token;
        } while (token !== '');
        expect(names).toEqual([
          'file 1.txt',
          'file 2.txt',
          'file 3.txt',
          'file 4.txt',
          'file 5.txt',
          'file 6.txt',
          'file 10.txt',
        ]);
      }
    });
  });

  describe('the state of a share', () => {
    test('expires at its exact time, and can be extended', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ann, ids } = await shareOfAnn(app, { expiration_days: '1' });
      const opened = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(opened).toMatchObject({
        expiration_left: '1',
        expiration_left_seconds: '86400',
        expiration_at: '2026-11-28T12:00:00.000+00:00',
      });
      clock.advance(86_400_000 - 1);
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');
      clock.advance(1);
      expect(await shareStatus(app.visitor, shareId)).toBe('EXPIRED');
      expect(
        await app.visitor.call(shareApi.fileInfo, {
          query: { share_id: shareId, file_id: ids['list.txt']! },
        }),
      ).toMatchObject({ share_status: 'EXPIRED', file_info: null });
      const back = await signIn(app.http, ann);
      expect((await back.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({
        share_status: 'EXPIRED',
        expiration_left: '0',
      });
      await back.call(shareApi.edit, { body: { share_id: shareId, expiration_days: 7 } });
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');
    });

    test('reflects a pause and its end, a frozen owner, and moderation', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shareOfAnn(app);
      expect(await ann.call(shareApi.edit, { body: { share_id: shareId, paused: true } })).toMatchObject({
        share_status: 'PROHIBITED',
        paused: true,
      });
      const { share_status: paused, share_status_text: text } = await app.visitor.call(shareApi.open, {
        query: { share_id: shareId },
      });
      expect([paused, text]).toEqual(['PROHIBITED', 'The owner has paused this share.']);
      await ann.call(shareApi.edit, { body: { share_id: shareId, paused: false } });
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');

      await app.accounts.freeze(ann.id, true);
      expect(await shareStatus(app.visitor, shareId)).toBe('PROHIBITED');
      await app.accounts.freeze(ann.id, false);

      const marks = [
        ['auditing', false, 'AUDITING'],
        ['prohibited', false, 'PROHIBITED'],
        ['sensitive_resource', false, 'SENSITIVE_RESOURCE'],
        ['sensitive_word', false, 'SENSITIVE_WORD'],
      ] as const;
      for (const [mark, covered, status] of marks) {
        await app.share.shares.mark(shareId, mark, covered);
        expect(await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).toMatchObject({
          share_status: status,
          title: '',
          files: [],
          pass_code_token: '',
        });
      }
      await app.share.shares.mark(shareId, 'sensitive_resource', true);
      const covered = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      expect(covered).toMatchObject({ share_status: 'SENSITIVE_RESOURCE', title: 'A bower' });
      expect(covered.files).toHaveLength(2);
      expect(
        (
          await app.visitor.call(shareApi.fileInfo, {
            query: { share_id: shareId, file_id: ids['list.txt']! },
          })
        ).file_info?.name,
      ).toBe('list.txt');
      await app.share.shares.mark(shareId, 'none');
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');
    });

    test('follows its owner’s trash: trashed files disappear, and with all of them gone it is deleted', async () => {
      await using app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const ids = await plant(app, ann.id, { outer: { inner: { 'a.txt': 'a' } }, 'b.txt': 'b' });
      const inner = ids['outer/inner']!;
      const { share_id: shareId } = await ann.call(shareApi.create, {
        body: { file_ids: [inner, ids['b.txt']!] },
      });
      await ann.call(driveApi.trash, { body: { ids: [ids['b.txt']!] } });
      expect(await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).toMatchObject({
        share_status: 'OK',
        file_num: '1',
      });
      await expect(
        app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: ids['b.txt']! } }),
      ).rejects.toMatchObject({ id: 'file_not_found' });
      await ann.call(driveApi.trash, { body: { ids: [ids['outer']!] } });
      expect(await shareStatus(app.visitor, shareId)).toBe('DELETED');
      expect((await ann.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({
        share_status: 'DELETED',
        title: 'inner',
      });
      await ann.call(driveApi.untrash, { body: { ids: [ids['outer']!] } });
      expect(
        (await app.visitor.call(shareApi.detail, { query: { share_id: shareId, parent_id: inner } })).files,
      ).toHaveLength(1);
    });

    test('excludes files that were moved out of a shared folder', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shareOfAnn(app);
      const file = ids['secret plans/deeper/map.txt']!;
      await ann.call(driveApi.move, { body: { ids: [file], to: { parent_id: '' } } });
      await expect(
        app.visitor.call(shareApi.fileInfo, { query: { share_id: shareId, file_id: file } }),
      ).rejects.toMatchObject({ id: 'file_not_found' });
    });

    test('ends an issued download link when its file is moved out of the share, and revives it once the file is back', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shareOfAnn(app);
      const id = ids['secret plans/deeper/map.txt']!;
      const { file_info: file } = await app.visitor.call(shareApi.fileInfo, {
        query: { share_id: shareId, file_id: id },
      });
      const { pathname, search } = new URL(file!.web_content_link);
      const download = () => app.visitor.inject({ url: pathname + search });
      const moveTo = (parent: string) =>
        ann.call(driveApi.move, { body: { ids: [id], to: { parent_id: parent } } });
      expect((await download()).body).toBe('here');
      await moveTo('');
      const ended = await download();
      expect(ended.statusCode).toBeGreaterThanOrEqual(400);
      expect(ended.body).not.toBe('here');
      await moveTo(ids['secret plans']!);
      expect((await download()).body).toBe('here');
    });

    test('ends issued download links when the share ends', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shareOfAnn(app);
      const { file_info: file } = await app.visitor.call(shareApi.fileInfo, {
        query: { share_id: shareId, file_id: ids['list.txt']! },
      });
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

    test('ends issued links to single files when the passcode changes, and new links need the new passcode', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const linkOf = async (file: string, code: string): Promise<string> => {
        const { pass_code_token: token } = await app.visitor.call(shareApi.open, {
          query: { share_id: shareId, pass_code: code },
        });
        const query = { share_id: shareId, file_id: ids[file]!, pass_code_token: token };
        const { file_info: info } = await app.visitor.call(shareApi.fileInfo, { query });
        const { pathname, search } = new URL(info!.web_content_link);
        return pathname + search;
      };
      const download = (url: string) => app.visitor.inject({ url });
      const old = [await linkOf('list.txt', passcode), await linkOf('secret plans/deeper/map.txt', passcode)];
      expect((await download(old[0]!)).body).toBe('blue things');
      expect((await download(old[1]!)).body).toBe('here');

      await ann.call(shareApi.edit, { body: { share_id: shareId, title: 'Renamed' } });
      expect((await download(old[0]!)).body).toBe('blue things');

      await ann.call(shareApi.edit, { body: { share_id: shareId, custom_pass_code: 'Newer1' } });
      for (const link of old) {
        const dead = await download(link);
        expect(dead.statusCode).toBe(404);
        expect(dead.body).not.toMatch(/blue things|here/);
      }
      expect((await download(await linkOf('list.txt', 'Newer1'))).body).toBe('blue things');
      expect((await download(old[0]!)).statusCode).toBe(404);
    });
  });
});
