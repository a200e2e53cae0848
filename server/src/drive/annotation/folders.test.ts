import { driveApi, LIMITS, shareApi, type File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, plant, type Member } from '../../../testing/index.ts';

const get = (member: Member, id: string): Promise<File> =>
  member.call(driveApi.get, { params: { id }, query: {} });
const pins = async (member: Member): Promise<string[]> =>
  (await member.call(driveApi.pins, {})).pins.map(({ name, folder_name: own }) => name || own);

eachDatabase((dialect) => {
  test('folders get colors and emoji, which only their owner sees', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { box: { in: {}, 'a.txt': 'a' }, other: {} });
    const [box, inside, file] = [ids['box']!, ids['box/in']!, ids['box/a.txt']!];
    const look = (some: string[], body: object) => ann.call(driveApi.look, { body: { ids: some, ...body } });
    expect(await look([box, inside, file], { color: 'green', emoji: '🏠' })).toEqual({
      before: [
        { id: box, color: '', emoji: '' },
        { id: inside, color: '', emoji: '' },
      ],
    });
    expect(await get(ann, box)).toMatchObject({ folder_color: 'green', folder_emoji: '🏠' });
    expect(await get(ann, file)).not.toHaveProperty('folder_color');
    await look([box], { emoji: '👩‍🚀' });
    await look([box], { color: '' });
    expect(await get(ann, box)).not.toHaveProperty('folder_color');
    expect((await get(ann, box)).folder_emoji).toBe('👩‍🚀');
    for (const emoji of ['x', '🏠🏠', '<b>', '1', '\u200d'])
      await expect(look([box], { emoji }), emoji).rejects.toMatchObject({ id: 'invalid_argument' });
    await expect(look(['VGONE'], { color: 'red' })).rejects.toMatchObject({ id: 'file_not_found' });
    const bob = await app.signUp('bob');
    await expect(bob.call(driveApi.look, { body: { ids: [box], color: 'red' } })).rejects.toMatchObject({
      id: 'file_not_found',
    });

    await ann.call(driveApi.copy, { body: { ids: [box], to: { parent_id: ids['other']! } } });
    const { files } = await ann.call(driveApi.list, { query: { parent_id: ids['other']! } });
    expect(files[0]).toMatchObject({ name: 'box', folder_emoji: '👩‍🚀' });
    const share = await ann.call(shareApi.create, { body: { file_ids: [box] } });
    const shared = await app.visitor.call(shareApi.open, { query: { share_id: share.share_id } });
    expect(shared.files[0]).not.toHaveProperty('folder_emoji');
    await look([box, inside], { color: '', emoji: '' });
    expect(await get(ann, box)).not.toHaveProperty('folder_emoji');
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('pinned folders have their own order and names, and return with their folders', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { a: { b: {} }, c: {}, 'd.txt': 'd' });
    const pin = (id: string, name = '') => ann.call(driveApi.pin, { body: { id, name } });
    for (const path of ['a', 'a/b', 'c']) await pin(ids[path]!);
    await pin(ids['a']!, 'again');
    expect(await pins(ann)).toEqual(['a', 'b', 'c']);
    await ann.call(driveApi.orderPins, { body: { ids: [ids['c']!, 'VGONE', ids['a']!, ids['c']!] } });
    expect(await pins(ann)).toEqual(['c', 'a', 'b']);
    const params = { id: ids['a/b']! };
    await ann.call(driveApi.renamePin, { params, body: { name: ' Bills  2026 ' } });
    expect(await pins(ann)).toEqual(['c', 'a', 'Bills 2026']);
    await ann.call(driveApi.look, { body: { ids: [params.id], color: 'red' } });
    expect((await ann.call(driveApi.pins, {})).pins[2]).toMatchObject({
      id: params.id,
      folder_name: 'b',
      parent_id: ids['a'],
      folder_color: 'red',
    });
    await ann.call(driveApi.trash, { body: { ids: [ids['a']!] } });
    expect(await pins(ann)).toEqual(['c']);
    await ann.call(driveApi.untrash, { body: { ids: [ids['a']!] } });
    expect(await pins(ann)).toEqual(['c', 'a', 'Bills 2026']);
    await ann.call(driveApi.renamePin, { params, body: { name: '' } });
    expect(await pins(ann)).toEqual(['c', 'a', 'b']);
    await ann.call(driveApi.unpin, { params });
    await ann.call(driveApi.removeMany, { body: { ids: [ids['c']!] } });
    expect(await pins(ann)).toEqual(['a']);
    expect(await app.drive.check({ repair: false })).toEqual([]);

    await expect(pin(ids['d.txt']!)).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(ann.call(driveApi.renamePin, { params, body: { name: 'x' } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(pin(ids['a/b']!, 'x'.repeat(51))).rejects.toMatchObject({ id: 'invalid_argument' });
    const bob = await app.signUp('bob');
    await expect(bob.call(driveApi.pin, { body: { id: ids['a']! } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    const many = await plant(
      app,
      bob.id,
      Object.fromEntries(Array.from({ length: LIMITS.pins + 1 }, (_, at) => [`f${at}`, {}])),
    );
    const [last, ...first] = Object.values(many);
    for (const id of first) await bob.call(driveApi.pin, { body: { id } });
    await expect(bob.call(driveApi.pin, { body: { id: last! } })).rejects.toMatchObject({ id: 'pin_limit' });
  });
});
