import { request as httpRequest } from 'node:http';
import { archiveApi, driveApi, shareApi } from '@bowerbird/contract';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  plant,
  turnableClock,
  type Person,
  type TestApp,
  type Tree,
} from '../../testing/index.ts';

const TREE: Tree = {
  bower: {
    'pläne 文件 🐦 100%\u007f\n.txt': 'fly south',
    empty: {},
    deeper: { 'map "1".txt': 'here', 'zero.bin': '' },
  },
  'list.txt': 'blue things',
  'out.txt': 'not packed',
};

const linkOf = ({ url }: { url: string }): string => url.slice(new URL(url).origin.length);

/** Names and contents as Python reads them. */
async function unpacked(bytes: Buffer): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-zip-'));
  try {
    const file = join(folder, 'a.zip');
    await writeFile(file, bytes);
    const code = `import zipfile, json; z = zipfile.ZipFile(${JSON.stringify(file)}); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`;
    return JSON.parse(execFileSync('python3', ['-c', code]).toString()) as Record<string, string>;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const download = (person: Person, link: { url: string }) => person.inject({ url: linkOf(link) });

eachDatabase((dialect) => {
  test('a member downloads a selection as one zip, with whole folders and without duplicates', async () => {
    await using app = await openTestApp({ dialect, clock: { now: () => Date.UTC(2026, 10, 29, 12) } });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, TREE);
    const link = await ann.call(archiveApi.pack, {
      body: { ids: [ids['bower']!, ids['bower/deeper']!, ids['list.txt']!, ids['list.txt']!] },
    });
    const reply = await download(app.visitor, link);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="bower 2026-11-29.zip"; filename*=UTF-8''bower%202026-11-29.zip`,
    );
    expect(await unpacked(reply.rawPayload)).toEqual({
      'bower/': '',
      'bower/deeper/': '',
      'bower/deeper/map "1".txt': 'here',
      'bower/deeper/zero.bin': '',
      'bower/empty/': '',
      'bower/pläne 文件 🐦 100%\u007f\n.txt': 'fly south',
      'list.txt': 'blue things',
    });
    const within = await ann.call(archiveApi.pack, {
      body: { ids: [ids['bower/deeper/map "1".txt']!, ids['bower/deeper/zero.bin']!] },
    });
    expect((await download(app.visitor, within)).headers['content-disposition']).toContain(
      'filename="deeper 2026-11-29.zip"',
    );
    const head = await app.visitor.inject({ method: 'HEAD', url: linkOf(link) });
    expect([head.statusCode, head.headers['content-disposition'], head.body]).toEqual([
      200,
      reply.headers['content-disposition'],
      '',
    ]);
  });

  test('a folder with some contents excluded is packed without the client listing the rest, and the zip has the folder’s name', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, TREE);
    const root = await ann.call(archiveApi.pack, {
      body: { all_in: '', except_ids: [ids['out.txt']!, ids['bower']!] },
    });
    expect(await unpacked((await download(app.visitor, root)).rawPayload)).toEqual({
      'list.txt': 'blue things',
    });
    const folder = await download(
      app.visitor,
      await ann.call(archiveApi.pack, {
        body: { all_in: ids['bower']!, except_ids: [ids['bower/deeper']!] },
      }),
    );
    expect(folder.headers['content-disposition']).toContain('filename="bower.zip"');
    expect(Object.keys(await unpacked(folder.rawPayload))).toEqual([
      'empty/',
      'pläne 文件 🐦 100%\u007f\n.txt',
    ]);
  });

  test('a download link covers the member’s own files only, for one hour', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const ids = await plant(app, ann.id, TREE);
    for (const body of [
      { ids: [ids['list.txt']!] },
      { ids: [] },
      {},
      { all_in: ids['bower']! },
      { ids: ['V0'] },
    ]) {
      await expect(bob.call(archiveApi.pack, { body })).rejects.toMatchObject({ id: 'file_not_found' });
    }
    const link = await ann.call(archiveApi.pack, { body: { ids: [ids['list.txt']!] } });
    for (const change of [
      (url: string) => url.replace(/sign=.../, 'sign=xyz'),
      (url: string) => url.replace(/expire=\d/, 'expire=9'),
      () => 'http://drive.test/archive/',
      () => 'http://drive.test/archive/?id=a&id=b&expire=1&sign=x',
    ]) {
      expect((await download(app.visitor, { url: change(link.url) })).statusCode).toBe(404);
    }
    clock.advance(3600 * 1000);
    expect((await download(app.visitor, link)).statusCode).toBe(404);
  });

  test('a visitor downloads a share or a part of it, under its title, with the contents it has at that moment', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, TREE);
    const share = await ann.call(shareApi.create, {
      body: {
        file_ids: [ids['bower']!, ids['list.txt']!],
        title: 'Blue "things"',
        pass_code_option: 'REQUIRED',
      },
    });
    const { pass_code_token: token } = await app.visitor.call(shareApi.open, {
      query: { share_id: share.share_id, pass_code: share.pass_code },
    });
    const access = { share_id: share.share_id, pass_code_token: token };
    const whole = await app.visitor.call(archiveApi.packShare, { body: access });
    const part = await app.visitor.call(archiveApi.packShare, {
      body: { ...access, file_ids: [ids['bower/deeper/map "1".txt']!, ids['list.txt']!] },
    });
    await expect(
      app.visitor.call(archiveApi.packShare, { body: { ...access, file_ids: [ids['out.txt']!] } }),
    ).rejects.toMatchObject({ id: 'file_not_found' });
    const reply = await download(app.visitor, whole);
    expect(reply.headers['content-disposition']).toContain(`filename="Blue _things_.zip"`);
    expect(Object.keys(await unpacked(reply.rawPayload))).toContain('bower/deeper/map "1".txt');
    expect(await unpacked((await download(app.visitor, part)).rawPayload)).toEqual({
      'map "1".txt': 'here',
      'list.txt': 'blue things',
    });

    await ann.call(driveApi.move, {
      body: { ids: [ids['bower/deeper/map "1".txt']!], to: { parent_id: '' } },
    });
    expect(await unpacked((await download(app.visitor, part)).rawPayload)).toEqual({
      'list.txt': 'blue things',
    });
    await ann.call(shareApi.edit, { body: { share_id: share.share_id, custom_pass_code: 'Newer1' } });
    for (const link of [whole, part]) expect((await download(app.visitor, link)).statusCode).toBe(404);
  });
});

describe('over a real connection', () => {
  async function listening(app: TestApp): Promise<number> {
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    return (app.http.server.address() as { port: number }).port;
  }

  async function packed(app: TestApp): Promise<string> {
    const ann = await app.signUp('ann');
    await plant(app, ann.id, { a: { 'first.txt': 'fine', 'second.bin': 'x'.repeat(200_000) } });
    return linkOf(await ann.call(archiveApi.pack, { body: { all_in: '' } }));
  }

  test('a file that can’t be read to its end cuts the connection, so that a partial zip is not taken for a whole one', async () => {
    await using app = await openTestApp();
    const { storage } = app;
    const open = storage.open.bind(storage);
    storage.open = async (key, range) => {
      const blob = await open(key, range);
      if (blob.size < 1000) return blob;
      blob.stream.destroy();
      return {
        ...blob,
        stream: Readable.from(
          (async function* () {
            yield Buffer.alloc(100_000);
            throw new Error('the disk is gone');
          })(),
        ),
      };
    };
    const path = await packed(app);
    const port = await listening(app);
    await expect(
      fetch(`http://127.0.0.1:${port}${path}`).then((reply) => reply.arrayBuffer()),
    ).rejects.toThrow();
  });

  test('a client that disconnects leaves no file open, and a slow client is waited for', async () => {
    await using app = await openTestApp();
    const { storage } = app;
    let given = 0;
    let closed = 0;
    const open = storage.open.bind(storage);
    storage.open = async (key, range) => {
      const blob = await open(key, range);
      if (blob.size < 1000) return blob;
      blob.stream.destroy();
      const endless = Readable.from(
        (async function* () {
          for (;;) {
            given += 65_536;
            yield Buffer.alloc(65_536);
          }
        })(),
      );
      endless.once('close', () => (closed += 1));
      return { ...blob, stream: endless };
    };
    const path = await packed(app);
    const port = await listening(app);
    const outgoing = httpRequest({ port, path, host: '127.0.0.1' }).end();
    await new Promise((resolve) => outgoing.once('response', (reply) => reply.once('readable', resolve)));
    for (let before = -1; given !== before; await sleep(300)) before = given;
    expect(given).toBeLessThan(64 * 2 ** 20);
    outgoing.destroy();
    await expect.poll(() => closed).toBe(1);
  });
});
