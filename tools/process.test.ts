import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-process-'));
  await writeFile(join(folder, 'launch.mjs'), launcher);
  await writeFile(join(folder, 'launch-beside.mjs'), `delete process.execve;\n${launcher}`);
  await writeFile(join(folder, 'server.mjs'), server);
});
afterEach(() => rm(folder, { recursive: true }));

const ready = `
(await import('node:fs')).writeFileSync(import.meta.dirname + '/ready', String(process.pid));
`;
const launcher = `
const { become } = await import(${JSON.stringify(join(import.meta.dirname, 'process.mjs'))});
const { join } = await import('node:path');
become(process.execPath, [join(import.meta.dirname, 'server.mjs')]);
`;
/** Replaced by the server, and waiting for it where that isn't possible. */
const launchers = ['launch.mjs', 'launch-beside.mjs'];
/** Like a server, drains for a moment when told to stop, and takes a second signal for impatience. */
const server = `
const { writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const told = (what) => writeFileSync(join(import.meta.dirname, what), '');
let draining = false;
process.on('SIGTERM', () => {
  if (draining) process.exit(1);
  draining = true;
  setTimeout(() => { told('drained'); process.exit(3); }, 1000);
});
setInterval(() => {}, 1000);
${ready}`;

const exists = (name: string) => readFile(join(folder, name)).then(() => true);
const launch = (command: string, args: string[]): ChildProcess =>
  spawn(command, args, { cwd: folder, stdio: 'ignore' });

test.each(launchers)('SIGTERM lets the server drain, and its exit code is passed on (%s)', async (script) => {
  const child = launch(process.execPath, [script]);
  await vi.waitFor(() => exists('ready'), 5_000);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(await exists('drained')).toBe(true);
});

test.each(launchers)('the server drains when only the shell above it is killed (%s)', async (script) => {
  const shell = launch('sh', ['-c', `"${process.execPath}" ${script}; true`]);
  await vi.waitFor(() => exists('ready'), 5_000);
  shell.kill('SIGKILL');
  await vi.waitFor(() => exists('drained'), 5_000);
});

test.each(launchers)('the server is stopped only once if it then loses its parent (%s)', async (script) => {
  const shell = launch('sh', ['-c', `"${process.execPath}" ${script} & echo $! > pid; wait`]);
  await vi.waitFor(() => exists('ready'), 5_000);
  process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGTERM');
  shell.kill('SIGKILL');
  await vi.waitFor(() => exists('drained'), 5_000);
});

test('the launcher does not stay beside the server', async () => {
  const child = launch(process.execPath, ['launch.mjs']);
  await vi.waitFor(async () => {
    expect(await readFile(join(folder, 'ready'), 'utf8')).toBe(String(child.pid));
  }, 5_000);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('a program that ignores signals ends like any other', async () => {
  await writeFile(join(folder, 'server.mjs'), `${ready}setInterval(() => {}, 1000);`);
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const child = launch(process.execPath, ['launch.mjs']);
    await vi.waitFor(() => exists('ready'), 5_000);
    await rm(join(folder, 'ready'));
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
  }
});
