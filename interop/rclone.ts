import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Say } from './client.ts';
import { CACHE, onPath, run } from './programs.ts';

const MODULE = 'github.com/rclone/rclone@v1.76.0';

const knowsProtocol = async (rclone: string): Promise<boolean> =>
  /\bpikpak\b/.test((await run(rclone, ['help', 'backends'])).out);

/**
 * An rclone that has the backend: the one at RCLONE, the installed one, or one built from its module if Go is
 * installed.
 */
export async function findRclone(say: Say): Promise<string | undefined> {
  const kept = join(CACHE, 'bin', 'rclone');
  for (const known of [process.env['RCLONE'], onPath('rclone'), kept])
    if (known && existsSync(known) && (await knowsProtocol(known))) return known;
  if (!onPath('go')) return undefined;
  say(`  building ${MODULE}, which takes some minutes the first time`);
  await mkdir(CACHE, { recursive: true });
  const built = await run('go', ['install', MODULE], {
    env: { GOBIN: join(CACHE, 'bin'), CGO_ENABLED: '0' },
    seconds: 3600,
  });
  return built.code === 0 && (await knowsProtocol(kept)) ? kept : undefined;
}
