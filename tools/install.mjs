import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withLock } from './lock.mjs';
import { runtimePackage } from './project-node.mjs';
import { exitOf, root, say } from './process.mjs';
import { explainInstallFailure } from './trouble.mjs';

/** Installs the packages in the lockfile unless they are already installed. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(join(root, '.cache', 'install.lock'), async () => {
    if (!isInstalled()) await install();
  });
}

/**
 * npm records what it installed in node_modules/.package-lock.json. It must contain every locked package at its locked
 * version; optional ones may be missing (they are for other platforms), except our own runtime. Packages in a
 * workspace's own node_modules are looked up on disk, since cleaning the workspace removes them without npm noticing.
 */
function isInstalled() {
  try {
    const wanted = packagesOf('package-lock.json');
    const present = packagesOf(join('node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(([path, want]) => {
      if (!path.includes('node_modules/')) return true;
      const have = present[path];
      if (!have) return (want.optional || want.peer) && path !== `node_modules/${runtimePackage}`;
      if (!path.startsWith('node_modules/') && !existsSync(join(root, path))) return false;
      return have.version === want.version && have.integrity === want.integrity;
    });
  } catch {
    return false;
  }
}

const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * npm must not run on a binary that it is about to delete: it gets the Node that started it, and a PATH without
 * node_modules/.bin. Development and optional packages are requested explicitly because NODE_ENV=production or a
 * user's own npm settings would leave them out, and the first build needs both.
 */
async function install() {
  say('installing dependencies…');
  const started = Date.now();
  const outerNode = process.env.npm_node_execpath;
  const outside = (path) => !path.startsWith(join(root, 'node_modules'));
  const PATH = (process.env.PATH ?? '').split(delimiter).filter(outside).join(delimiter);
  const args = [
    ...['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
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
