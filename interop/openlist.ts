import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scene } from './client.ts';
import { onPath, runWell } from './programs.ts';
import { freePort } from './server.ts';

/** A running OpenList, and its API as its own pages use it. */
export interface OpenList extends AsyncDisposable {
  mount(path: string, driver: string, addition: object): Promise<void>;
  call<Data = unknown>(path: string, body: object): Promise<Data>;
  put(path: string, content: Buffer): Promise<void>;
  /** Names in a folder, bypassing the cache. */
  names(path: string): Promise<string[]>;
  untilListed(path: string, name: string): Promise<void>;
  /** The bytes of a file, or a range of them, as a visitor of OpenList gets them. */
  read(path: string, range?: string): Promise<Buffer>;
}

/**
 * In its Android mode, OpenList uploads to this host whatever the ticket says. It sends the request through the proxy,
 * but first requires that the name resolves.
 */
const BUCKET_HOST = 'bowerbird-upload.mypikpak.net';
/** Runs a program with additional entries in its hosts file, which no other program on the machine sees. */
const WITH_HOSTS = [
  ...['unshare', '--mount', '--propagation', 'private'],
  ...['sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"'],
];

/** True if the bucket's host can be made to resolve for OpenList alone. */
export const canNameHosts = (): boolean => process.getuid?.() === 0 && onPath('unshare') !== undefined;

const PASSWORD = 'a hollow tree';
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export async function startOpenList({ folder, proxy }: Scene, program: string): Promise<OpenList> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const data = join(folder, 'openlist');
  const env = {
    OPENLIST_ADDR: '127.0.0.1',
    OPENLIST_HTTP_PORT: String(port),
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    OPENLIST_PROXY_ADDRESS: proxy.url,
    SSL_CERT_FILE: proxy.authority,
  };
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, `127.0.0.1 localhost ${BUCKET_HOST}\n`);
  await runWell(program, ['admin', 'set', PASSWORD, '--data', data], { env });
  const serve = [program, 'server', '--data', data];
  const [command = '', ...args] = canNameHosts() ? [...WITH_HOSTS, hosts, ...serve] : serve;
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  let token = '';

  async function call<Data>(path: string, body: object): Promise<Data> {
    const reply = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: token },
      body: JSON.stringify(body),
    });
    return answered<Data>(path, reply);
  }
  const list = async (path: string): Promise<string[]> => {
    const told = { path, password: '', page: 1, per_page: 0, refresh: true };
    const { content } = await call<{ content: { name: string }[] | null }>('fs/list', told);
    return (content ?? []).map(({ name }) => name);
  };
  async function stop(): Promise<void> {
    if (server.exitCode !== null) return;
    server.kill();
    await once(server, 'exit');
  }

  try {
    await untilAnswered(`${origin}/ping`);
    ({ token } = await call<{ token: string }>('auth/login', { username: 'admin', password: PASSWORD }));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    call,
    async mount(path, driver, addition) {
      const storage = { mount_path: path, driver, order: 0, cache_expiration: 30, remark: '' };
      const shown = { web_proxy: driver === 'WebDav', webdav_policy: '302_redirect', order_by: '' };
      await call('admin/storage/create', { ...storage, ...shown, addition: JSON.stringify(addition) });
    },
    async put(path, content) {
      const reply = await fetch(`${origin}/api/fs/put`, {
        method: 'PUT',
        headers: {
          authorization: token,
          'file-path': encoded(path),
          'content-length': String(content.length),
        },
        body: new Uint8Array(content),
      });
      await answered('fs/put', reply);
    },
    names: list,
    async untilListed(path, name) {
      for (let tries = 0; tries < 60; tries++) {
        if ((await list(path)).includes(name)) return;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      throw new Error(`${name} did not appear`);
    },
    async read(path, range) {
      const { raw_url: url } = await call<{ raw_url: string }>('fs/get', { path, password: '' });
      const reply = await fetch(url, { headers: range === undefined ? {} : { range } });
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
      return Buffer.from(await reply.arrayBuffer());
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function answered<Data>(path: string, reply: Response): Promise<Data> {
  const { code, message, data } = (await reply.json()) as { code: number; message: string; data: Data };
  if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
  return data;
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (await fetch(url).then(Boolean, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('OpenList did not start');
}
