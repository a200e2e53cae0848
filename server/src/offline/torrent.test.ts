import { randomBytes } from 'node:crypto';
import { driveApi, offlineApi, taskApi, type File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  bytes,
  contentOf,
  eachDatabase,
  eventually,
  fetchLink,
  looked,
  makeTorrent,
  openOrigin,
  sharedApps,
  taskComplete,
  usage,
  type MadeTorrent,
  type Member,
  type Origin,
} from '../../testing/index.ts';

const open = sharedApps();

/** A torrent whose bytes the origin has. */
function seeded(origin: Origin, name: string, files: { path: string[]; content: Buffer }[]): MadeTorrent {
  for (const { path, content } of files)
    origin.put(`/seed/${[name, ...path].map((segment) => encodeURIComponent(segment)).join('/')}`, content);
  return makeTorrent(name, files, { webSeed: origin.at('/seed/') });
}

async function tree(member: Member, id: string): Promise<Record<string, File | object>> {
  const { files } = await member.call(driveApi.list, { query: { parent_id: id, limit: 1000 } });
  const entries = await Promise.all(
    files.map(async (file): Promise<[string, File | object]> => [
      file.name,
      file.kind === 'drive#folder' ? await tree(member, file.id) : file,
    ]),
  );
  return Object.fromEntries(entries);
}

eachDatabase((dialect) => {
  test('a torrent lists all its files before it starts, and only the selected ones are downloaded', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const contents = Array.from({ length: 4 }, () => randomBytes(50_000));
    const { file, magnet } = seeded(origin, 'Bowers', [
      { path: ['film.mkv'], content: contents[0]! },
      { path: ['extras', 'one.txt'], content: contents[1]! },
      { path: ['extras', 'deep', 'two.txt'], content: contents[2]! },
      { path: ['extras', 'three.txt'], content: contents[3]! },
    ]);
    const ann = await app.signUp('ann');
    const { list_id: listId, list } = await ann.call(offlineApi.inspect, {
      body: { torrent: file.toString('base64'), page_size: 3 },
    });
    const [root] = list.resources;
    expect(root).toMatchObject({ name: 'Bowers', is_dir: true, file_count: 4, file_size: '200000' });
    expect(root!.dir!.resources.map(({ path, name }) => `${path}/${name}`)).toEqual([
      '/film.mkv',
      'extras/one.txt',
      'extras/deep/two.txt',
    ]);
    const more = await ann.call(offlineApi.inspectMore, {
      params: { list_id: listId },
      query: { page_token: list.next_page_token },
    });
    expect(more.list.resources[0]!.dir!.resources).toMatchObject([{ name: 'three.txt', file_index: 3 }]);
    expect(more.list.next_page_token).toBe('');
    expect(root!.url.startsWith(magnet.slice(0, 60))).toBe(true);

    const begun = await fetchLink(ann, root!.url, { url: { files: [0, '2'] } });
    const task = await taskComplete(ann, begun.id);
    expect(task).toMatchObject({ file_id: begun.file_id, file_name: 'Bowers', file_size: '100000' });
    const here = (await tree(ann, task.file_id)) as Record<string, File>;
    expect(Object.keys(here).toSorted()).toEqual(['extras', 'film.mkv']);
    expect((await contentOf(app, ann, here['film.mkv']!.id)).equals(contents[0]!)).toBe(true);
    expect(await usage(ann)).toBe(100_000);
    const statuses = await ann.call(offlineApi.statuses, { params: { id: task.id }, query: {} });
    expect(statuses).toMatchObject({ total: 2, complete: 2, failed: 0 });
    expect((await app.quota.of(app.database, ann.id)).reserved).toBe(0);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });

  test('a torrent that one member downloaded is available at once to the next', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const { file, infoHash } = seeded(origin, 'Known', [
      { path: ['a.txt'], content: Buffer.from('one') },
      { path: ['b.txt'], content: Buffer.from('two') },
    ]);
    const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
    const { list } = await looked(ann, { torrent: file.toString('base64') });
    await taskComplete(ann, (await fetchLink(ann, list.resources[0]!.url)).id);
    const before = origin.asked.length;
    const his = await fetchLink(ben, `magnet:?xt=urn:btih:${infoHash.toUpperCase()}`);
    expect(his).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
    expect(Object.keys(await tree(ben, his.file_id)).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(origin.asked.length).toBe(before);
    const seen = await looked(ben, { urls: infoHash });
    expect(seen.list.resources).toMatchObject([{ name: 'Known', meta: { status: '1', owned: 'true' } }]);
  });

  test('names in torrents are sanitized, and no file leaves its folder', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const paths = [
      ['..', '..', 'etc', 'passwd'],
      ['/absolute'],
      ['same.txt'],
      ['same.txt'],
      ['same.txt', 'below'],
      [`${'long '.repeat(100)}.txt`],
      ['nul\u0000l\r\n.txt'],
      Array.from({ length: 90 }, (_, at) => `d${at}`),
    ];
    const { file } = makeTorrent(
      '../../out',
      paths.map((path) => ({ path, content: Buffer.from('same in all') })),
      { webSeed: origin.at('/any/') },
    );
    origin.otherwise(bytes(Buffer.from('same in all')));
    const ann = await app.signUp('ann');
    const { list } = await looked(ann, { torrent: file.toString('base64') });
    expect(list.resources).toMatchObject([{ is_dir: true, file_count: paths.length }]);
    const { id } = await fetchLink(ann, list.resources[0]!.url);
    const task = await taskComplete(ann, id);
    const here = await tree(ann, task.file_id);
    expect(task.file_name).toBe('out');
    expect(Object.keys(here).toSorted()).toEqual([
      'absolute',
      'd0',
      'folder',
      expect.stringMatching(/^long long .*\.txt$/),
      'null.txt',
      'same(1).txt',
      'same.txt',
      'same.txt(1)',
    ]);
    expect(Object.values(here['same.txt(1)'] as object)).toMatchObject([{ name: 'below' }]);
    expect(here['folder']).toMatchObject({ folder: { etc: { passwd: { size: '11' } } } });
  });

  test('an address of a .torrent file downloads that torrent', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const { file, infoHash } = seeded(origin, 'Led', [
      { path: ['a.txt'], content: Buffer.from('one') },
      { path: ['b.txt'], content: Buffer.from('two') },
    ]);
    origin.put('/led.torrent', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-bittorrent' }).end(file);
    });
    const ann = await app.signUp('ann');
    const { list } = await looked(ann, { urls: origin.at('/led.torrent') });
    expect(list.resources).toMatchObject([{ name: 'Led', is_dir: true, meta: { hash: infoHash } }]);
    const task = await taskComplete(ann, (await fetchLink(ann, origin.at('/led.torrent'))).id);
    expect(task.params['source']).toBe('torrent');
    expect(Object.keys(await tree(ann, task.file_id)).toSorted()).toEqual(['a.txt', 'b.txt']);
  });

  test('an address that redirects to a magnet link downloads that torrent, before any peer has its files', async () => {
    await using app = await open(dialect);
    await using origin = await openOrigin();
    const magnet = `magnet:?xt=urn:btih:${'0123456789'.repeat(4)}&dn=Cosmos`;
    origin.put('/get', (_, response) => void response.writeHead(302, { location: magnet }).end());
    const ann = await app.signUp('ann');
    const { id } = await fetchLink(ann, origin.at('/get'));
    const taskNow = () => ann.call(taskApi.get, { params: { id } });
    await eventually(async () => (await taskNow()).params['source'] === 'torrent');
    expect((await taskNow()).phase).not.toBe('PHASE_TYPE_ERROR');
    const [resource] = (await ann.call(offlineApi.inspect, { body: { urls: magnet } })).list.resources;
    expect(resource).toMatchObject({ name: 'Cosmos', meta: { kind: 'torrent' } });
    await ann.call(taskApi.remove, { query: { task_ids: id } });
  });

  test('a file that is not a torrent fails with a clear error', async () => {
    await using app = await open(dialect);
    const ann = await app.signUp('ann');
    for (const text of ['', 'hello', 'd4:infod4:name1:ae', 'd4:infoi1ee', 'le'.repeat(3000)])
      await expect(
        ann.call(offlineApi.inspect, { body: { torrent: Buffer.from(text).toString('base64') } }),
        text.slice(0, 20),
      ).rejects.toThrow('This torrent can’t be read');
  });
});
