import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../interop/server.ts';
import { productProcess, runCommand } from './processes.ts';
import type { Fault, OpenSetup } from './setup.ts';

// One server with SQLite and a folder. The data folder is on a separate disk, and so is the store within it, so that
// both can fill up and be unmounted; that requires root. Other users get the remaining faults.

const DISK_SIZE = '3g';

const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
const unmount = (place: string): void => void execFileSync('umount', ['-l', place], { stdio: 'ignore' });

/** Fills the space that is free now; the product uses and frees some at the same time. */
async function fill(disk: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await using file = await open(ballast, 'a');
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (let left = bavail * bsize; left > 0; left -= piece.length)
      await file.write(piece, 0, Math.min(piece.length, left));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}

export const openEmbedded: OpenSetup = async (findings) => {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-campaign-'));
  const disk = join(folder, 'disk');
  const data = join(disk, 'data');
  const files = join(data, 'files');
  const store = join(disk, 'store');
  await mkdir(disk);
  if (isRoot) {
    mount('-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', disk);
    await mkdir(files, { recursive: true });
    await mkdir(store);
    mount('--bind', store, files);
  }
  const port = await freePort();
  const environment = {
    DATA_DIR: data,
    PORT: String(port),
    HOST: '127.0.0.1',
    SITE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'fatal',
    FETCH_ALLOW: '127.0.0.0/8',
    DISK_RESERVE: '64 MB',
  };
  const server = productProcess('serve', environment);
  server.onDeath = (how) => findings.add(how);

  const always: Fault[] = [
    {
      name: 'the server and its helpers are killed',
      async happen() {
        await server.kill();
        await server.start();
      },
    },
    {
      name: 'a helper process is killed',
      async happen() {
        if (!server.killHelper()) await sleep(500);
      },
    },
    {
      name: 'the server is stopped in order and started again',
      async happen() {
        const code = await server.stop();
        if (code !== 0) findings.add(`the server ended with code ${code} after SIGTERM`);
        await server.start();
      },
    },
  ];
  const ofDisks: Fault[] = [
    {
      name: 'the disk of the store comes off and comes back',
      async happen(random) {
        unmount(files);
        await sleep(random.between(2_000, 6_000));
        mount('--bind', store, files);
      },
    },
    {
      name: 'another program fills the disk for a while',
      async happen(random) {
        const ballast = join(disk, 'ballast');
        const until = performance.now() + random.between(2_000, 6_000);
        while (performance.now() < until) {
          await fill(disk, ballast);
          await sleep(100);
        }
        await rm(ballast);
      },
    },
  ];
  return {
    name: 'embedded',
    origins: () => [environment.SITE_URL],
    faults: isRoot ? [...always, ...ofDisks] : always,
    async addMember(email, password) {
      const { code, output } = await runCommand(['user', 'add', email, '--password', password], environment);
      if (code !== 0) throw new Error(output);
    },
    start: () => server.start(),
    async stopAndCheck() {
      await server.stop();
      return runCommand(['check'], environment);
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      if (isRoot) for (const place of [files, disk]) unmount(place);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
