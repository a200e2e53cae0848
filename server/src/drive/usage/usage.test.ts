import { driveApi, type UsageList } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Member } from '../../../testing/index.ts';

eachDatabase((dialect) => {
  const list = async (
    member: Member,
    name: UsageList,
    page: { limit?: number; page_token?: string } = {},
  ) => {
    const reply = await member.call(driveApi.usage, { query: { list: name, ...page } });
    return {
      ...reply,
      files: reply.files.map(({ name: file, params }) => [
        `${params['folder_path']}/${file}`,
        ...(params['copy'] === undefined ? [] : [`${params['copy']} of ${params['copies']}`]),
      ]),
    };
  };

  test('the largest files come first, page by page, and without what was trashed with a folder', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, {
      a: { b: { '5.bin': '55555', '3.bin': '333' } },
      t: { '9.bin': '999999999' },
      '4.bin': '4444',
    });
    await plant(app, bob.id, { '8.bin': '88888888' });
    expect((await list(ann, 'largest')).files[0]).toEqual(['t/9.bin']);
    await ann.call(driveApi.trash, { body: { ids: [ids['t']!] } });
    const first = await list(ann, 'largest', { limit: 2 });
    expect(first).toMatchObject({ files: [['a/b/5.bin'], ['/4.bin']], total: '3', groups: 0, gain: '0' });
    const rest = await list(ann, 'largest', { limit: 2, page_token: first.next_page_token });
    expect(rest).toMatchObject({ files: [['a/b/3.bin']], next_page_token: '' });
    await expect(list(bob, 'largest', { page_token: first.next_page_token })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
  });

  test('files with the same content are listed together, with what the quota gains without the extra copies', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, {
      'one.txt': 'same content',
      a: { 'two.txt': 'same content', b: { 'three.txt': 'same content' } },
      'x.txt': 'x',
      'y.txt': 'x',
      'void.txt': '',
      'void too.txt': '',
      'alone.txt': 'nothing like it',
    });
    await plant(app, bob.id, { 'bobs.txt': 'nothing like it' });
    const { used } = await app.quota.of(app.database, ann.id);
    const all = await list(ann, 'duplicates');
    expect(all).toMatchObject({ groups: 2, gain: String(2 * 12 + 1), total: '-1' });
    expect(all.files.map(([, copy]) => copy)).toEqual(['1 of 3', '2 of 3', '3 of 3', '1 of 2', '2 of 2']);
    expect(all.files.slice(0, 3).map(([path]) => path)).toEqual(
      expect.arrayContaining(['/one.txt', 'a/two.txt', 'a/b/three.txt']),
    );
    const first = await list(ann, 'duplicates', { limit: 1 });
    expect(first.files).toHaveLength(3);
    const second = await list(ann, 'duplicates', { limit: 1, page_token: first.next_page_token });
    expect(second.files.map(([, copy]) => copy)).toEqual(['1 of 2', '2 of 2']);

    await ann.call(driveApi.removeMany, {
      body: { ids: [ids['a/two.txt']!, ids['a/b/three.txt']!, ids['y.txt']!] },
    });
    expect(await list(ann, 'duplicates')).toMatchObject({ files: [], groups: 0, gain: '0' });
    expect((await app.quota.of(app.database, ann.id)).used).toBe(used - Number(all.gain));
  });

  test('folders without any file are listed, but not those inside them', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      full: { 'a.txt': 'a', hollow: { inner: {} } },
      void: {},
      emptied: { 'b.txt': 'b' },
    });
    const empty = async () =>
      (await list(ann, 'empty_folders')).files
        .map(([path]) => String(path))
        .toSorted((a, b) => a.localeCompare(b));
    expect(await empty()).toEqual(['/void', 'full/hollow']);
    await ann.call(driveApi.trash, { body: { ids: [ids['emptied/b.txt']!] } });
    expect(await empty()).toEqual(['/emptied', '/void', 'full/hollow']);
  });
});
