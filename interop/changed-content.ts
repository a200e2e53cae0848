import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scene } from './client.ts';
import { run, runWell } from './programs.ts';

const LENGTH = 3000;
const TIME = new Date('2020-01-01T00:00:00Z');

/**
 * Files whose size and time stay the same while their content changes: only checksums reveal it. Both `check` and
 * `sync --checksum` must detect the difference, and `dedupe` must detect which files are identical.
 */
export async function proveChecksums(
  { folder, step }: Scene,
  program: string,
  { remote, options }: { remote: string; options: readonly string[] },
): Promise<void> {
  const local = join(folder, 'same-size');
  await mkdir(local, { recursive: true });
  const file = join(local, 'nut.bin');
  const manner = { seconds: 300 };
  const rclone = (...args: string[]) => run(program, [...args, ...options, '-v'], manner);
  const well = (...args: string[]) => runWell(program, [...args, ...options], manner);
  const change = async (): Promise<void> => {
    await writeFile(file, randomFillSync(Buffer.alloc(LENGTH)));
    await utimes(file, TIME, TIME);
  };
  const there = `${remote}same-size`;

  await change();
  await well('copy', local, there);
  await step('check of equal files compares checksums', async () => {
    const { code, err } = await rclone('check', local, there);
    assert.equal(code, 0, err);
    assert.match(err, /1 matching files/);
    assert.doesNotMatch(err, /could not be checked/);
  });
  await change();
  await step('check finds other content of the same size and time', async () => {
    const { code, err } = await rclone('check', local, there);
    assert.equal(code, 1, err);
    assert.match(err, /1 differences found/);
  });
  await step('sync --checksum sends other content of the same size and time', async () => {
    await well('sync', '--checksum', local, there);
    assert.equal((await rclone('check', '--download', local, there)).code, 0);
  });
  await step('sync --checksum has nothing to send afterwards', async () =>
    assert.match((await rclone('sync', '--checksum', local, there)).err, /nothing to transfer/),
  );
  await step('dedupe --by-hash keeps one of files of one content', async () => {
    await well('copyto', file, `${there}/again.bin`);
    await well('copyto', file, `${there}/and-again.bin`);
    await well('dedupe', '--by-hash', 'newest', there);
    assert.equal((await well('lsf', there)).trim().split('\n').length, 1);
  });
  await well('purge', there);
}
