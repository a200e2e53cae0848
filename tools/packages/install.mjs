import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { withLock } from '../lock.mjs';
import { exitOf, root, say } from '../process.mjs';
import { explainInstallFailure } from '../trouble.mjs';
import { installedPackages, lackingPackages, lockedPackages, recordRemoval } from './lockfile.mjs';

const alone = (work) => withLock(join(root, '.cache', 'install.lock'), work);

export const isInstalled = (purpose) => lackingPackages(purpose).length === 0;

/** Installs the locked packages for the purpose (lockfile.mjs) unless they are already installed. */
export async function ensureInstalled(purpose) {
  if (isInstalled(purpose)) return;
  await alone(async () => {
    const lacking = lackingPackages(purpose);
    if (lacking.length === 0) return;
    const installed = installedPackages();
    const isOutdated = lacking.some((path) => installed[path]);
    await install({
      // Adding what is missing leaves the rest to a server that may be running. `npm ci` starts over.
      command: isOutdated || Object.keys(installed).length === 0 ? ['ci'] : ['install', '--no-save'],
      develop: purpose === 'develop' || isForDevelopment(installed),
    });
  });
}

/**
 * Removes the packages that only building needs, half of them all. The next build gets them from npm's cache or the
 * registry. They stay where someone develops.
 */
export async function removeBuildingPackages() {
  if (unneededPackages().length === 0) return;
  await alone(async () => {
    const unneeded = unneededPackages();
    if (unneeded.length === 0) return;
    // First, so that an interruption leaves files that nobody needs, instead of a record of missing ones.
    recordRemoval(unneeded);
    for (const path of unneeded) await rm(join(root, path), { recursive: true, force: true });
    removeDanglingPrograms();
    recordRemoval([]);
  });
}

/** Installed packages that a built server doesn't need; none if development dependencies are installed. */
function unneededPackages() {
  const installed = installedPackages();
  if (isForDevelopment(installed)) return [];
  const needed = lockedPackages('run');
  return Object.keys(installed).filter((path) => path.includes('node_modules/') && !needed[path]);
}

const isForDevelopment = (installed) => Object.values(installed).some(({ dev }) => dev);

function removeDanglingPrograms() {
  const folder = join(root, 'node_modules', '.bin');
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!existsSync(join(folder, name))) rmSync(join(folder, name), { force: true });
}

/**
 * npm must not run on a binary that it is about to delete: it gets the Node that started it, and a PATH without
 * node_modules/.bin. The kinds of packages are requested explicitly because NODE_ENV=production or a user's own npm
 * settings would leave some out.
 */
async function install({ command, develop }) {
  say('installing dependencies…');
  const started = Date.now();
  const outerNode = process.env.npm_node_execpath;
  const outside = (path) => !path.startsWith(join(root, 'node_modules'));
  const PATH = (process.env.PATH ?? '').split(delimiter).filter(outside).join(delimiter);
  const args = [
    ...[...command, develop ? '--include=dev' : '--omit=dev', '--include=optional'],
    // Versions are locked, so what npm knows about them from its cache is enough, even without a network.
    ...['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    // Without a network, npm's own delays between attempts would add up to two minutes.
    ...['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'],
  ];
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [outerNode && outside(outerNode) ? outerNode : 'node', process.env.npm_execpath]
    : ['npm'];
  const { code, output } = await runAloud([...npm, ...args], { ...process.env, PATH });
  if (code !== 0) throw new Error(explainInstallFailure(output, code));
  say(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Runs a program whose output is also passed on to the terminal; resolves with its exit code and the end of its
 * output.
 */
async function runAloud([program, ...args], env) {
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 2, 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    process.stderr.write(text);
    output = (output + text).slice(-20_000);
  });
  return { code: await exitOf(child), output };
}
