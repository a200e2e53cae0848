import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingLibraries } from './project-node.mjs';
import { root, say } from './process.mjs';
import { debianPackages } from './system-packages.mjs';

const policy = '/usr/sbin/policy-rc.d';
const isDebian = () => existsSync('/etc/debian_version');
const isRoot = () => process.getuid?.() === 0;

/**
 * Requirements of the whole test run besides npm packages: a browser, fonts for all our languages, PostgreSQL, an S3
 * service. On Debian they are installed if the user is root; other users are told the command. On other systems,
 * installing them is up to the developer.
 */
export function ensureDebianPackages() {
  if (!isDebian()) return;
  const missing = missingPackages();
  if (missing.length === 0) return;
  if (!isRoot())
    throw new Error(
      `Debian packages are missing. Install them as root: apt-get install --no-install-recommends ${missing.join(' ')}`,
    );
  installPackages(missing);
}

/**
 * On Debian, installs the libraries that the bundled Node needs if the user is root; other users are told by the
 * launcher.
 */
export function installNodeLibraries() {
  if (!isDebian() || !isRoot()) return;
  // The loader reports one missing library at a time.
  for (let wanted = []; ;) {
    const missing = debianPackages(missingLibraries());
    if (missing.length === 0 || missing[0] === wanted[0]) return;
    wanted = missing;
    installPackages(wanted);
  }
}

function installPackages(names) {
  say(`installing ${names.join(', ')}`);
  withoutStartingServices(() => {
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', ...names);
  });
}

function missingPackages() {
  const wanted = readFileSync(join(root, 'tools', 'debian-packages.txt'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...wanted], {
    encoding: 'utf8',
  });
  const installed = new Set(stdout.split('\n'));
  return wanted.filter((name) => !installed.has(`${name} installed`));
}

function apt(...args) {
  const { status } = spawnSync(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed. See its messages above.`);
}

/** Debian starts a server as soon as its package is installed; the tests start their own, on their own ports. */
function withoutStartingServices(install) {
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}
