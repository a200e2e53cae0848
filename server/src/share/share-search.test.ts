import { driveApi, shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Person } from '../../testing/index.ts';

eachDatabase((dialect) => {
  test('visitors of a share find what is in it, and nothing else of the drive', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      top: {
        shared: { 'cat 1.txt': 'x', deep: { 'cat 2.txt': 'x' }, gone: { 'cat 3.txt': 'x' } },
        'cat 4.txt': 'x',
      },
      'cat 5.txt': 'x',
      'cat 6.txt': 'x',
    });
    await ann.call(driveApi.trash, { body: { ids: [ids['top/shared/gone']!] } });
    const { share_id: id, pass_code: passcode } = await ann.call(shareApi.create, {
      body: { file_ids: [ids['top/shared']!, ids['cat 5.txt']!], pass_code_option: 'REQUIRED' },
    });
    const closed = await app.visitor.call(shareApi.search, { query: { share_id: id, q: 'cat' } });
    expect(closed).toMatchObject({ share_status: 'PASS_CODE_EMPTY', files: [], next_page_token: '' });
    const { pass_code_token: token } = await app.visitor.call(shareApi.open, {
      query: { share_id: id, pass_code: passcode },
    });
    const search = async (q: string, more: object = {}, who: Person = app.visitor) =>
      (await who.call(shareApi.search, { query: { share_id: id, pass_code_token: token, q, ...more } }))
        .files;
    const names = async (...given: Parameters<typeof search>): Promise<string[]> =>
      (await search(...given)).map(({ name }) => name).toSorted();

    expect(await names('cat')).toEqual(['cat 1.txt', 'cat 2.txt', 'cat 5.txt']);
    expect(await names('cat', {}, await app.signUp('bob'))).toEqual(['cat 1.txt', 'cat 2.txt', 'cat 5.txt']);
    expect(await names('top')).toEqual([]);
    expect(await names('in:top')).toEqual([]);
    expect(await names('in:shared cat')).toEqual(['cat 1.txt', 'cat 2.txt']);
    expect(await names('cat', { parent_id: ids['top/shared/deep'] })).toEqual(['cat 2.txt']);
    await expect(names('cat', { parent_id: ids['top'] })).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(names('cat', { parent_id: ids['top/shared/gone'] })).rejects.toMatchObject({
      id: 'file_not_found',
    });

    const [one] = await search('"cat 2"');
    expect(one).toMatchObject({ writable: false, parent_id: ids['top/shared/deep'], matches: [[0, 5]] });
    expect(one!.path).toEqual([
      { id: ids['top/shared'], name: 'shared' },
      { id: ids['top/shared/deep'], name: 'deep' },
    ]);
    expect((await search('"cat 5"'))[0]).toMatchObject({ path: [], parent_id: '' });
    expect((await search('shared'))[0]).toMatchObject({
      path: [],
      parent_id: '',
      folder_size: '2',
      file_count: 2,
      folder_count: 1,
    });

    await ann.call(driveApi.star, { body: { ids: [ids['cat 5.txt']!] } });
    const starred = await search('is:starred cat 5');
    expect(starred.map(({ starred: star }) => star)).toEqual([false]);
    expect(
      (await ann.call(driveApi.search, { query: { q: 'is:shared' } })).files.map(({ name }) => name),
    ).toEqual(['cat 5.txt', 'shared']);
    await ann.call(shareApi.cancel, { params: { id } });
    expect(await names('cat')).toEqual([]);
    expect((await ann.call(driveApi.search, { query: { q: 'is:shared' } })).files).toEqual([]);
  });

  test('visitors’ searches work while as many searches of the owner wait as may', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'cat.txt': 'x' });
    const { share_id: id } = await ann.call(shareApi.create, {
      body: { file_ids: [ids['cat.txt']!], pass_code_option: 'NOT_REQUIRED' },
    });
    const { promise: shared, resolve: answer } = Promise.withResolvers<string[]>();
    app.drive.searches.onShared(() => shared);
    const own = Array.from({ length: 23 }, () =>
      ann.call(driveApi.search, { query: { q: 'is:shared' } }).catch((error: unknown) => error),
    );
    expect(await Promise.race(own)).toMatchObject({ id: 'unavailable' });
    const visitors = await app.visitor.call(shareApi.search, { query: { share_id: id, q: 'cat' } });
    expect(visitors.files.map(({ name }) => name)).toEqual(['cat.txt']);
    answer([ids['cat.txt']!]);
    const replies = await Promise.all(own);
    expect(replies.filter((reply) => reply instanceof Error)).toHaveLength(1);
  });
});
