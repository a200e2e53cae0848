import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { growHazards } from '../../server/testing/index.ts';
import type { Client, Scene } from '../client.ts';
import { configureRclone, openDesk } from '../desk.ts';
import { onPath, runWell, versionOf } from '../programs.ts';
import { openPikPak } from '../rclone-remote.ts';
import { findRclone } from '../rclone.ts';
import { freePort } from '../server.ts';

/** Backups over both of rclone's backends. */
export const restic: Client = {
  title: 'restic through rclone',
  async ready(say) {
    const program = onPath('restic');
    if (!program) return { absent: 'there is no restic' };
    const rclone = await findRclone(say);
    if (!rclone) return { absent: 'there is no rclone with the backend pikpak' };
    return {
      version: await versionOf(program, 'version'),
      async run(scene) {
        await overWebDav(scene, program, rclone);
        await overPikPak(scene, program, rclone);
      },
    };
  },
};

async function overWebDav(scene: Scene, program: string, rclone: string): Promise<void> {
  const desk = await openDesk(scene);
  await configureRclone(desk, scene, rclone);
  const repository = ['-r', 'rclone:drive:backup', '-o', `rclone.program=${rclone}`];
  await backUp(scene, 'webdav', (...args) => desk.shell(program, ...repository, '-q', ...args));
  assert.deepEqual(await desk.names(), ['backup']);
  await desk.shell(rclone, 'purge', 'drive:backup');
}

async function overPikPak(scene: Scene, program: string, rclone: string): Promise<void> {
  const remote = await openPikPak(scene, rclone);
  const desk = await openDesk(scene);
  const port = await freePort();
  const server = spawn(
    rclone,
    ['serve', 'restic', 'bower:vault', '--addr', `127.0.0.1:${port}`, ...remote.options],
    { stdio: 'ignore' },
  );
  try {
    await untilOpen(port);
    const repository = ['-r', `rest:http://127.0.0.1:${port}/`];
    await backUp(scene, 'pikpak', (...args) => desk.shell(program, ...repository, '-q', ...args));
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

/** Two snapshots are checked completely and restored; then the first one is forgotten and its unique data pruned. */
async function backUp(
  { folder, step, pause }: Scene,
  backend: string,
  restic: (...args: string[]) => Promise<string>,
): Promise<void> {
  const tree = join(folder, `tree-${backend}`);
  await mkdir(tree);
  await growHazards(tree, 200);
  const restored = join(folder, `restored-${backend}`);
  await step(`${backend}: init`, () => restic('init'));
  await step(`${backend}: backup`, () => restic('backup', tree));
  await step(`${backend}: check --read-data`, () => restic('check', '--read-data'));
  await pause();
  await writeFile(join(tree, 'later.txt'), 'a berry');
  await step(`${backend}: backup after the pause`, () => restic('backup', tree));
  await step(`${backend}: forget --prune`, () => restic('forget', '--keep-last', '1', '--prune'));
  await step(`${backend}: check --read-data again`, () => restic('check', '--read-data'));
  await step(`${backend}: restore`, () => restic('restore', 'latest', '--target', restored));
  await step(`${backend}: unlock, stats`, async () => {
    await restic('unlock');
    await restic('stats');
  });
  await runWell('diff', ['-r', tree, join(restored, tree)]);
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('rclone serve did not start');
}
