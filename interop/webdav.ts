import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accountApi, driveApi, securityApi } from '@bowerbird/contract';
import { callTo, growHazards } from '../server/testing/index.ts';
import { run, type Ran } from './programs.ts';
import type { Person } from './server.ts';

// What people mount, copy and back up with over WebDAV, let in by an app password that opens nothing else.

interface Scene {
  readonly origin: string;
  readonly person: Person;
  /** An empty folder of this machine. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/** Runs a program and gives what it said; throws with all of it where it fails. */
type Shell = (program: string, ...args: string[]) => Promise<string>;

interface Desk extends Scene {
  readonly url: string;
  readonly secret: string;
  readonly shell: Shell;
  /** What came into the account's root since the desk was opened, as our own pages list it. */
  names(): Promise<string[]>;
}

/** A program's own way in, as the page for it makes one. */
async function openDesk(scene: Scene, name: string): Promise<Desk> {
  const { origin, person, folder, say } = scene;
  const call = callTo(origin);
  const { email, password } = person;
  const { access_token: token } = await call(accountApi.signIn, { body: { username: email, password } });
  const { secret } = await call(
    securityApi.createPass,
    { body: { password, kind: 'app_password', name, scopes: ['dav'] } },
    token,
  );
  const config = join(folder, 'rclone.conf');
  const env = {
    RCLONE_CONFIG: config,
    RESTIC_PASSWORD: 'a nest within a nest',
    RESTIC_CACHE_DIR: join(folder, 'restic-cache'),
    HOME: folder,
  };
  const shell: Shell = async (program, ...args) => {
    say([program, ...args].join(' ').replaceAll(secret, '…'));
    const ran: Ran = await run(program, args, { env, seconds: 1200 });
    if (ran.code !== 0) throw new Error(`${program} ${args[0]}: ${ran.out}\n${ran.err}`);
    return ran.out + ran.err;
  };
  const url = `${origin}/dav/`;
  const listed = async (): Promise<string[]> => {
    const filters = JSON.stringify({ trashed: { eq: false } });
    const { files } = await call(driveApi.list, { query: { filters } }, token);
    return files.map((file) => file.name).toSorted();
  };
  const before = new Set(await listed());
  return {
    ...scene,
    url,
    secret,
    shell,
    names: async () => (await listed()).filter((name) => !before.has(name)),
  };
}

/** The drive under two names: `drive` as any server, `cloud` as one that keeps times and checksums, too. */
async function configureRclone({ url, person, secret, shell, folder }: Desk): Promise<void> {
  await writeFile(join(folder, 'rclone.conf'), '');
  for (const [name, vendor] of [
    ['drive', 'other'],
    ['cloud', 'owncloud'],
  ] as const)
    await shell(
      'rclone',
      ...['config', 'create', name, 'webdav', `url=${url}`, `vendor=${vendor}`],
      ...[`user=${person.email}`, `pass=${secret}`, '--obscure'],
    );
}

export async function runLitmus(scene: Scene): Promise<void> {
  const { shell, url, person, secret } = await openDesk(scene, 'litmus');
  const said = await shell('litmus', '-k', url, person.email, secret);
  const suites = [...said.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed/g)];
  for (const [summary, , count, passed] of suites) assert.equal(passed, count, summary);
  assert.deepEqual(
    suites.map(([, suite]) => suite),
    ['basic', 'copymove', 'props', 'locks', 'http'],
  );
  assert.doesNotMatch(said, /WARNING|FAIL|SKIPPED/);
}

/** Every kind of name and size there, compared byte for byte, moved, copied, changed, and back. */
export async function runRcloneOverWebDav(scene: Scene): Promise<void> {
  const desk = await openDesk(scene, 'rclone');
  const { folder, shell } = desk;
  await configureRclone(desk);
  const tree = join(folder, 'tree');
  await growHazards(tree, 400);
  await writeFile(join(tree, 'large.bin'), Buffer.alloc(180 * 2 ** 20, 'feather'));
  const rclone = (...args: string[]): Promise<string> =>
    shell('rclone', ...args, '--transfers', '8', '--checkers', '8', '--retries', '1', '--stats', '0');
  const same = async (at: string, there: string): Promise<void> =>
    assert.match(await rclone('check', '--download', at, there), /\b0 differences found/);

  await rclone('sync', tree, 'drive:tree', '--create-empty-src-dirs');
  await same(tree, 'drive:tree');
  await same(join(tree, 'folders'), 'drive:tree/folders');
  await rclone('copy', join(tree, 'many'), 'cloud:many');
  const again = await rclone('copy', join(tree, 'many'), 'cloud:many', '--checksum', '-v');
  assert.match(again, /There was nothing to transfer/);
  await rclone('moveto', 'drive:many', 'drive:moved/deep');
  await rclone('copyto', 'drive:moved', 'drive:copied');
  await same(join(tree, 'many'), 'drive:copied/deep');
  await writeFile(join(tree, 'many', 'folder 0', '0.bin'), 'changed');
  await rm(join(tree, 'many', 'folder 1'), { recursive: true });
  await rclone('sync', join(tree, 'many'), 'drive:copied/deep');
  await same(join(tree, 'many'), 'drive:copied/deep');
  await rclone('copy', 'drive:tree', join(folder, 'back'), '--create-empty-src-dirs');
  await shell('diff', '-r', join(tree, 'folders'), join(folder, 'back', 'folders'));
  await shell('cmp', join(tree, 'large.bin'), join(folder, 'back', 'large.bin'));
  const about = JSON.parse(await rclone('about', 'cloud:', '--json')) as { used: number };
  assert.ok(about.used > 180 * 2 ** 20);
  await rclone('purge', 'drive:tree');
  assert.deepEqual(await desk.names(), ['copied', 'moved']);
  for (const name of ['copied', 'moved']) await rclone('purge', `drive:${name}`);
}

/** Two snapshots, all of it read back and restored, the first forgotten and what it alone had thrown away. */
export async function runRestic(scene: Scene): Promise<void> {
  const desk = await openDesk(scene, 'restic');
  const { folder, shell } = desk;
  await configureRclone(desk);
  const tree = join(folder, 'tree');
  await growHazards(tree, 200);
  const restic = (...args: string[]): Promise<string> =>
    shell('restic', '-r', 'rclone:drive:backup', '-q', ...args);
  await restic('init');
  await restic('backup', tree);
  await restic('check', '--read-data');
  await writeFile(join(tree, 'later.txt'), 'a berry');
  await restic('backup', tree);
  await restic('forget', '--keep-last', '1', '--prune');
  await restic('check', '--read-data');
  await restic('restore', 'latest', '--target', join(folder, 'restored'));
  await shell('diff', '-r', tree, join(folder, 'restored', tree));
  assert.deepEqual(await desk.names(), ['backup']);
  await shell('rclone', 'purge', 'drive:backup');
}

/** Whether this machine can mount at all: its administrator, with the kernel's part. */
export const canMount = (): boolean => process.getuid?.() === 0 && existsSync('/dev/fuse');

/** The drive as a folder of the system, in which ordinary programs work. Without the larger buffer davfs2 can't list folders on recent kernels. */
export async function runDavfs(scene: Scene): Promise<void> {
  const { folder, shell, url, person, secret, names } = await openDesk(scene, 'davfs2');
  const at = join(folder, 'mounted');
  await mkdir(at);
  const secrets = join(folder, 'secrets');
  await writeFile(secrets, `${url} ${person.email} ${secret}\n`, { mode: 0o600 });
  const settings = join(folder, 'davfs2.conf');
  await writeFile(settings, `secrets ${secrets}\ndelay_upload 0\nbuf_size 64\n`);
  await shell('mount', '-t', 'davfs', '-o', `conf=${settings}`, url, at);
  try {
    for (const name of ['a nest', 'another nest']) await mkdir(join(at, name));
    const path = join(at, 'a nest', '100% +plus #hash? 🐦.txt');
    await writeFile(path, 'a blue feather');
    await shell('mv', path, join(at, 'a nest', 'renamed “so”.txt'));
    await shell('cp', join(at, 'a nest', 'renamed “so”.txt'), join(at, 'another nest'));
    assert.equal(await readFile(join(at, 'another nest', 'renamed “so”.txt'), 'utf8'), 'a blue feather');
    await writeFile(join(at, 'large.bin'), Buffer.alloc(40 * 2 ** 20, 'x'));
    await shell('sync', '-f', at);
    assert.deepEqual((await readdir(join(at, 'a nest'))).toSorted(), ['renamed “so”.txt']);
  } finally {
    // It goes when all of it was sent.
    await shell('umount', at);
  }
  assert.deepEqual(await names(), ['a nest', 'another nest', 'large.bin']);
}
