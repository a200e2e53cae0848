import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETTLED_MS } from './ensure-built.mjs';

const TOOLS = join(import.meta.dirname, '..');
let folder = '';
let root = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-built-'));
  root = join(folder, 'checkout');
  await cp(TOOLS, join(root, 'tools'), { recursive: true });
  await mkdir(join(root, 'src', 'deep'), { recursive: true });
  await writeFile(source(), 'first');
});
afterEach(() => rm(folder, { recursive: true }));

const source = () => join(root, 'src', 'deep', 'one.ts');

/** Returns true if the sources were built again. */
function build(): boolean {
  const script = `
    const { ensureBuilt } = await import('./tools/builds/ensure-built.mjs');
    const { mkdirSync } = await import('node:fs');
    const root = (name) => process.cwd() + '/' + name;
    let built = false;
    const build = async (node, next) => { mkdirSync(next, { recursive: true }); built = true; };
    await ensureBuilt({ name: 'test', sources: ['src'], output: root('out'), next: root('next-out'), build }, process.execPath);
    process.stdout.write(String(built));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout === 'true';
}

test('sources are built again when their content has changed, and only then', async () => {
  expect(build()).toBe(true);
  expect(build()).toBe(false);
  await utimes(source(), 1, 1);
  expect(build()).toBe(false);
  await writeFile(source(), 'other');
  await utimes(source(), 1, 1);
  expect(build()).toBe(true);
});

test('a build stays valid when the checkout is moved or copied', async () => {
  build();
  const moved = join(folder, 'elsewhere');
  await rename(root, moved);
  root = moved;
  expect(build()).toBe(false);
  root = join(folder, 'copy');
  await cp(moved, root, { recursive: true });
  expect(build()).toBe(false);
});

test('sources that nobody touched are not read again, and a change that keeps size and time is noticed', async () => {
  const { mtime } = await stat(source());
  await sleep(SETTLED_MS);
  expect([build(), build()]).toEqual([true, false]);
  // Only reading the sources would show that this isn't their digest.
  await writeFile(join(root, 'out', '.source'), 'unread');
  expect(build()).toBe(false);
  await writeFile(source(), 'other');
  await utimes(source(), mtime, mtime);
  expect(build()).toBe(true);
});
