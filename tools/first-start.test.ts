import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { explainStartFailure } from './project-node.mjs';
import { installCommand } from './system-packages.mjs';
import { explainInstallFailure } from './trouble.mjs';

// A newcomer's first start on a machine with a problem: each ends with one sentence that says what to do.

/**
 * A checkout with the real launcher and one locked package that has to be downloaded; its path contains unusual
 * characters.
 */
async function checkout() {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird ü '));
  const root = join(folder, 'my drive');
  await cp(import.meta.dirname, join(root, 'tools'), { recursive: true });
  const locked = { version: '1.0.0', integrity: 'sha512-AAAA' };
  const project = { name: 'checkout', version: '1.0.0', dependencies: { 'bowerbird-absent': '1.0.0' } };
  const packages = { '': project, 'node_modules/bowerbird-absent': locked };
  await writeFile(join(root, 'package.json'), JSON.stringify(project));
  await writeFile(
    join(root, 'package-lock.json'),
    JSON.stringify({ ...project, lockfileVersion: 3, packages }),
  );
  return {
    root,
    async start({ registry, user }: { registry: string; user?: number }) {
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        npm_config_registry: registry,
        npm_config_cache: join(folder, 'npm-cache'),
        npm_config_fetch_retries: '0',
      };
      const child = spawn(process.execPath, [join(root, 'tools', 'run.mjs'), 'serve'], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
        ...(user !== undefined && { uid: user }),
      });
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return { code: code as number, sentence: said.trim().split('\n').at(-1) };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function refusingRegistry(status: number) {
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('without a network the message names the registry', async () => {
  await using project = await checkout();
  await using registry = await refusingRegistry(200);
  const { address } = registry;
  await registry[Symbol.asyncDispose]().catch(() => {});
  expect(await project.start({ registry: address })).toEqual({
    code: 1,
    sentence: expect.stringMatching(
      /^\[bowerbird\] npm can't reach the npm registry at 127\.0\.0\.1:\d+ \(ECONNREFUSED\): check the network/,
    ),
  });
});

test('a registry that denies access is named together with its response', async () => {
  await using project = await checkout();
  await using registry = await refusingRegistry(403);
  expect(await project.start({ registry: registry.address })).toEqual({
    code: 1,
    sentence: expect.stringMatching(
      /^\[bowerbird\] The npm registry at 127\.0\.0\.1:\d+ refused a package \(E403\)/,
    ),
  });
});

test('a checkout without write permission is reported with the command that fixes it', async () => {
  await using project = await checkout();
  const somebody = process.getuid?.() === 0 ? 65_534 : undefined;
  await chmod(join(project.root, '..'), 0o755);
  await chmod(project.root, 0o555);
  const { code, sentence } = await project.start({
    registry: 'http://127.0.0.1:9/',
    ...(somebody !== undefined && { user: somebody }),
  });
  await chmod(project.root, 0o755);
  expect(code).toBe(1);
  expect(sentence).toMatch(
    /^\[bowerbird\] This user isn't allowed to write to .+: run `sudo chown -R "\$\(id -un\)" ".+"`/,
  );
});

test.skipIf(process.getuid?.() !== 0)(
  'packages that root installed are reported to other users',
  async () => {
    await using project = await checkout();
    await using registry = await refusingRegistry(404);
    await mkdir(join(project.root, 'node_modules', 'old'), { recursive: true });
    await chown(project.root, 65_534, 65_534);
    await chown(join(project.root, '..'), 65_534, 65_534);
    const { sentence } = await project.start({ registry: registry.address, user: 65_534 });
    expect(sentence).toMatch(/^\[bowerbird\] This user isn't allowed to write to .+node_modules/);
  },
);

test('an outdated Node is reported with the version to install', async () => {
  const script = `
    Object.defineProperty(process.versions, 'node', { value: '12.22.12' });
    await import(${JSON.stringify(join(import.meta.dirname, 'run.mjs'))});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, said }).toEqual({
    code: 1,
    said: '[bowerbird] Node 12.22.12 is too old: install Node 20 or newer from https://nodejs.org and run this again.\n',
  });
});

const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n';
const rocky = 'ID="rocky"\nID_LIKE="rhel centos fedora"\n';
const alpine = 'NAME="Alpine Linux"\nID=alpine\n';
const missing = (library: string): string =>
  `/x/bin/node: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory`;

test.each([
  [debian, 'libatomic.so.1', 'sudo apt-get install libatomic1'],
  [rocky, 'libatomic.so.1', 'sudo dnf install libatomic'],
  [debian, 'libstdc++.so.6', 'sudo apt-get install libstdc++6'],
])('a bundled Node that lacks a library reports the package with it', (release, library, command) => {
  const system = { musl: false, command: (names: readonly string[]) => installCommand(names, release) };
  const sentence = explainStartFailure(missing(library), system);
  expect(sentence).toContain(`needs the system library ${library}, which is missing`);
  expect(sentence).toContain(`\`${command}\``);
});

test('an unknown missing library is still named, and so is an unknown system', () => {
  const system = { musl: false, command: (names: readonly string[]) => installCommand(names, alpine) };
  expect(explainStartFailure(missing('libodd.so.3'), system)).toContain(
    'Install the package that contains libodd.so.3',
  );
});

test('musl, an outdated glibc and a noexec disk each have a message of their own', () => {
  const system = (musl: boolean) => ({ musl, command: () => undefined });
  expect(explainStartFailure('spawnSync /x/bin/node ENOENT', system(true))).toContain('this system has musl');
  expect(
    explainStartFailure("/lib/libc.so.6: version `GLIBC_2.28' not found (required by x)", system(false)),
  ).toContain('C library is too old');
  expect(explainStartFailure('spawnSync /x/bin/node EACCES', system(false))).toContain('noexec');
});

test('a full disk and an untrusted certificate are reported as such', () => {
  expect(explainInstallFailure('npm error code ENOSPC\nnpm error path /disk/x', 1)).toMatch(
    /^The disk with \/disk\/x is full/,
  );
  const certificate =
    'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.test/a failed';
  expect(explainInstallFailure(certificate, 1)).toContain('NODE_EXTRA_CA_CERTS');
  expect(explainInstallFailure('npm error code EWEIRD', 7)).toBe(
    'npm ci failed with exit code 7. See its messages above.',
  );
});
