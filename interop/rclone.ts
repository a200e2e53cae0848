import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRar5 } from '../server/testing/raw-rar.ts';
import { rawZip } from '../server/testing/raw-zip.ts';
import { run } from './programs.ts';
import type { Proxy } from './proxy.ts';
import type { Person } from './server.ts';

const MIB = 2 ** 20;
/** Nothing, what goes in one request, and what goes in parts. */
const FILES = { 'empty.txt': 0, 'small.bin': 5 * MIB, 'large.bin': 250 * MIB };

interface Scene {
  readonly program: string;
  readonly proxy: Proxy;
  readonly person: Person;
  readonly folder: string;
  /** Address of a file that can be fetched. */
  readonly source: string;
  readonly say: (text: string) => void;
}

/** Everything that people do with rclone's backend. Throws at the first thing that does not do what it should. */
export async function runRclone({ program, proxy, person, folder, source, say }: Scene): Promise<void> {
  const local = join(folder, 'local');
  await mkdir(local, { recursive: true });
  for (const [name, size] of Object.entries(FILES))
    await writeFile(join(local, name), randomFillSync(Buffer.alloc(size)));
  const config = join(folder, 'rclone.conf');
  await writeFile(config, '');

  const rclone = async (...args: string[]): Promise<string> => {
    say(`rclone ${args.filter((arg) => !arg.includes(person.password)).join(' ')}`);
    const ran = await run(
      program,
      [
        ...args,
        ...['--config', config, '--http-proxy', proxy.url, '--ca-cert', proxy.authority],
        ...['--retries', '1', '--low-level-retries', '3', '--stats', '0'],
      ],
      { seconds: 600 },
    );
    if (ran.code !== 0) throw new Error(`rclone ${args[0]}: ${ran.err || ran.out}`);
    return ran.out.trim();
  };
  const names = async (path: string, ...more: string[]): Promise<string[]> =>
    (await rclone('lsf', `bower:${path}`, ...more)).split('\n').filter(Boolean).toSorted();

  await rclone(
    'config',
    'create',
    'bower',
    'pikpak',
    `user=${person.email}`,
    `pass=${person.password}`,
    '--obscure',
  );
  assert.deepEqual(await names(''), []);
  await rclone('mkdir', 'bower:nest/twigs');
  assert.deepEqual(await names(''), ['nest/']);
  for (const name of Object.keys(FILES)) await rclone('copyto', join(local, name), `bower:nest/${name}`);
  assert.deepEqual(await names('nest'), ['empty.txt', 'large.bin', 'small.bin', 'twigs/']);
  await rclone('check', '--download', '--one-way', local, 'bower:nest');
  await rclone('copy', 'bower:nest/large.bin', join(folder, 'back'));
  assert.equal((await stat(join(folder, 'back', 'large.bin'))).size, FILES['large.bin']);
  assert.equal(
    (await rclone('cat', '--offset', '10', '--count', '7', 'bower:nest/small.bin')).length > 0,
    true,
  );

  // The same content again, which lies there already, and other content under the same name.
  await rclone('copyto', join(local, 'small.bin'), 'bower:again.bin');
  await writeFile(join(local, 'small.bin'), randomFillSync(Buffer.alloc(5 * MIB + 1)));
  await rclone('copyto', join(local, 'small.bin'), 'bower:nest/small.bin');
  await rclone('check', '--download', '--one-way', local, 'bower:nest');
  await rclone('copyto', 'bower:nest/small.bin', 'bower:copied.bin');
  await rclone('moveto', 'bower:copied.bin', 'bower:nest/twigs/moved.bin');
  await rclone('moveto', 'bower:nest/twigs/moved.bin', 'bower:nest/twigs/renamed.bin');
  assert.deepEqual(await names('nest/twigs'), ['renamed.bin']);
  await rclone('moveto', 'bower:nest/twigs', 'bower:branches');
  assert.deepEqual(await names('branches'), ['renamed.bin']);

  assert.match(await rclone('link', 'bower:nest'), /\/s\//);
  const about = JSON.parse(await rclone('about', 'bower:', '--json')) as { total: number; used: number };
  assert.equal(about.total > about.used && about.used > FILES['large.bin'], true);
  assert.match(await rclone('config', 'userinfo', 'bower:'), /cat/i);
  await rclone('mkdir', 'bower:fetched');
  await rclone('backend', 'addurl', 'bower:fetched', source);
  await untilListed(() => names('fetched'), 'feather.bin');

  // Archives become folders, without a password and with one; the second goes when it is asked for.
  const eggs = [{ name: 'deep/egg.txt', content: 'an egg' }];
  await writeFile(join(folder, 'open.zip'), rawZip(eggs));
  await writeFile(join(folder, 'locked.rar'), rawRar5(eggs, { password: 'berries' }));
  for (const name of ['open.zip', 'locked.rar'])
    await rclone('copyto', join(folder, name), `bower:packed/${name}`);
  const decompressed = async (name: string, ...options: string[]): Promise<unknown> =>
    JSON.parse(await rclone('backend', 'decompress', 'bower:packed', name, ...options));
  assert.deepEqual(await decompressed('open.zip'), { Decompressed: 1, SourceDeleted: 0, Errors: 0 });
  await untilListed(() => names('packed'), 'open/');
  assert.deepEqual(await decompressed('locked.rar', '-o', 'password=berries', '-o', 'delete-src-file'), {
    Decompressed: 1,
    SourceDeleted: 1,
    Errors: 0,
  });
  await untilListed(() => names('packed'), 'locked/');
  assert.deepEqual(await names('packed'), ['locked/', 'open.zip', 'open/']);
  for (const name of ['open', 'locked']) {
    await untilListed(() => names(`packed/${name}`), 'deep/');
    await untilListed(() => names(`packed/${name}/deep`), 'egg.txt');
    assert.equal(await rclone('cat', `bower:packed/${name}/deep/egg.txt`), 'an egg');
  }
  await rclone('purge', 'bower:packed');

  await rclone('deletefile', 'bower:nest/empty.txt');
  await rclone('delete', 'bower:again.bin');
  assert.deepEqual(await names('nest'), ['large.bin', 'small.bin']);
  assert.deepEqual(await names('', '--files-only', '--pikpak-trashed-only'), ['again.bin']);
  await rclone('mkdir', 'bower:hollow');
  await rclone('rmdir', 'bower:hollow');
  await rclone('purge', 'bower:nest');
  assert.deepEqual(await names(''), ['branches/', 'fetched/']);
  await rclone('cleanup', 'bower:');
  assert.deepEqual(await names('', '--files-only', '--pikpak-trashed-only'), []);
  assert.deepEqual((await readdir(join(folder, 'back'))).toSorted(), ['large.bin']);
}

async function untilListed(list: () => Promise<string[]>, name: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await list()).includes(name)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${name} did not come`);
}
