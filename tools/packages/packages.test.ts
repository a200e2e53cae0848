import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { lockedPackages } from './lockfile.mjs';

const TOOLS = join(import.meta.dirname, '..');
const ROOT = join(TOOLS, '..');

/** A registry with one file for each package, which counts the packages it was asked for. */
async function openRegistry(names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-registry-'));
  const archives = new Map<string, Buffer>();
  for (const name of names) {
    await mkdir(join(folder, name, 'package'), { recursive: true });
    const description = { name, version: '1.0.0', bin: { [name]: 'index.js' } };
    await writeFile(join(folder, name, 'package', 'package.json'), JSON.stringify(description));
    await writeFile(join(folder, name, 'package', 'index.js'), '#!/usr/bin/env node\n');
    archives.set(name, execFileSync('tar', ['-cz', '-C', join(folder, name), 'package']));
  }
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = /^\/(.+)\.tgz$/.exec(request.url!)?.[1] ?? '';
    if (name) asked.push(name);
    const archive = archives.get(name);
    response.writeHead(archive || archives.has(request.url!.slice(1)) ? 200 : 404);
    response.end(archive ?? JSON.stringify(description(request.url!.slice(1))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const integrity = (name: string): string =>
    `sha512-${createHash('sha512')
      .update(archives.get(name) ?? '')
      .digest('base64')}`;
  function description(name: string) {
    const dist = { tarball: `${address}${name}.tgz`, integrity: integrity(name) };
    return {
      name,
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name, version: '1.0.0', dist } },
    };
  }
  return {
    address,
    /** The packages that were asked for since the last call. */
    asked: () => asked.splice(0).toSorted(),
    /** Our lockfile doesn't contain addresses either. */
    locked: (name: string) => ({
      version: '1.0.0',
      integrity: integrity(name),
      bin: { [name]: 'index.js' },
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A checkout with one package for each purpose. */
async function checkout() {
  const registry = await openRegistry(['server-part', 'page-part', 'test-part']);
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-packages-'));
  await cp(TOOLS, join(folder, 'tools'), { recursive: true });
  const workspace = async (path: string, manifest: object) => {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, 'package.json'), JSON.stringify(manifest));
  };
  const server = { name: 'server', version: '1.0.0', dependencies: { 'server-part': '1.0.0' } };
  const web = { name: 'web', version: '1.0.0', dependencies: { 'page-part': '1.0.0' } };
  const project = {
    name: 'checkout',
    version: '1.0.0',
    workspaces: ['server', 'web'],
    devDependencies: { 'test-part': '1.0.0' },
  };
  await workspace('server', server);
  await workspace('web', web);
  await workspace('.', project);
  const packages = {
    '': project,
    server,
    web,
    'node_modules/server': { resolved: 'server', link: true },
    'node_modules/web': { resolved: 'web', link: true },
    'node_modules/server-part': registry.locked('server-part'),
    'node_modules/page-part': registry.locked('page-part'),
    'node_modules/test-part': { ...registry.locked('test-part'), dev: true },
  };
  const lock = { name: 'checkout', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return {
    folder,
    registry,
    /** Runs a function of install.mjs; returns the installed packages and those that were downloaded. */
    async call(expression: string) {
      const script = `const install = await import('./tools/packages/install.mjs'); await install.${expression};`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          npm_config_registry: registry.address,
          npm_config_cache: join(folder, 'npm-cache'),
          npm_config_fetch_retries: '0',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      if (code !== 0) throw new Error(said);
      const found = await readdir(join(folder, 'node_modules'));
      const programs = await readdir(join(folder, 'node_modules', '.bin'));
      return {
        installed: found.filter((name) => name.endsWith('-part')).toSorted(),
        programs: programs.toSorted(),
        downloaded: registry.asked(),
      };
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const BUILDING = ['page-part', 'server-part'];

test('a start installs no development dependencies, and keeps only what running needs', async () => {
  await using project = await checkout();
  const built = await project.call(`ensureInstalled('build')`);
  expect(built).toEqual({ installed: BUILDING, programs: BUILDING, downloaded: BUILDING });
  const running = await project.call('removeBuildingPackages()');
  expect(running).toEqual({ installed: ['server-part'], programs: ['server-part'], downloaded: [] });
  expect(await project.call(`ensureInstalled('run')`)).toEqual(running);
});

test('the next build adds what was removed from the cache of npm, and leaves the rest alone', async () => {
  await using project = await checkout();
  await project.call(`ensureInstalled('build')`);
  await project.call('removeBuildingPackages()');
  const kept = join(project.folder, 'node_modules', 'server-part', 'package.json');
  const { ino } = await stat(kept);
  await project.registry[Symbol.asyncDispose]();
  const { installed, downloaded } = await project.call(`ensureInstalled('build')`);
  expect({ installed, downloaded }).toEqual({ installed: BUILDING, downloaded: [] });
  expect((await stat(kept)).ino).toBe(ino);
});

test('tests after a start add the development dependencies, and starts keep them then', async () => {
  await using project = await checkout();
  await project.call(`ensureInstalled('build')`);
  await project.call('removeBuildingPackages()');
  const all = [...BUILDING, 'test-part'];
  expect(await project.call(`ensureInstalled('develop')`)).toEqual({
    installed: all,
    programs: all,
    downloaded: ['test-part'],
  });
  expect((await project.call('removeBuildingPackages()')).installed).toEqual(all);
  expect((await project.call(`ensureInstalled('run')`)).installed).toEqual(all);
});

test('an upgrade replaces outdated packages', async () => {
  await using project = await checkout();
  await project.call(`ensureInstalled('build')`);
  const record = join(project.folder, 'node_modules', '.package-lock.json');
  const installed = JSON.parse(await readFile(record, 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  installed.packages['node_modules/server-part']!.version = '0.9.0';
  await writeFile(record, JSON.stringify(installed));
  await project.call(`ensureInstalled('run')`);
  expect(await readFile(record, 'utf8')).not.toContain('0.9.0');
});

test('neither pages, builds nor tests are part of what running needs', () => {
  const running = new Set(Object.keys(lockedPackages('run')));
  const building = new Set(Object.keys(lockedPackages('build')));
  for (const name of ['vite', 'rolldown', 'react', 'lucide-react', 'pdfjs-dist', 'tailwindcss']) {
    expect([name, running.has(`node_modules/${name}`)]).toEqual([name, false]);
    expect([name, building.has(`node_modules/${name}`)]).toEqual([name, true]);
  }
  for (const name of ['vitest', '@playwright/test', 'oxlint', 'oxfmt', 'autocannon', 'dependency-cruiser'])
    expect([name, building.has(`node_modules/${name}`)]).toEqual([name, false]);
});

test('the server and its helpers run with only the packages that running needs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-running-'));
  try {
    for (const part of ['contract', 'storage', 'ingest', 'server', 'worker', 'locales', 'content'])
      await copyWithoutPackages(join(ROOT, part), join(folder, part));
    // Packages for other platforms are missing, and this test runs on the runtime already.
    for (const [path, { link, resolved }] of Object.entries(lockedPackages('run'))) {
      if (link) await linkWorkspace(folder, path, resolved!);
      else if (existsSync(join(ROOT, path)) && !path.startsWith('node_modules/node-'))
        await copyWithoutPackages(join(ROOT, path), join(folder, path));
    }
    const helpers = ['fetcher', 'thumbnails', 'unpacking'].map((name) => `./worker/src/${name}/process.ts`);
    const modules = ['./storage/src/s3-store.ts', ...helpers, './server/src/index.ts'];
    const script = `
      await Promise.all(${JSON.stringify(modules)}.map((module) => import(module)));
      process.argv = ['node', 'main.ts', 'serve', '--api'];
      await import('./server/src/main.ts');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const address = /http:\/\/localhost:\d+/.exec(line)![0];
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function linkWorkspace(folder: string, path: string, target: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(relative(dirname(join(folder, path)), join(folder, target)), join(folder, path));
}

/** Packages inside of a package are packages of their own. */
async function copyWithoutPackages(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (path) => !path.slice(from.length).split(sep).includes('node_modules'),
  });
}
