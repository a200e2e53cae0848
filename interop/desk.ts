import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountApi, driveApi, securityApi } from '@bowerbird/contract';
import { callTo, type RemoteCall } from '../server/testing/index.ts';
import type { Scene } from './client.ts';
import { runWell } from './programs.ts';

// What programs that mount, copy and back up are let in with over WebDAV: an app password that opens nothing else.

export interface Desk {
  readonly url: string;
  readonly user: string;
  readonly secret: string;
  /** Runs a program with the desk's settings; throws with all that it said where it fails. */
  shell(program: string, ...args: string[]): Promise<string>;
  /** What is in the account's root, as our own pages list it. */
  names(): Promise<string[]>;
}

/** A call of somebody who just signed in, so that it works after a pause, too. */
export async function signedIn({ origin, person }: Scene): Promise<RemoteCall> {
  const call = callTo(origin);
  const { access_token: token } = await call(accountApi.signIn, {
    body: { username: person.email, password: person.password },
  });
  return (spec, input) => call(spec, input, token);
}

export async function openDesk(scene: Scene): Promise<Desk> {
  const { origin, person, folder } = scene;
  const call = await signedIn(scene);
  const { secret } = await call(securityApi.createPass, {
    body: { password: person.password, kind: 'app_password', name: 'a program', scopes: ['dav'] },
  });
  const env = {
    RCLONE_CONFIG: join(folder, 'rclone.conf'),
    RESTIC_PASSWORD: 'a nest within a nest',
    RESTIC_CACHE_DIR: join(folder, 'restic-cache'),
    HOME: folder,
  };
  return {
    url: `${origin}/dav/`,
    user: person.email,
    secret,
    shell: (program, ...args) => runWell(program, args, { env, seconds: 1800 }),
    async names() {
      const filters = JSON.stringify({ trashed: { eq: false } });
      const { files } = await (await signedIn(scene))(driveApi.list, { query: { filters } });
      return files.map((file) => file.name).toSorted();
    },
  };
}

/** The drive under two names: `drive` as any server, `cloud` as one that keeps times and checksums, too. */
export async function configureRclone({ url, user, secret, shell }: Desk, { folder }: Scene, rclone: string) {
  await writeFile(join(folder, 'rclone.conf'), '');
  for (const [name, vendor] of [
    ['drive', 'other'],
    ['cloud', 'owncloud'],
  ] as const)
    await shell(
      rclone,
      ...['config', 'create', name, 'webdav', `url=${url}`, `vendor=${vendor}`],
      ...[`user=${user}`, `pass=${secret}`, '--obscure'],
    );
}
