import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Scene } from '../client.ts';
import { openDesk } from '../desk.ts';
import { onPath, runWell, versionOf } from '../programs.ts';

const BACKENDS = ['/usr/libexec/gvfsd-dav', '/usr/lib/gvfs/gvfsd-dav', '/usr/libexec/gvfs/gvfsd-dav'];

/** The operations of GNOME Files, through its command-line tool. */
export const gvfs: Client = {
  title: 'GNOME (gvfs) over WebDAV',
  async ready() {
    for (const program of ['gio', 'dbus-daemon'])
      if (!onPath(program)) return { absent: `there is no ${program}` };
    if (!BACKENDS.some((file) => existsSync(file))) return { absent: 'there is no gvfsd-dav' };
    const gvfsd = BACKENDS.find((file) => existsSync(file))!.replace(/-dav$/, '');
    return { version: await versionOf(gvfsd, '--version'), run: runGvfs };
  },
};

async function runGvfs(scene: Scene): Promise<void> {
  const { folder, step, origin } = scene;
  const { user, secret, names } = await openDesk(scene);
  const runtime = join(folder, 'runtime');
  await mkdir(runtime, { mode: 0o700 });
  const home = { HOME: folder, XDG_RUNTIME_DIR: runtime, GVFS_DISABLE_FUSE: '1' };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env: { ...process.env, ...home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = (await once(bus.stdout, 'data')) as [Buffer];
  const env = { ...home, DBUS_SESSION_BUS_ADDRESS: address.toString().trim() };
  const gio = (...args: string[]): Promise<string> => runWell('gio', args, { env, seconds: 120 });
  // As described in docs/network-drive.md.
  const url = `${origin.replace('http', 'dav')}/dav/`;
  const mount = (): Promise<string> =>
    runWell('gio', ['mount', url], { env, input: `${user}\n${secret}\n`, seconds: 60 });
  const local = (name: string): string => join(folder, name);
  const list = async (path = ''): Promise<string[]> =>
    (await gio('list', '-h', url + path)).split('\n').filter(Boolean).toSorted();

  try {
    await step('mount', mount);
    await step('list', async () => assert.deepEqual(await list(), []));
    await step('mkdir', () => gio('mkdir', `${url}nest`));
    const large = Buffer.alloc(20 * 2 ** 20, 'feather');
    await writeFile(local('small name.txt'), 'a blue feather');
    await writeFile(local('large.bin'), large);
    await step('copy there', () => gio('copy', local('small name.txt'), `${url}nest/`));
    await step('copy 20 MiB there', () => gio('copy', local('large.bin'), `${url}nest/`));
    await step('list a folder', async () =>
      assert.deepEqual(await list('nest'), ['large.bin', 'small name.txt']),
    );
    await step('info', async () => assert.match(await gio('info', `${url}nest/large.bin`), /size: 20971520/));
    await step('cat', async () =>
      assert.equal(await gio('cat', `${url}nest/small%20name.txt`), 'a blue feather'),
    );
    await step('copy back', async () => {
      await gio('copy', `${url}nest/large.bin`, local('back.bin'));
      assert.ok((await readFile(local('back.bin'))).equals(large));
    });
    await step('rename', () => gio('rename', `${url}nest/small%20name.txt`, 'Ünï 🐦.txt'));
    await step('move', () =>
      gio('move', `${url}nest/${encodeURIComponent('Ünï 🐦.txt')}`, `${url}moved.txt`),
    );
    await scene.pause();
    await step('list after the pause', async () => assert.deepEqual(await list(), ['moved.txt', 'nest']));
    await step('save over a file', async () => {
      await runWell('gio', ['save', `${url}moved.txt`], { env, input: 'a green feather' });
      assert.equal(await gio('cat', `${url}moved.txt`), 'a green feather');
    });
    await step('copy on the server', () => gio('copy', `${url}moved.txt`, `${url}copied.txt`));
    await step('remove', async () => {
      await gio('remove', `${url}nest/large.bin`);
      await gio('remove', `${url}nest`);
    });
    await step('unmount', () => gio('mount', '-u', url));
    assert.deepEqual(await names(), ['copied.txt', 'moved.txt']);
  } finally {
    bus.kill();
    await once(bus, 'exit');
  }
}
