import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { growHazards } from '../../server/testing/index.ts';
import { proveChecksums } from '../changed-content.ts';
import type { Client, Scene } from '../client.ts';
import { configureRclone, openDesk } from '../desk.ts';
import { onPath, versionOf } from '../programs.ts';
import { findRclone } from '../rclone.ts';

/** Every kind of name and size: uploaded, compared byte for byte, moved, copied, changed, and downloaded. */
export const rcloneWebDav: Client = {
  title: 'rclone, webdav',
  async ready(say) {
    const program = (await findRclone(say)) ?? onPath('rclone');
    if (!program) return { absent: 'there is no rclone' };
    return { version: await versionOf(program, 'version'), run: (scene) => runRclone(scene, program) };
  },
};

async function runRclone(scene: Scene, program: string): Promise<void> {
  const { folder, step } = scene;
  const desk = await openDesk(scene);
  const { shell } = desk;
  await configureRclone(desk, scene, program);
  const tree = join(folder, 'tree');
  await growHazards(tree, 400);
  await writeFile(join(tree, 'large.bin'), Buffer.alloc(180 * 2 ** 20, 'feather'));
  const options = ['--transfers', '8', '--checkers', '8', '--retries', '1', '--stats', '0'];
  const rclone = (...args: string[]): Promise<string> => shell(program, ...args, ...options);
  const same = (at: string, there: string): Promise<string> =>
    step(`check ${there}`, () => rclone('check', '--download', at, there));
  const many = join(tree, 'many');

  await step('sync', () => rclone('sync', tree, 'drive:tree', '--create-empty-src-dirs'));
  await same(tree, 'drive:tree');
  await same(join(tree, 'folders'), 'drive:tree/folders');
  await step('copy with times and checksums', () => rclone('copy', many, 'cloud:many'));
  await step('check by checksums', () => rclone('check', many, 'cloud:many'));
  await step('move a tree', () => rclone('moveto', 'drive:many', 'drive:moved/deep'));
  await step('copy a tree', () => rclone('copyto', 'drive:moved', 'drive:copied'));
  await same(many, 'drive:copied/deep');
  const config = ['--config', join(folder, 'rclone.conf')];
  await proveChecksums(scene, program, { remote: 'cloud:', options: config });
  await step('dedupe', () => rclone('dedupe', 'newest', 'cloud:'));

  await scene.pause();
  await writeFile(join(many, 'folder 0', '0.bin'), 'changed');
  await rm(join(many, 'folder 1'), { recursive: true });
  await step('sync of changes', () => rclone('sync', many, 'drive:copied/deep'));
  await same(many, 'drive:copied/deep');
  await step('copy back', async () => {
    await rclone('copy', 'drive:tree', join(folder, 'back'), '--create-empty-src-dirs');
    await shell('diff', '-r', join(tree, 'folders'), join(folder, 'back', 'folders'));
    await shell('cmp', join(tree, 'large.bin'), join(folder, 'back', 'large.bin'));
  });
  await step('about', async () => {
    const about = JSON.parse(await rclone('about', 'cloud:', '--json')) as { used: number };
    assert.ok(about.used > 180 * 2 ** 20);
  });
  await step('purge', () => rclone('purge', 'drive:tree'));
  assert.deepEqual(await desk.names(), ['copied', 'moved']);
}
