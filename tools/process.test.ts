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
  await writeFile(join(folder, 'server.mjs'), server);
});
afterEach(() => rm(folder, { recursive: true }));

const launcher = `
import { handOver } from ${JSON.stringify(join(import.meta.dirname, 'process.mjs'))};
import { join } from 'node:path';
handOver(process.execPath, [join(import.meta.dirname, 'server.mjs')]);
`;
/** Like a server, drains for a moment when told to stop, and takes a second signal for impatience. */
const server = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
const told = (what) => writeFileSync(join(import.meta.dirname, what), '');
let draining = false;
process.on('SIGTERM', () => {
  if (draining) process.exit(1);
  draining = true;
  setTimeout(() => { told('drained'); process.exit(3); }, 1000);
});
setInterval(() => {}, 1000);
told('ready');
`;

const exists = (name: string) => readFile(join(folder, name)).then(() => true);
const launch = (command: string, args: string[]): ChildProcess =>
  spawn(command, args, { cwd: folder, stdio: 'ignore' });

test('SIGTERM lets the server drain, and the launcher exits with its exit code', async () => {
  const child = launch(process.execPath, ['launch.mjs']);
  await vi.waitFor(() => exists('ready'), 5_000);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(await exists('drained')).toBe(true);
});

test('the server drains when only the shell above the launcher is killed', async () => {
  const shell = launch('sh', ['-c', `"${process.execPath}" launch.mjs; true`]);
  await vi.waitFor(() => exists('ready'), 5_000);
  shell.kill('SIGKILL');
  await vi.waitFor(() => exists('drained'), 5_000);
});

test('the server is stopped only once if the launcher is signaled and then loses its parent', async () => {
  const shell = launch('sh', ['-c', `"${process.execPath}" launch.mjs & echo $! > pid; wait`]);
  await vi.waitFor(() => exists('ready'), 5_000);
  process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGTERM');
  shell.kill('SIGKILL');
  await vi.waitFor(() => exists('drained'), 5_000);
});
