import { archiveApi, driveApi, shareApi, type InputOf } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  shareOfAnn,
  shareStatus,
  signIn,
  turnableClock,
  visitorAt,
} from '../../testing/index.ts';

eachDatabase((dialect) => {
  describe('an owner', () => {
    test('shares only their own live files, within limits', async () => {
      await using app = await openTestApp({ dialect });
      const { ids } = await shareOfAnn(app);
      const bob = await app.signUp('bob');
      const own = await plant(app, bob.id, { 'mine.txt': 'x', 'gone.txt': 'y' });
      await bob.call(driveApi.trash, { body: { ids: [own['gone.txt']!] } });
      const create = (body: Partial<InputOf<typeof shareApi.create>['body']>) =>
        bob.call(shareApi.create, { body: { file_ids: [own['mine.txt']!], ...body } });
      await expect(create({ file_ids: [] })).rejects.toMatchObject({ id: 'share_empty' });
      for (const foreign of [ids['list.txt']!, own['gone.txt']!, 'V0', bob.id])
        await expect(create({ file_ids: [own['mine.txt']!, foreign] })).rejects.toMatchObject({
          id: 'file_not_found',
        });
      for (const bad of [
        { expiration_days: 0 },
        { expiration_days: '3651' },
        { restore_limit: 0 },
        { custom_pass_code: 'a b c' },
        { custom_pass_code: 'abc' },
        { title: 'x'.repeat(121) },
      ]) {
        await expect(create(bad)).rejects.toMatchObject({ id: 'invalid_argument' });
      }
      const share = await create({
        file_ids: [own['mine.txt']!, own['mine.txt']!],
        share_to: 'encryptedlink',
        expiration_days: '14',
        limit_count: '3',
        params: { subscribe_push: 'true' },
      });
      expect(share.share_url).toBe(`http://drive.test/s/${share.share_id}`);
      expect(share.share_text).toContain(share.pass_code);
      expect((await bob.call(shareApi.listOwn, { query: {} })).data).toMatchObject([
        {
          title: 'mine.txt',
          file_num: '1',
          file_kind: 'drive#file',
          file_size: '1',
          restore_limit: '3',
          restore_count: '0',
          view_count: '0',
          expiration_days: '14',
          share_status: 'OK',
          params: { name: 'mine.txt', mime_type: 'text/plain' },
        },
      ]);
    });

    test('lists all shares newest first, page by page, those of one file, or a single one', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const ann = await app.signUp('ann');
      const ids = await plant(app, ann.id, { 'a.txt': 'a', 'b.txt': 'b' });
      for (let at = 0; at < 5; at++) {
        await ann.call(shareApi.create, {
          body: { file_ids: [ids[at % 2 === 0 ? 'a.txt' : 'b.txt']!], title: `share ${at}` },
        });
        if (at !== 2) clock.advance(1000);
      }
      const first = await ann.call(shareApi.listOwn, { query: { limit: 3 } });
      const second = await ann.call(shareApi.listOwn, {
        query: { limit: 3, page_token: first.next_page_token },
      });
      const titles = [...first.data, ...second.data].map(({ title }) => title);
      expect(titles.toSorted()).toEqual(['share 0', 'share 1', 'share 2', 'share 3', 'share 4']);
      expect(titles[0]).toBe('share 4');
      expect(second.next_page_token).toBe('');
      expect(
        (await ann.call(shareApi.listOwn, { query: { file_id: ids['b.txt']! } })).data.map(
          ({ title }) => title,
        ),
      ).toEqual(['share 3', 'share 1']);
      const one = { query: { share_id: second.data[0]!.share_id } };
      expect((await ann.call(shareApi.listOwn, one)).data).toEqual([second.data[0]]);
      const bob = await app.signUp('bob');
      expect((await bob.call(shareApi.listOwn, one)).data).toEqual([]);
    });

    test('cancels one or many shares, and nobody else can', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, ids } = await shareOfAnn(app);
      const bob = await app.signUp('bob');
      await expect(bob.call(shareApi.cancel, { params: { id: shareId } })).rejects.toMatchObject({
        id: 'share_not_found',
      });
      await expect(
        bob.call(shareApi.edit, { body: { share_id: shareId, paused: true } }),
      ).rejects.toMatchObject({ id: 'share_not_found' });
      await bob.call(shareApi.cancelMany, { body: { ids: [shareId] } });
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');
      const other = await ann.call(shareApi.create, { body: { file_ids: [ids['list.txt']!] } });
      await ann.call(shareApi.cancelMany, { body: { ids: [shareId, shareId, other.share_id, 'V0'] } });
      expect(await shareStatus(app.visitor, shareId)).toBe('DELETED');
      expect((await ann.call(shareApi.listOwn, { query: {} })).data).toEqual([]);
      await expect(
        ann.call(shareApi.edit, { body: { share_id: shareId, paused: false } }),
      ).rejects.toMatchObject({ id: 'share_not_found' });
    });

    test('changes many settings of one share in parallel without mixing passcodes and tokens', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const codes = Array.from({ length: 8 }, (_, at) => `code${at}`);
      await Promise.all(
        codes.map((code) => ann.call(shareApi.edit, { body: { share_id: shareId, custom_pass_code: code } })),
      );
      const row = await app.database
        .on<{ share: { id: string; passcode_version: number } }>()
        .selectFrom('share')
        .select('passcode_version')
        .where('id', '=', shareId)
        .executeTakeFirstOrThrow();
      expect(row.passcode_version).toBe(8);
    });

    test('keeps the passcode of a share when requesting that it has one', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, passcode, ann } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const edit = (body: Partial<InputOf<typeof shareApi.edit>['body']>) =>
        ann.call(shareApi.edit, { body: { share_id: shareId, ...body } });
      const present = async () =>
        (await ann.call(shareApi.listOwn, { query: { share_id: shareId } })).data[0]!.pass_code;
      await edit({ pass_code_option: 'REQUIRED', title: 'The same door' });
      expect(await present()).toBe(passcode);
      expect(await shareStatus(app.visitor, shareId, { pass_code: passcode })).toBe('OK');
      await edit({ pass_code_option: 'NOT_REQUIRED' });
      await edit({ pass_code_option: 'REQUIRED' });
      expect(await present()).toMatch(/^[a-z2-9]{4}$/);
      expect(await shareStatus(app.visitor, shareId)).toBe('PASS_CODE_EMPTY');
    });

    test('sees how many visitors viewed and downloaded, each counted once a day', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ann, ids } = await shareOfAnn(app);
      const [one, two] = [
        visitorAt(app, '203.0.113.5', { 'x-device-id': 'one' }),
        visitorAt(app, '203.0.113.5', { 'x-device-id': 'two' }),
      ];
      for (const who of [one, one, two, ann]) await shareStatus(who, shareId);
      const { file_info: file } = await one.call(shareApi.fileInfo, {
        query: { share_id: shareId, file_id: ids['list.txt']! },
      });
      const { pathname, search } = new URL(file!.web_content_link);
      for (const headers of [{}, { range: 'bytes=1-2' }, { range: 'bytes=3-' }])
        await one.inject({ url: pathname + search, headers });
      // HEAD requests and the owner's own downloads are not counted.
      const three = visitorAt(app, '203.0.113.5', { 'x-device-id': 'three' });
      await three.inject({ method: 'HEAD', url: pathname + search });
      await ann.inject({ url: pathname + search });
      await two.call(archiveApi.packShare, { body: { share_id: shareId } });
      clock.advance(86_400_000);
      await shareStatus(one, shareId);
      await app.share.visits.flush();
      const back = await signIn(app.http, ann);
      expect((await back.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({
        view_count: '3',
        download_count: '2',
        restore_count: '0',
      });
    });
  });
});
