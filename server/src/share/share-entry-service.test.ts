import { driveApi, shareApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  SHARED_NAMES,
  shareOfAnn,
  shareStatus,
  turnableClock,
  visitorAt,
  type Person,
} from '../../testing/index.ts';

const tokenOf = async (person: Person, shareId: string, passcode: string): Promise<string> =>
  (await person.call(shareApi.open, { query: { share_id: shareId, pass_code: passcode } })).pass_code_token;

eachDatabase((dialect) => {
  describe('before the passcode is entered', () => {
    test('a visitor sees only whose share it is', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ids, ann, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      expect(passcode).toMatch(/^[a-z0-9]{4}$/);
      const secrets = [...SHARED_NAMES, ...Object.values(ids), ann.id, passcode];
      const ask = (method: 'GET' | 'POST', path: string, data: Record<string, unknown>) =>
        app.visitor.inject(
          method === 'GET'
            ? { url: `${path}?${new URLSearchParams(data as Record<string, string>).toString()}` }
            : { method, url: path, payload: data },
        );
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
      expect(replies[0]!.json()).toMatchObject({
        share_status: 'PASS_CODE_EMPTY',
        title: '',
        file_num: '0',
        files: [],
        pass_code_token: '',
        user_info: { user_id: '', nickname: 'a**' },
      });
      expect(replies[1]!.json().share_status).toBe('PASS_CODE_ERROR');
      await expect(app.visitor.call(shareApi.restore, { body: { share_id: shareId } })).rejects.toMatchObject(
        { id: 'unauthenticated' },
      );
      const bob = await app.signUp('bob');
      expect(await bob.call(shareApi.restore, { body: { share_id: shareId } })).toMatchObject({
        share_status: 'PASS_CODE_EMPTY',
        restore_status: 'RESTORE_UNKNOWN',
        restore_task_id: '',
      });
      expect((await bob.call(driveApi.list, { query: {} })).files).toEqual([]);
    });

    test('unknown, foreign and closed shares differ only in their status', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      await ann.call(shareApi.cancel, { params: { id: shareId } });
      const {
        share_status: gone,
        share_status_text: goneText,
        ...closed
      } = await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
      const {
        share_status: unknown,
        share_status_text: unknownText,
        ...nothing
      } = await app.visitor.call(shareApi.open, { query: { share_id: 'V0000000000000000000000000' } });
      expect([gone, unknown]).toEqual(['DELETED', 'NOT_FOUND']);
      expect(goneText).not.toBe(unknownText);
      expect(closed).toEqual(nothing);
    });

    test('the passcode is neither in the log nor in the database', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId } = await shareOfAnn(app, { custom_pass_code: 'Bower42' });
      const token = await tokenOf(app.visitor, shareId, 'Bower42');
      await app.visitor.call(shareApi.open, { query: { share_id: shareId, pass_code: 'Wrong42' } });
      expect(token).not.toBe('');
      expect(Buffer.from(token.split('.')[0]!, 'base64url').toString()).not.toContain('Bower42');
      for (const secret of ['Bower42', 'Wrong42', token]) expect(app.logged.join('\n')).not.toContain(secret);
      const row = await app.database
        .on<{ share: { id: string; passcode: string } }>()
        .selectFrom('share')
        .select('passcode')
        .where('id', '=', shareId)
        .executeTakeFirstOrThrow();
      expect(row.passcode).not.toContain('Bower42');
    });
  });

  describe('the right passcode', () => {
    test('returns a token that is valid for twelve hours for this share only, at all its endpoints and on any device', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, ids, ann, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const token = await tokenOf(app.visitor, shareId, passcode);
      const access = { share_id: shareId, pass_code_token: token };
      const elsewhere = visitorAt(app, '198.51.100.7', { 'x-device-id': 'another-device' });
      expect(await shareStatus(elsewhere, shareId, { pass_code_token: token })).toBe('OK');
      expect((await elsewhere.call(shareApi.detail, { query: access })).files).toHaveLength(2);
      expect(
        (await elsewhere.call(shareApi.fileInfo, { query: { ...access, file_id: ids['list.txt']! } }))
          .file_info?.name,
      ).toBe('list.txt');
      expect(
        (await elsewhere.call(shareApi.batchFileInfo, { body: { ...access, file_ids: [ids['list.txt']!] } }))
          .files,
      ).toHaveLength(1);

      const other = await ann.call(shareApi.create, {
        body: { file_ids: [ids['list.txt']!], pass_code_option: 'REQUIRED' },
      });
      expect(await shareStatus(elsewhere, other.share_id, { pass_code_token: token })).toBe(
        'PASS_CODE_ERROR',
      );
      const [body, sign] = token.split('.');
      const forged = JSON.parse(Buffer.from(body!, 'base64url').toString()) as unknown[];
      forged[0] = other.share_id;
      expect(
        await shareStatus(elsewhere, other.share_id, {
          pass_code_token: `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${sign}`,
        }),
      ).toBe('PASS_CODE_ERROR');

      clock.advance(12 * 3600 * 1000 - 1);
      expect(await shareStatus(elsewhere, shareId, { pass_code_token: token })).toBe('OK');
      clock.advance(1);
      expect(await shareStatus(elsewhere, shareId, { pass_code_token: token })).toBe('PASS_CODE_EMPTY');
    });

    test('is accepted in any case, in full-width characters, and between spaces', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId } = await shareOfAnn(app, {
        pass_code_option: 'REQUIRED',
        custom_pass_code: 'Bird42',
      });
      for (const passcode of [
        'Bird42',
        'BIRD42',
        'bird42',
        ' bird42 ',
        'ｂｉｒｄ４２',
        'ＢＩＲＤ４２',
        '\u3000bird42',
      ])
        expect(await shareStatus(app.visitor, shareId, { pass_code: passcode }), passcode).toBe('OK');
      for (const passcode of ['bird4', 'bird421', 'b1rd42', 'bird 42'])
        expect(await shareStatus(app.visitor, shareId, { pass_code: passcode }), passcode).toBe(
          'PASS_CODE_ERROR',
        );
    });

    test('is invalid once its owner changed it', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const token = await tokenOf(app.visitor, shareId, passcode);
      const edited = await ann.call(shareApi.edit, {
        body: { share_id: shareId, custom_pass_code: 'Newer1' },
      });
      expect(edited.pass_code).toBe('Newer1');
      expect(await shareStatus(app.visitor, shareId, { pass_code_token: token })).toBe('PASS_CODE_EMPTY');
      expect(await shareStatus(app.visitor, shareId, { pass_code: passcode })).toBe('PASS_CODE_ERROR');
      expect(await shareStatus(app.visitor, shareId, { pass_code: 'Newer1' })).toBe('OK');
      await ann.call(shareApi.edit, { body: { share_id: shareId, title: 'Another title' } });
      expect(await shareStatus(app.visitor, shareId, { pass_code: 'Newer1' })).toBe('OK');
      await ann.call(shareApi.edit, { body: { share_id: shareId, pass_code_option: 'NOT_REQUIRED' } });
      expect(await shareStatus(app.visitor, shareId)).toBe('OK');
    });

    test('is not required with a valid token, even if an old passcode is in the address', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const token = await tokenOf(app.visitor, shareId, passcode);
      for (let at = 0; at < 10; at++) {
        expect(await shareStatus(app.visitor, shareId, { pass_code: 'old1', pass_code_token: token })).toBe(
          'OK',
        );
      }
    });

    test('is not required from the owner, who sees it in their own list', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId, ann, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const opened = await ann.call(shareApi.open, { query: { share_id: shareId } });
      expect(opened).toMatchObject({ share_status: 'OK', own: true });
      expect((await ann.call(shareApi.listOwn, { query: {} })).data[0]).toMatchObject({
        share_id: shareId,
        pass_code: passcode,
      });
      const bob = await app.signUp('bob');
      expect((await bob.call(shareApi.listOwn, { query: {} })).data).toEqual([]);
    });
  });

  describe('guessing passcodes', () => {
    test('is slowed down, never locks the share permanently, and does not affect other networks', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { shareId, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const guesser = visitorAt(app, '203.0.113.5');
      const guesses = await Promise.allSettled(
        Array.from({ length: 40 }, () => shareStatus(guesser, shareId, { pass_code: 'zzzz' })),
      );
      const looked = guesses.filter(({ status }) => status === 'fulfilled').length;
      expect(looked).toBeLessThanOrEqual(7);
      await expect(shareStatus(guesser, shareId, { pass_code: passcode })).rejects.toMatchObject({
        id: 'too_frequent',
        facts: { retry_in: expect.stringMatching(/^\d+$/) },
      });
      expect(await shareStatus(guesser, shareId)).toBe('PASS_CODE_EMPTY');
      expect(await shareStatus(visitorAt(app, '198.51.100.7'), shareId, { pass_code: passcode })).toBe('OK');
      clock.advance(3600 * 1000);
      expect(await shareStatus(guesser, shareId, { pass_code: passcode })).toBe('OK');
    });

    test('repeating an invalid token is rejected as too frequent', async () => {
      await using app = await openTestApp({ dialect });
      const { shareId } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
      const driver = visitorAt(app, '203.0.113.6', { 'x-device-id': 'driver' });
      const refusals: unknown[] = [];
      for (let at = 0; at < 40 && refusals.length === 0; at++) {
        await driver
          .call(shareApi.detail, { query: { share_id: shareId, pass_code_token: '' } })
          .catch((error: unknown) => refusals.push(error));
      }
      expect(refusals[0]).toMatchObject({ id: 'too_frequent' });
      expect(await shareStatus(driver, shareId)).toBe('PASS_CODE_EMPTY');
    });
  });
});
