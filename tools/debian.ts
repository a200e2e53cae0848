import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const policy = '/usr/sbin/policy-rc.d';

/**
 * What the whole test run needs beside npm packages: a browser, fonts for all our languages, PostgreSQL, an S3 service.
 * On Debian root gets them installed; everyone else is told the command. Elsewhere they are the developer's affair.
 */
export function ensureDebianPackages(): void {
  if (!existsSync('/etc/debian_version')) return;
  const missing = missingPackages();
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) throw new Error(`Debian packages are missing. As root: ${command}`);
  console.log(`installing ${missing.join(', ')}`);
  withoutStartingServices(() => {
    apt('update', '-q');
    apt('install', '-q', '-y', '--no-install-recommends', ...missing);
  });
}

function missingPackages(): string[] {
  const wanted = readFileSync(join(import.meta.dirname, 'debian-packages.txt'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...wanted], {
    encoding: 'utf8',
  });
  const installed = new Set(stdout.split('\n'));
  return wanted.filter((name) => !installed.has(`${name} installed`));
}

function apt(...args: string[]): void {
  const { status } = spawnSync(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  );
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed`);
}

/** Debian starts a server as soon as its package is there; the tests start their own, on ports of their own. */
function withoutStartingServices(install: () => void): void {
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}
