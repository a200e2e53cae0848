import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const { PATH } = process.env;
let bundle = '';
let dataDir = '';

beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Packages outside of the bundle are looked up from where it is.
  bundle = mkdtempSync(join(root, '.cache', 'tested-server-'));
  dataDir = mkdtempSync(join(tmpdir(), 'bowerbird-bundle-'));
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'tools/builds/bundle.ts'), 'server', bundle],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0 || stderr !== '') throw new Error(`the server can't be bundled: ${stderr}`);
});
afterAll(() => {
  for (const folder of [bundle, dataDir]) rmSync(folder, { recursive: true, force: true });
});

const saidBy = (main: string): string => {
  const { stdout, stderr } = spawnSync(process.execPath, [main, '?'], { encoding: 'utf8', env: { PATH } });
  return stdout + stderr;
};

test('the bundle is the same program as its sources', () => {
  const said = saidBy(join(bundle, 'main.js'));
  expect(said).toContain('serve');
  expect(said).toBe(saidBy(join(root, 'server/src/main.ts')));
});

test('the bundle works wherever the checkout is moved, and takes one byte of memory for each character', () => {
  const files = readdirSync(bundle).map((name) => readFileSync(join(bundle, name), 'utf8'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((text) => text.includes(root))).toEqual([]);
  // eslint-disable-next-line no-control-regex
  expect(files.filter((text) => /[^\x00-\xff]/.test(text))).toEqual([]);
});

test('the bundle contains no packages that a server never loads', () => {
  const text = readdirSync(bundle)
    .map((name) => readFileSync(join(bundle, name), 'utf8'))
    .join('');
  expect(text).toContain('node_modules/fastify/');
  for (const name of ['ajv', '@fastify/fast-json-stringify-compiler', 'light-my-request'])
    expect(text).not.toContain(`node_modules/${name}/`);
});

test('the bundle contains all migrations, so a first start does not load their sources', () => {
  const compiled = readdirSync(bundle).filter((name) => /^\d{4}-/.test(name));
  expect(compiled).toHaveLength(readdirSync(join(root, 'server/migrations')).length);
});

test('the bundled server starts, serves its API, and ends', async () => {
  const server = spawn(process.execPath, [join(bundle, 'main.js'), 'serve', '--api'], {
    env: { PATH, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const address = /http:\/\/localhost:\d+/.exec(line)![0];
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/openapi.json`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});
