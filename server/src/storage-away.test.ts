import { cp, mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountApi, driveApi } from '@bowerbird/contract';
import { expect, onTestFinished, test } from 'vitest';
import { StorageRefused } from './drive/index.ts';
import { png } from './seed/png.ts';
import {
  askTicket,
  drivenByAnn,
  expectWhole,
  objectClient,
  openTestApp,
  type TestApp,
} from '../testing/index.ts';

/** Simulates an unmounted disk: an empty, writable folder remains. The returned function mounts it again. */
async function unplug({ config }: TestApp): Promise<() => Promise<void>> {
  const files = join(config.DATA_DIR, 'files');
  await rename(files, `${files}-unplugged`);
  await mkdir(files);
  return async () => {
    expect(await readdir(files)).toEqual([]);
    await rmdir(files);
    await rename(`${files}-unplugged`, files);
  };
}

const photo = png({ width: 40, height: 40, at: (x) => [x, 0.4, 0.8] });

test('while the storage is unavailable every request that needs bytes returns 503, and works again once it is back', async () => {
  await using app = await openTestApp();
  const { dav, member } = await drivenByAnn(app);
  await dav.put('/old', 'as it was');
  await dav.put('/photo.png', photo);
  const [{ resumable: whole }, { resumable: inParts }] = [
    await askTicket(member, { name: 'whole', size: 4 }),
    await askTicket(member, { name: 'parts', size: 8 }),
  ];
  const etag = await objectClient(app, inParts!.params).putPart(1, 'part');
  const found = await member.call(driveApi.list, { query: {} });
  const linkOf = (name: string) => {
    const file = found.files.find((one) => one.name === name)!;
    return { download: file.web_content_link, thumbnail: file.thumbnail_link };
  };
  const ask = (address: string) => member.inject({ url: address.replace('http://drive.test', '') });

  const plugIn = await unplug(app);
  try {
    const replies = {
      ready: await app.http.inject({ url: '/readyz' }),
      download: await ask(
        (await member.call(driveApi.get, { params: { id: found.files[0]!.id }, query: {} })).web_content_link,
      ),
      thumbnail: await ask(linkOf('photo.png').thumbnail),
      range: await dav.get('/old', { range: 'bytes=0-1' }),
      get: await dav.get('/old'),
      put: await dav.put('/new', 'new'),
      over: await dav.put('/old', 'new'),
      body: await objectClient(app, whole!.params).put('body'),
      part: await objectClient(app, inParts!.params).send(
        'PUT',
        `partNumber=2&uploadId=${inParts!.params.key}`,
        { body: 'part' },
      ),
      list: await objectClient(app, inParts!.params).list(),
    };
    for (const [what, reply] of Object.entries(replies)) {
      const status = 'statusCode' in reply ? reply.statusCode : reply.status;
      expect([what, status, reply.headers['retry-after']]).toEqual([what, 503, '2']);
    }
    await expect(askTicket(member, { name: 'ticket', size: 5 })).rejects.toMatchObject({ id: 'unavailable' });
    await expect(askTicket(member, { name: 'empty', size: 0 })).rejects.toMatchObject({ id: 'unavailable' });
    const picture = photo.toString('base64');
    await expect(member.call(accountApi.setPicture, { body: { picture } })).rejects.toMatchObject({
      id: 'unavailable',
    });
    // Requests that need no bytes continue to work.
    expect((await dav.send('MKCOL', '/folder')).status).toBe(201);
    expect((await member.call(driveApi.list, { query: {} })).files.length).toBeGreaterThan(2);
  } finally {
    await plugIn();
  }

  expect((await app.http.inject({ url: '/readyz' })).statusCode).toBe(200);
  expect((await dav.get('/old')).text).toBe('as it was');
  expect((await dav.put('/new', 'new')).status).toBe(201);
  expect((await objectClient(app, whole!.params).put('body')).status).toBe(200);
  const last = await objectClient(app, inParts!.params).putPart(2, 'part');
  expect((await objectClient(app, inParts!.params).complete({ 1: etag, 2: last })).status).toBe(200);
  expect((await ask(linkOf('photo.png').thumbnail)).statusCode).toBe(200);
  await app.jobs.drain();
  await expectWhole(app);
});

test('while the data folder is missing nothing is acknowledged, and everything is there when it is back', async () => {
  await using app = await openTestApp({ environment: { CAPTCHA: 'off' } });
  const { dav, member } = await drivenByAnn(app);
  await dav.put('/before', 'before');
  const folder = app.config.DATA_DIR;
  await rename(folder, `${folder}-away`);
  try {
    const refused = { id: 'unavailable' };
    const make = { kind: 'drive#folder', name: 'away' } as const;
    await expect(member.call(driveApi.create, { body: make })).rejects.toMatchObject(refused);
    await expect(app.signUp('bob')).rejects.toMatchObject(refused);
    await expect(askTicket(member, { name: 'away', size: 5 })).rejects.toMatchObject(refused);
    for (const reply of [
      await dav.send('MKCOL', '/away'),
      await dav.put('/away', 'x'),
      await dav.get('/before'),
    ])
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect((await app.http.inject({ url: '/readyz' })).statusCode).toBe(503);
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  } finally {
    await rename(`${folder}-away`, folder);
  }
  expect((await app.http.inject({ url: '/readyz' })).statusCode).toBe(200);
  expect((await dav.get('/before')).text).toBe('before');
  expect((await dav.get('/away')).status).toBe(404);
  await app.signUp('bob');
  await expectWhole(app);
});

/** A stopped installation with one of Ann's files. Its folder remains until the end of the test. */
async function stoppedInstallation(): Promise<{ folder: string; start: () => Promise<TestApp> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const start = () => openTestApp({ environment: { DATA_DIR: folder } });
  const app = await start();
  const { dav } = await drivenByAnn(app);
  await dav.put('/mine', 'mine');
  await app.close();
  return { folder, start };
}

test('starting with a new database beside the files of another is rejected and changes nothing', async () => {
  const { folder, start } = await stoppedInstallation();
  const [files, database] = [join(folder, 'files'), join(folder, 'bowerbird.sqlite')];
  const kept = join(folder, 'kept');
  for (const ending of ['', '-wal', '-shm']) await rename(database + ending, kept + ending).catch(() => {});
  const before = await readdir(files, { recursive: true });

  await expect(start()).rejects.toThrow(/contains files, but the database is new/);
  expect(await readdir(files, { recursive: true })).toEqual(before);

  for (const ending of ['', '-wal', '-shm']) {
    await rm(database + ending, { force: true });
    await rename(kept + ending, database + ending).catch(() => {});
  }
  await using again = await start();
  expect((await again.drive.check({ repair: false })).map(({ what }) => what)).toEqual([]);
});

test('starting without the files that the database refers to is rejected and changes nothing', async () => {
  const { folder, start } = await stoppedInstallation();
  const files = join(folder, 'files');
  await rename(files, `${files}-unplugged`);

  const refused = () => expect(start()).rejects.toThrow(StorageRefused);
  await refused();
  expect(await readdir(folder)).not.toContain('files');
  await mkdir(files);
  await refused();
  expect(await readdir(files)).toEqual([]);
  // Another installation's storage is rejected too.
  const other = await openTestApp();
  const { dav: theirs } = await drivenByAnn(other);
  await theirs.put('/theirs', 'theirs');
  await cp(join(other.config.DATA_DIR, 'files'), files, { recursive: true });
  await other.close();
  await refused();
  await rm(files, { recursive: true });

  await rename(`${files}-unplugged`, files);
  await using again = await start();
  expect((await again.drive.check({ repair: false })).map(({ what }) => what)).toEqual([]);
});
