import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRar5 } from '../../server/testing/archives/raw-rar.ts';
import { rawZip } from '../../server/testing/archives/raw-zip.ts';
import { proveChecksums } from '../changed-content.ts';
import type { Client, Scene } from '../client.ts';
import { versionOf } from '../programs.ts';
import { openPikPak } from '../rclone-remote.ts';
import { findRclone } from '../rclone.ts';
import { standInForRclone } from '../stand-ins.ts';

const MIB = 2 ** 20;
/** An empty file, one that fits into a single request, and one that needs parts. */
const FILES = { 'empty.txt': 0, 'small.bin': 5 * MIB, 'large.bin': 250 * MIB };

/** All common operations of rclone's backend for the protocol. */
export const rclonePikPak: Client = {
  title: 'rclone, pikpak',
  async ready(say) {
    const program = await findRclone(say);
    if (!program) return { absent: 'there is no rclone with the backend pikpak', standIn: standInForRclone };
    return { version: await versionOf(program, 'version'), run: (scene) => runRclone(scene, program) };
  },
};

async function runRclone(scene: Scene, program: string): Promise<void> {
  const { folder, source, step } = scene;
  const local = join(folder, 'local');
  await mkdir(local);
  for (const [name, size] of Object.entries(FILES))
    await writeFile(join(local, name), randomFillSync(Buffer.alloc(size)));
  const remote = await step('config create', () => openPikPak(scene, program));
  const { rclone, names } = remote;
  const lists = (path: string, expected: readonly string[], ...more: string[]) =>
    step(`lsf ${path}`, async () => assert.deepEqual(await names(path, ...more), expected));
  const compare = () => step('check', () => rclone('check', '--download', '--one-way', local, 'bower:nest'));

  await lists('', []);
  await step('mkdir', () => rclone('mkdir', 'bower:nest/twigs'));
  await lists('', ['nest/']);
  for (const name of Object.keys(FILES))
    await step(`copyto ${name}`, () => rclone('copyto', join(local, name), `bower:nest/${name}`));
  await lists('nest', ['empty.txt', 'large.bin', 'small.bin', 'twigs/']);
  await compare();
  await step('copy back', async () => {
    await rclone('copy', 'bower:nest/large.bin', join(folder, 'back'));
    assert.equal((await stat(join(folder, 'back', 'large.bin'))).size, FILES['large.bin']);
    assert.deepEqual(await readdir(join(folder, 'back')), ['large.bin']);
  });
  await step('cat of a range', async () =>
    assert.notEqual(await rclone('cat', '--offset', '10', '--count', '7', 'bower:nest/small.bin'), ''),
  );

  await step('the same content again, which is there already', () =>
    rclone('copyto', join(local, 'small.bin'), 'bower:again.bin'),
  );
  await writeFile(join(local, 'small.bin'), randomFillSync(Buffer.alloc(5 * MIB + 1)));
  await step('other content under the same name', () =>
    rclone('copyto', join(local, 'small.bin'), 'bower:nest/small.bin'),
  );
  await compare();
  await step('copy on the server', () => rclone('copyto', 'bower:nest/small.bin', 'bower:copied.bin'));
  await step('move', () => rclone('moveto', 'bower:copied.bin', 'bower:nest/twigs/moved.bin'));
  await step('rename', () => rclone('moveto', 'bower:nest/twigs/moved.bin', 'bower:nest/twigs/renamed.bin'));
  await lists('nest/twigs', ['renamed.bin']);
  await step('move a folder', () => rclone('moveto', 'bower:nest/twigs', 'bower:branches'));
  await lists('branches', ['renamed.bin']);
  await proveChecksums(scene, program, { remote: 'bower:', options: remote.options });
  await step('dedupe', () => rclone('dedupe', 'newest', 'bower:'));

  await scene.pause();
  await lists('branches', ['renamed.bin']);
  await step('upload after the pause', () => rclone('rcat', 'bower:late.txt', '--size', '0'));
  await step('link', async () => assert.match(await rclone('link', 'bower:nest'), /\/s\//));
  await step('about', async () => {
    const about = JSON.parse(await rclone('about', 'bower:', '--json')) as { total: number; used: number };
    assert.equal(about.total > about.used && about.used > FILES['large.bin'], true);
  });
  await step('config userinfo', async () =>
    assert.match(await rclone('config', 'userinfo', 'bower:'), /ann/i),
  );
  await step('backend addurl', async () => {
    await rclone('mkdir', 'bower:fetched');
    await rclone('backend', 'addurl', 'bower:fetched', source.at('/feather.bin'));
    await untilListed(() => names('fetched'), 'feather.bin');
  });

  // Archives become folders, with and without a password; the second archive is deleted because the request says so.
  const eggs = [{ name: 'deep/egg.txt', content: 'an egg' }];
  await writeFile(join(folder, 'open.zip'), rawZip(eggs));
  await writeFile(join(folder, 'locked.rar'), rawRar5(eggs, { password: 'berries' }));
  for (const name of ['open.zip', 'locked.rar'])
    await rclone('copyto', join(folder, name), `bower:packed/${name}`);
  const decompress = async (name: string, ...options: string[]): Promise<unknown> =>
    JSON.parse(await rclone('backend', 'decompress', 'bower:packed', name, ...options));
  await step('backend decompress', async () => {
    assert.deepEqual(await decompress('open.zip'), { Decompressed: 1, SourceDeleted: 0, Errors: 0 });
    await untilListed(() => names('packed'), 'open/');
  });
  await step('backend decompress with a password', async () => {
    const options = ['-o', 'password=berries', '-o', 'delete-src-file'];
    assert.deepEqual(await decompress('locked.rar', ...options), {
      Decompressed: 1,
      SourceDeleted: 1,
      Errors: 0,
    });
    await untilListed(() => names('packed'), 'locked/');
  });
  await lists('packed', ['locked/', 'open.zip', 'open/']);
  for (const name of ['open', 'locked'])
    await step(`cat from ${name}`, async () => {
      await untilListed(() => names(`packed/${name}`), 'deep/');
      await untilListed(() => names(`packed/${name}/deep`), 'egg.txt');
      assert.equal(await rclone('cat', `bower:packed/${name}/deep/egg.txt`), 'an egg');
    });
  await step('purge', () => rclone('purge', 'bower:packed'));

  await step('deletefile', () => rclone('deletefile', 'bower:nest/empty.txt'));
  await step('delete', () => rclone('delete', 'bower:again.bin'));
  await step('deletefile in the root', () => rclone('deletefile', 'bower:late.txt'));
  await lists('nest', ['large.bin', 'small.bin']);
  await lists('', ['again.bin', 'late.txt'], '--files-only', '--pikpak-trashed-only');
  await step('mkdir, rmdir', async () => {
    await rclone('mkdir', 'bower:hollow');
    await rclone('rmdir', 'bower:hollow');
  });
  await step('purge a tree', () => rclone('purge', 'bower:nest'));
  await lists('', ['branches/', 'fetched/']);
  await step('cleanup', () => rclone('cleanup', 'bower:'));
  await lists('', [], '--files-only', '--pikpak-trashed-only');
}

async function untilListed(list: () => Promise<string[]>, name: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if ((await list()).includes(name)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${name} did not appear`);
}
