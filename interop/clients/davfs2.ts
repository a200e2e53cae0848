import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Scene } from '../client.ts';
import { openDesk } from '../desk.ts';
import { onPath, versionOf } from '../programs.ts';

/** True if this machine can mount at all: that needs root and the kernel module. */
const canMount = (): boolean => process.getuid?.() === 0 && existsSync('/dev/fuse');

/** The drive mounted as a folder, used by ordinary programs. */
export const davfs2: Client = {
  title: 'davfs2 over WebDAV',
  async ready() {
    const program = onPath('mount.davfs');
    if (!program) return { absent: 'there is no mount.davfs' };
    if (!canMount()) return { absent: 'this user can’t mount, or there is no /dev/fuse' };
    return { version: await versionOf(program, '-V'), run: runDavfs };
  },
};

async function runDavfs(scene: Scene): Promise<void> {
  const { folder, step } = scene;
  const { shell, url, user, secret, names } = await openDesk(scene);
  const at = join(folder, 'mounted');
  await mkdir(at);
  const secrets = join(folder, 'secrets');
  await writeFile(secrets, `${url} ${user} ${secret}\n`, { mode: 0o600 });
  const settings = join(folder, 'davfs2.conf');
  // Without the larger buffer, davfs2 can't list folders on recent kernels.
  await writeFile(settings, `secrets ${secrets}\ndelay_upload 0\nbuf_size 64\n`);
  const mount = () => shell('mount', '-t', 'davfs', '-o', `conf=${settings}`, url, at);
  // Unmounting ends once everything has been sent.
  const unmount = () => shell('umount', at);
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const read = async (path: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(url + path, { headers: { authorization } })).arrayBuffer());
  const nest = join(at, 'a nest');
  const big = Buffer.alloc(40 * 2 ** 20, 'x');

  await step('mount', mount);
  let isMounted = true;
  try {
    await step('mkdir', async () => {
      for (const name of ['a nest', 'another nest']) await mkdir(join(at, name));
    });
    const path = join(nest, '100% +plus #hash? 🐦.txt');
    await step('write', () => writeFile(path, 'a blue feather'));
    await step('rename', () => shell('mv', path, join(nest, 'renamed “so”.txt')));
    await step('copy', () => shell('cp', join(nest, 'renamed “so”.txt'), join(at, 'another nest')));
    await step('read', async () =>
      assert.equal(await readFile(join(at, 'another nest', 'renamed “so”.txt'), 'utf8'), 'a blue feather'),
    );
    await step('list', async () => assert.deepEqual(await readdir(nest), ['renamed “so”.txt']));
    await step('write 40 MiB', () => writeFile(join(at, 'large.bin'), big));
    await step('50 files, listed', async () => {
      await mkdir(join(at, 'many'));
      for (let each = 0; each < 50; each++) await writeFile(join(at, 'many', `${each}.txt`), `${each}`);
      assert.equal((await readdir(join(at, 'many'))).length, 50);
    });
    await step('sync', () => shell('sync', '-f', at));

    const held = await step('hold a file open for writing, which locks it', async () => {
      const file = await open(join(nest, 'held.txt'), 'w');
      await file.write('before the pause, ');
      return file;
    });
    await scene.pause();
    await step('write on after the pause, and close', async () => {
      await held.write('and after it');
      await held.close();
    });
    await step('list after the pause', async () =>
      assert.deepEqual((await readdir(nest)).toSorted(), ['held.txt', 'renamed “so”.txt']),
    );
    await step('delete', () => rm(join(at, 'many'), { recursive: true }));
    await step('unmount', unmount);
    isMounted = false;
    assert.deepEqual(await names(), ['a nest', 'another nest', 'large.bin']);

    // From now on davfs2 could read its own cached copy, so the server is asked directly.
    await step('all of it is on the server', async () => {
      assert.ok((await read('large.bin')).equals(big));
      assert.equal((await read('a%20nest/held.txt')).toString(), 'before the pause, and after it');
    });
    await step('mount again', mount);
    isMounted = true;
    await step('read again', async () => assert.ok((await readFile(join(at, 'large.bin'))).equals(big)));
  } finally {
    if (isMounted) await unmount();
  }
}
