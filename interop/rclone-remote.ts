import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scene } from './client.ts';
import { runWell } from './programs.ts';

/** rclone with the account as the remote `bower:` of its `pikpak` backend. */
export interface PikPakRemote {
  rclone(...args: string[]): Promise<string>;
  /** Names in a folder. */
  names(path: string, ...more: string[]): Promise<string[]>;
  /** Options that direct any command to our server. */
  readonly options: readonly string[];
}

export async function openPikPak(
  { folder, person, proxy }: Scene,
  program: string,
  remote = 'bower',
): Promise<PikPakRemote> {
  const config = join(folder, 'pikpak.conf');
  await writeFile(config, '');
  const options = [
    ...['--config', config, '--http-proxy', proxy.url, '--ca-cert', proxy.authority],
    ...['--retries', '1', '--low-level-retries', '3', '--stats', '0'],
  ];
  const rclone = async (...args: string[]): Promise<string> =>
    (await runWell(program, [...args, ...options], { seconds: 900 })).trim();
  const credentials = [`user=${person.email}`, `pass=${person.password}`];
  await rclone('config', 'create', remote, 'pikpak', ...credentials, '--obscure');
  return {
    rclone,
    names: async (path, ...more) =>
      (await rclone('lsf', `${remote}:${path}`, ...more)).split('\n').filter(Boolean).toSorted(),
    options,
  };
}
