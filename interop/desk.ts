import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountApi, driveApi, securityApi } from '@bowerbird/contract';
import { callTo, type RemoteCall } from '../server/testing/index.ts';
import type { Scene } from './client.ts';
import { runWell } from './programs.ts';

// Programs that mount, copy and back up sign in over WebDAV with an app password that gives access to nothing else.

export interface Desk {
  readonly url: string;
  readonly user: string;
  readonly secret: string;
  /** Runs a program with the desk's settings; throws an error with all of its output if it fails. */
  shell(program: string, ...args: string[]): Promise<string>;
  /** The contents of the account's root, as our own pages list them. */
  names(): Promise<string[]>;
}

/** Makes a call with a new session, so that it also works after a pause. */
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

/** The drive as two remotes: `drive` like any server, `cloud` like one that also keeps times and checksums. */
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
