import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountApi, driveApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { basic, eachDatabase, growHazards, openTestApp, PASSWORD, realServer } from '../../testing/index.ts';
import type { Dialect } from '../foundation/database/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const run = promisify(execFile);

interface Desk extends AsyncDisposable {
  readonly app: Awaited<ReturnType<typeof openTestApp>>;
  readonly origin: string;
  readonly email: string;
  readonly folder: string;
  /** Runs a program; rejects with its whole output if it fails. */
  say(program: string, ...args: string[]): Promise<string>;
}

/** Listening server, and an rclone configuration with the drive. */
async function desk(dialect: Dialect): Promise<Desk> {
  const app = await openTestApp({ dialect });
  const { email } = await app.signUp('ann');
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-dav-'));
  const { stdout } = await run('rclone', ['obscure', PASSWORD]);
  const config = join(folder, 'rclone.conf');
  const remote = (name: string, vendor: string): string =>
    `[${name}]\ntype = webdav\nurl = ${origin}/dav\nvendor = ${vendor}\nuser = ${email}\npass = ${stdout.trim()}\n`;
  await writeFile(
    config,
    remote('drive', 'other') + remote('cloud', 'owncloud') + remote('next', 'nextcloud'),
  );
  const env = {
    ...process.env,
    HOME: folder,
    RCLONE_CONFIG: config,
    RESTIC_PASSWORD: 'nest',
    RESTIC_CACHE_DIR: join(folder, 'cache'),
  };
  return {
    app,
    origin,
    email,
    folder,
    async say(program, ...args) {
      const { stdout: out, stderr } = await run(program, args, {
        cwd: folder,
        env,
        maxBuffer: 2 ** 24,
      }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`${program} failed\n${error.stdout}\n${error.stderr}`);
      });
      return out + stderr;
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

eachDatabase((dialect) => {
  test('litmus passes: basic, copymove, props, locks, http', { timeout: 120_000 }, async () => {
    await using machine = await desk(dialect);
    const { say, origin, email } = machine;
    const said = await say('litmus', '-k', `${origin}/dav/`, email, PASSWORD);
    const summaries = [...said.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed/g)];
    expect(summaries.map(([, suite]) => suite)).toEqual(['basic', 'copymove', 'props', 'locks', 'http']);
    for (const [summary, , count, passed] of summaries) expect(passed, summary).toBe(count);
    expect(said).not.toMatch(/WARNING|FAIL|SKIPPED/);
  });
});

test(
  'rclone uploads a tree of unusual names and downloads it byte for byte',
  { timeout: 120_000 },
  async () => {
    await using machine = await desk('sqlite');
    const { say, folder, app } = machine;
    const tree = join(folder, 'tree');
    await growHazards(tree);
    await say(
      'rclone',
      'sync',
      tree,
      'drive:tree',
      '--create-empty-src-dirs',
      '--transfers',
      '8',
      '--checkers',
      '8',
    );
    expect(await say('rclone', 'check', '--download', tree, 'drive:tree')).toContain('0 differences found');
    // rclone's ownCloud backend stores times and checksums too, so the second run has nothing to do.
    await say('rclone', 'copy', join(tree, 'many'), 'cloud:many', '--transfers', '8');
    const again = await say(
      'rclone',
      'copy',
      join(tree, 'many'),
      'cloud:many',
      '--checksum',
      '-v',
      '--stats-one-line',
    );
    expect(again).toContain('There was nothing to transfer');
    const sums = (text: string): string[] => text.trim().split('\n').toSorted();
    expect(sums(await say('rclone', 'sha1sum', 'cloud:many'))).toEqual(
      sums(await say('rclone', 'sha1sum', join(tree, 'many'))),
    );
    await say('rclone', 'moveto', 'drive:many', 'drive:moved/deep');
    await say('rclone', 'copyto', 'drive:moved', 'drive:copied', '--transfers', '8');
    expect(await say('rclone', 'check', '--download', join(tree, 'many'), 'drive:copied/deep')).toContain(
      '0 differences',
    );
    await say('rclone', 'purge', 'drive:tree');
    expect((await say('rclone', 'lsf', 'drive:')).trim().split('\n')).toEqual(['copied/', 'moved/']);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  },
);

test.each(['cloud', 'next'])(
  'rclone finds different content by its checksum even if size and time are equal (%s)',
  { timeout: 120_000 },
  async (remote) => {
    await using machine = await desk('sqlite');
    const { say, folder, app } = machine;
    const tree = join(folder, 'tree');
    const write = async (fill: (name: string) => Buffer): Promise<void> => {
      await mkdir(tree, { recursive: true });
      for (const name of ['same', 'changed', 'large']) {
        await writeFile(join(tree, name), fill(name));
        await utimes(join(tree, name), 1_500_000_000, 1_500_000_000);
      }
    };
    const sizes: Record<string, number> = { same: 3000, changed: 3000, large: 3_000_000 };
    const first = (name: string): Buffer => Buffer.alloc(sizes[name]!, name);
    const second = (name: string): Buffer =>
      name === 'same' ? first(name) : Buffer.alloc(sizes[name]!, 'other');
    const check = () =>
      say('rclone', 'check', tree, `${remote}:tree`).then(
        (said) => said,
        (error: Error) => error.message,
      );
    const algorithm = remote === 'cloud' ? 'md5sum' : 'sha1sum';
    const sums = async (place: string) =>
      (await say('rclone', algorithm, place)).trim().split('\n').toSorted();

    await write(first);
    await say('rclone', 'copy', tree, `${remote}:tree`);
    expect(await check()).toMatch(/0 differences found/);
    expect(await check()).not.toContain('could not be checked');
    expect(await sums(`${remote}:tree`)).toEqual(await sums(tree));
    await write(second);
    expect(await check()).toContain('2 differences found');
    await say('rclone', 'sync', '--checksum', tree, `${remote}:tree`);
    expect(await check()).toContain('0 differences found');
    expect(await sums(`${remote}:tree`)).toEqual(await sums(tree));
    expect(await say('rclone', 'check', '--download', tree, `${remote}:tree`)).toContain(
      '0 differences found',
    );
    // A copy has the checksums of its source.
    await say('rclone', 'copy', `${remote}:tree`, `${remote}:copy`);
    expect(await sums(`${remote}:copy`)).toEqual(await sums(tree));
    expect(await app.drive.check({ repair: false })).toEqual([]);
  },
);

test(
  'restic backs up through rclone, and the whole backup is read back unchanged',
  { timeout: 120_000 },
  async () => {
    await using machine = await desk('sqlite');
    const { say, folder, app } = machine;
    await growHazards(join(folder, 'tree'));
    const restic = (...args: string[]): Promise<string> =>
      say('restic', '-r', 'rclone:drive:backup', '-q', ...args);
    await restic('init');
    await restic('backup', 'tree');
    await restic('check', '--read-data');
    await restic('restore', 'latest', '--target', 'restored');
    await run('diff', ['-r', join(folder, 'tree'), join(folder, 'restored', 'tree')]);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  },
);

test(
  'an upload whose server is killed halfway leaves no file, and the old file is unchanged',
  { timeout: 180_000 },
  async () => {
    await using server = await realServer();
    await server.start();
    const grant = await server.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const authorization = basic('ann@example.org', PASSWORD);
    const send = (method: string, path: string, body?: string): Promise<Response> =>
      fetch(`${server.origin}/dav${path}`, {
        method,
        headers: { authorization },
        ...(body === undefined ? {} : { body }),
      });
    expect((await send('PUT', '/kept.txt', 'as it was')).status).toBe(201);
    const { port } = new URL(server.origin);
    const closing: Promise<unknown>[] = [];
    for (const name of ['kept.txt', 'new.txt']) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write(
        `PUT /dav/${name} HTTP/1.1\r\nHost: h\r\nAuthorization: ${authorization}\r\nContent-Length: 9000000\r\n\r\n`,
      );
      await new Promise((resolve) => socket.write(Buffer.alloc(8_000_000, 'x'), resolve));
      closing.push(new Promise((resolve) => socket.once('close', resolve)));
    }
    await server.kill();
    await Promise.all(closing);
    await server.start();
    expect(await (await send('GET', '/kept.txt')).text()).toBe('as it was');
    expect((await send('GET', '/new.txt')).status).toBe(404);
    const { files } = await server.call(driveApi.list, { query: {} }, grant.access_token);
    expect(files.map(({ name }) => name)).toEqual(['kept.txt']);
    await server.kill();
    const app = await openApp(readConfig(server.environment), { log: createLog('silent') });
    expect(await app.quota.of(app.database, grant.sub)).toMatchObject({ used: 9, reserved: 0 });
    expect(await app.drive.check({ repair: false })).toEqual([]);
    await app.close();
  },
);
