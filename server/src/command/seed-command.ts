import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  accountApi,
  ApiFailure,
  archiveApi,
  driveApi,
  pathOf,
  shareApi,
  shieldApi,
  type EndpointSpec,
  type InputOf,
  type ReplyOf,
} from '@bowerbird/contract';
import type { App } from '../app.ts';
import { withApp, type Say } from './command.ts';
import type { Config } from '../foundation/index.ts';
import { demoTree, signedPut, type Tree } from '../seed/index.ts';

const EMAIL = 'demo@bowerbird.local';

/** Creates a demo account and fills its drive over the API, like any client. */
export async function seed(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { password: { type: 'string' } } });
  const password = values.password ?? randomBytes(9).toString('base64url');
  await withApp(config, async (app) => {
    if (await app.accounts.byEmail(app.database, EMAIL)) {
      say(`The demo drive already exists: ${EMAIL}`);
      return;
    }
    await app.accounts.add({ email: EMAIL, password, name: 'Demo' }, 'member');
    const client = await demoClient(app, password);
    const ids = new Map<string, string>();
    await fill(client, '', '', demoTree, ids);
    await arrange(client, (path) => ids.get(path)!, say);
    say(`The demo drive is ready. Sign in as ${EMAIL} with the password ${password}`);
  });
}

interface DemoClient {
  call<S extends EndpointSpec>(spec: S, input: InputOf<S>): Promise<ReplyOf<S>>;
  upload(parent: string, name: string, bytes: Uint8Array): Promise<string>;
  download(url: string): Promise<Uint8Array>;
}

/** API client signed in as the demo account; its requests don't leave the process. */
async function demoClient(app: App, password: string): Promise<DemoClient> {
  const host = app.config.SITE_URL ? new URL(app.config.SITE_URL).host : `localhost:${app.config.PORT}`;
  let authorization = '';

  const call: DemoClient['call'] = async <S extends EndpointSpec>(spec: S, input: InputOf<S>) => {
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: object;
    };
    const reply = await app.http.inject({
      method: spec.method,
      url: pathOf(spec, params),
      ...(query ? { query } : {}),
      headers: { host, 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
    if (reply.statusCode >= 400) throw new Error(`${spec.name}: ${reply.body}`);
    return reply.json<ReplyOf<S>>();
  };

  const program = { client_id: 'bowerbird-seed', device_id: 'seed' };
  const { path, method } = accountApi.signIn;
  const { captcha_token } = await call(shieldApi.captchaInit, {
    body: { ...program, action: `${method}:${path}`, meta: { username: EMAIL } },
  });
  const grant = await call(accountApi.signIn, {
    body: { ...program, username: EMAIL, password, captcha_token: captcha_token ?? '' },
  });
  authorization = `Bearer ${grant.access_token}`;

  return {
    call,
    async upload(parent, name, bytes) {
      const { file, resumable } = await call(driveApi.create, {
        body: {
          kind: 'drive#file',
          parent_id: parent,
          name,
          size: bytes.length,
          upload_type: 'UPLOAD_TYPE_RESUMABLE',
        },
      });
      if (!file) throw new ApiFailure('internal');
      if (resumable) {
        const { path, headers } = signedPut(resumable.params, host, app.clock.now());
        const reply = await app.http.inject({
          method: 'PUT',
          url: path,
          headers: { ...headers, 'content-type': 'application/octet-stream' },
          payload: Buffer.from(bytes),
        });
        if (reply.statusCode >= 400) throw new Error(`${name}: ${reply.body}`);
      }
      return file.id;
    },
    async download(url) {
      const { pathname, search } = new URL(url);
      const reply = await app.http.inject({ url: pathname + search, headers: { host } });
      if (reply.statusCode >= 400) throw new Error(`${pathname}: ${reply.body}`);
      return reply.rawPayload;
    },
  };
}

/** Uploads a tree; records the id of each folder and file under its path. */
async function fill(
  client: DemoClient,
  parent: string,
  place: string,
  tree: Tree,
  ids: Map<string, string>,
): Promise<void> {
  for (const [name, entry] of Object.entries(tree)) {
    const path = place + name;
    if (typeof entry === 'function') {
      ids.set(path, await client.upload(parent, name, Buffer.from(entry())));
    } else {
      const { file } = await client.call(driveApi.create, {
        body: { kind: 'drive#folder', parent_id: parent, name },
      });
      ids.set(path, file!.id);
      await fill(client, file!.id, `${path}/`, entry, ids);
    }
  }
}

/** Adds stars, trash, archives and shares to the demo drive. */
async function arrange(client: DemoClient, idOf: (path: string) => string, say: Say): Promise<void> {
  const photos = idOf('Photos');
  await client.call(driveApi.star, {
    body: { ids: [idOf('Photos/Blue morning.png'), idOf('Documents/Field notes.md')] },
  });
  const old = await client.upload('', 'Old list.txt', Buffer.from('3 caps, 2 clips, 1 straw\n'));
  await client.call(driveApi.trash, { body: { ids: [old] } });
  const { url } = await client.call(archiveApi.pack, { body: { ids: [photos] } });
  await client.upload('', 'Photos.zip', await client.download(url));
  const open = await client.call(shareApi.create, {
    body: { file_ids: [photos], pass_code_option: 'NOT_REQUIRED', expiration_days: -1 },
  });
  say(`Shared: ${open.share_url}`);
  const closed = await client.call(shareApi.create, {
    body: {
      file_ids: [idOf('Documents'), idOf('Music')],
      pass_code_option: 'REQUIRED',
      custom_pass_code: 'blue',
      expiration_days: -1,
    },
  });
  say(`Shared with the passcode ${closed.pass_code}: ${closed.share_url}`);
}
