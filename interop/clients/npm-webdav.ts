import assert from 'node:assert/strict';
import type { Client, Scene } from '../client.ts';
import { openDesk } from '../desk.ts';
import { readyPackage } from '../node-packages.ts';

interface Stat {
  readonly basename: string;
  readonly type: 'file' | 'directory';
  readonly size: number;
}

/** The parts of the library that we use. */
interface WebDav {
  exists(path: string): Promise<boolean>;
  createDirectory(path: string, options?: { recursive: boolean }): Promise<void>;
  putFileContents(
    path: string,
    content: string | Buffer,
    options?: { overwrite?: boolean; headers?: Record<string, string> },
  ): Promise<boolean>;
  getFileContents(path: string, options?: { format: 'text' }): Promise<Buffer | string>;
  getDirectoryContents(path: string, options?: { deep?: boolean; glob?: string }): Promise<Stat[]>;
  stat(path: string): Promise<Stat>;
  getDAVCompliance(path: string): Promise<{ compliance: string[] }>;
  getFileDownloadLink(path: string): string;
  createReadStream(path: string, options?: { range: { start: number; end: number } }): AsyncIterable<Buffer>;
  createWriteStream(path: string, options?: object, callback?: () => void): NodeJS.WritableStream;
  copyFile(from: string, to: string): Promise<void>;
  moveFile(from: string, to: string): Promise<void>;
  lock(path: string): Promise<{ token: string }>;
  unlock(path: string, token: string): Promise<void>;
  deleteFile(path: string): Promise<void>;
}

interface Library {
  createClient(url: string, options: { username: string; password: string }): WebDav;
}

/** The WebDAV library that most Node programs use. */
export const npmWebDav: Client = {
  title: 'webdav (npm) over WebDAV',
  async ready(say) {
    const found = await readyPackage<Library>(say, 'webdav', '5.11.0');
    if ('absent' in found) return found;
    return { version: found.version, run: async (scene) => runWebDav(scene, await found.load()) };
  },
};

async function runWebDav(scene: Scene, library: Library): Promise<void> {
  const { step } = scene;
  const { url, user: username, secret: password } = await openDesk(scene);
  const client = library.createClient(url, { username, password });
  const large = Buffer.alloc(20 * 2 ** 20, 'feather');
  const names = async (path: string): Promise<string[]> =>
    (await client.getDirectoryContents(path)).map(({ basename }) => basename).toSorted();
  const reads = async (path: string, content: string): Promise<void> =>
    assert.equal(await client.getFileContents(path, { format: 'text' }), content);
  const streamed = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  await step('exists', async () => assert.equal(await client.exists('/nest'), false));
  await step('createDirectory', () => client.createDirectory('/nest'));
  await step('createDirectory, recursive', () => client.createDirectory('/a/b/c', { recursive: true }));
  await step('putFileContents', async () => {
    assert.equal(await client.putFileContents('/nest/small 🐦.txt', 'a blue feather'), true);
    assert.equal(await client.putFileContents('/nest/large.bin', large), true);
  });
  await step('putFileContents without overwrite', async () =>
    assert.equal(await client.putFileContents('/nest/large.bin', 'x', { overwrite: false }), false),
  );
  await step('getDirectoryContents', async () =>
    assert.deepEqual(await names('/nest'), ['large.bin', 'small 🐦.txt']),
  );
  await step('getDirectoryContents by a pattern', async () =>
    assert.equal((await client.getDirectoryContents('/nest', { glob: '/**/*.bin' })).length, 1),
  );
  await step('stat', async () => {
    const { type, size } = await client.stat('/nest/large.bin');
    assert.deepEqual([type, size], ['file', large.length]);
  });
  await step('getFileContents', async () => {
    await reads('/nest/small 🐦.txt', 'a blue feather');
    assert.ok(Buffer.from((await client.getFileContents('/nest/large.bin')) as Buffer).equals(large));
  });
  await step('getFileDownloadLink', async () => {
    const reply = await fetch(withoutCredentials(client.getFileDownloadLink('/nest/large.bin')), {
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(large));
  });
  await step('createReadStream of a range', async () => {
    const range = { start: 7, end: 13 };
    assert.equal(
      (await streamed(client.createReadStream('/nest/large.bin', { range }))).toString(),
      'feather',
    );
  });
  await step('createWriteStream', async () => {
    await new Promise<void>((resolve) =>
      client.createWriteStream('/nest/streamed.bin', {}, resolve).end(large),
    );
    assert.ok((await streamed(client.createReadStream('/nest/streamed.bin'))).equals(large));
  });
  await step('copyFile', () => client.copyFile('/nest/small 🐦.txt', '/a/copied.txt'));
  await step('moveFile', () => client.moveFile('/a/copied.txt', '/a/b/moved.txt'));
  await step('lock, put with it, unlock', async () => {
    const { token } = await client.lock('/a/b/moved.txt');
    assert.match(token, /^urn:uuid:/);
    await assert.rejects(client.putFileContents('/a/b/moved.txt', 'no'), /423/);
    await client.putFileContents('/a/b/moved.txt', 'green', { headers: { If: `(<${token}>)` } });
    await client.unlock('/a/b/moved.txt', token);
    await client.putFileContents('/a/b/moved.txt', 'a green feather');
  });
  const held = await step('lock a file', () => client.lock('/nest/large.bin'));
  await scene.pause();
  await step('the lock has ended after the pause', async () => {
    assert.equal(await client.putFileContents('/nest/large.bin', 'small now'), true);
    await assert.rejects(client.unlock('/nest/large.bin', held.token), /409|412/);
  });
  await step('getFileContents after the pause', () => reads('/a/b/moved.txt', 'a green feather'));
  await step('getDAVCompliance', async () => {
    const { compliance } = await client.getDAVCompliance('/');
    assert.ok(compliance.includes('1') && compliance.includes('2'), compliance.join());
  });
  await step('deleteFile', async () => {
    for (const name of ['/nest', '/a']) await client.deleteFile(name);
    assert.deepEqual(await names('/'), []);
  });
}

function withoutCredentials(link: string): URL {
  const url = new URL(link);
  url.username = url.password = '';
  return url;
}
