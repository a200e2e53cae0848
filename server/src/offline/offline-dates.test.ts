import { randomBytes } from 'node:crypto';
import { driveApi, type File } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  bytes,
  eachDatabase,
  fetchLink,
  looked,
  makeTorrent,
  openOrigin,
  sharedApps,
  taskComplete,
  type Member,
} from '../../testing/index.ts';

const open = sharedApps();
const MAY = Date.UTC(2020, 4, 1, 12, 30, 15);
const MAY_TEXT = '2020-05-01T12:30:15.000+00:00';

const dated = (content: Buffer, headers: Record<string, string>) => {
  const answer = bytes(content);
  return ((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(request, response);
  }) satisfies typeof answer;
};

const find = (member: Member, id: string): Promise<File> =>
  member.call(driveApi.get, { params: { id }, query: {} });

const children = async (member: Member, parent: string): Promise<File[]> =>
  (await member.call(driveApi.list, { query: { parent_id: parent } })).files;

eachDatabase((dialect) => {
  describe('a downloaded file', () => {
    test('has the modification date from the site, even if its bytes are already stored', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put(
        '/photo.jpg',
        dated(randomBytes(1000), { 'last-modified': 'Fri, 01 May 2020 12:30:15 GMT' }),
      );
      for (const name of ['ann', 'bob']) {
        const member = await app.signUp(name);
        const task = await taskComplete(member, (await fetchLink(member, origin.at('/photo.jpg'))).id);
        expect(await find(member, task.file_id)).toMatchObject({
          modified_time: MAY_TEXT,
          user_modified_time: MAY_TEXT,
        });
      }
    });

    test.for(['Sat, 32 May 2020 12:30:15 GMT', 'Fri, 01 May 2150 12:30:15 GMT', ''])(
      'has its time of arrival as its date if the site sends the date %j',
      async (said) => {
        await using app = await open(dialect);
        await using origin = await openOrigin();
        origin.put('/odd.jpg', dated(randomBytes(1000), { 'last-modified': said }));
        const ann = await app.signUp('ann');
        const task = await taskComplete(ann, (await fetchLink(ann, origin.at('/odd.jpg'))).id);
        const file = await find(ann, task.file_id);
        expect(file.modified_time).toBe(file.created_time);
      },
    );

    test('has its current date after the file has changed', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const fetched = async (): Promise<File> =>
        find(ann, (await taskComplete(ann, (await fetchLink(ann, origin.at('/log.txt'))).id)).file_id);
      origin.put('/log.txt', dated(Buffer.from('one'), { 'last-modified': 'Fri, 01 May 2020 12:30:15 GMT' }));
      expect((await fetched()).modified_time).toBe(MAY_TEXT);
      const later = bytes(Buffer.from('three'), { tag: '"two"' });
      origin.put('/log.txt', (request, response) => {
        response.setHeader('last-modified', 'Sat, 02 May 2020 12:30:15 GMT');
        later(request, response);
      });
      expect((await fetched()).modified_time).toBe(MAY_TEXT.replace('05-01', '05-02'));
    });
  });

  test('files and folders of a torrent have the torrent’s creation date', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const content = randomBytes(40_000);
    origin.put('/seed/Bowers/deep/one.txt', content);
    const { file } = makeTorrent('Bowers', [{ path: ['deep', 'one.txt'], content }], {
      webSeed: origin.at('/seed/'),
      createdAt: MAY - 15_000,
    });
    const ann = await app.signUp('ann');
    const { list } = await looked(ann, { torrent: file.toString('base64') });
    const { file_id: id } = await taskComplete(ann, (await fetchLink(ann, list.resources[0]!.url)).id);
    const root = await find(ann, id);
    const [deep] = await children(ann, root.id);
    const [one] = await children(ann, deep!.id);
    expect([root, deep!, one!].map(({ name, modified_time: time }) => [name, time])).toEqual(
      ['Bowers', 'deep', 'one.txt'].map((name) => [name, '2020-05-01T12:30:00.000+00:00']),
    );
  });
});
