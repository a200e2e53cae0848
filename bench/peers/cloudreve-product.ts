import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HttpRequest } from '../support/curl.ts';
import { freePort, startGroup, type ProcessGroup } from './process-group.ts';
import type { Product } from './product.ts';

const EMAIL = 'member@example.org';
const PASSWORD = 'a bower of blue things';
const DRIVE = 'cloudreve://my';

interface Folder {
  readonly files: readonly { readonly name: string }[];
  readonly storage_policy: { readonly id: string };
}

/**
 * Cloudreve 4, a drive written in Go (https://github.com/cloudreve/cloudreve), with its default settings on SQLite
 * with its files in a folder. It addresses files by their path.
 */
export async function cloudreve(binary: string, folder: string): Promise<Product> {
  await mkdir(folder, { recursive: true });
  // It keeps its data next to its program.
  const program = join(folder, 'cloudreve');
  await copyFile(binary, program);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const database = join(folder, 'data', 'cloudreve.db');
  let processes: ProcessGroup | undefined;
  let token = '';
  let policy = '';

  /** Its errors are replies with status 200 and a code. */
  async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    const reply = await fetch(`${origin}/api/v4/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const told = (await reply.json()) as { code: number; msg?: string; error?: string; data: Data };
    if (told.code !== 0) throw new Error(`${path}: ${told.msg} ${told.error}`);
    return told.data;
  }

  const request = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
    method: 'GET',
    url: `${origin}/api/v4/${path}`,
    headers,
  });
  const asMember = (): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const listed = (uri: string): string =>
    `file?${new URLSearchParams({ uri, page: '0', page_size: '100' }).toString()}`;

  return {
    name: 'Cloudreve',
    async start() {
      processes = await startGroup([program], {
        cwd: folder,
        env: { ...process.env, 'CR_CONF_System.Listen': `127.0.0.1:${port}` },
        log: join(folder, 'output.log'),
        address: `${origin}/api/v4/site/ping`,
      });
    },
    async stop() {
      await processes?.stop();
      processes = undefined;
    },
    usage: () => processes!.usage(),

    async signUp() {
      await call('POST', 'user', { email: EMAIL, password: PASSWORD, language: 'en-US' });
      const granted = await call<{ token: { access_token: string } }>('POST', 'session/token', {
        email: EMAIL,
        password: PASSWORD,
      });
      token = granted.token.access_token;
      policy = (await call<Folder>('GET', listed(DRIVE))).storage_policy.id;
    },
    async addFolder(name) {
      const uri = `${DRIVE}/${name}`;
      await call('POST', 'file/create', { uri, type: 'folder', err_on_conflict: true });
      return uri;
    },
    addRows: async (parent, count) => copyRow(database, parent.split('/').at(-1)!, count),
    async share(uri) {
      const link = await call<string>('PUT', 'share', { uri });
      return new URL(link).pathname.split('/').at(-1)!;
    },

    listing: async (uri) => request(listed(uri), asMember()),
    shareListing: async (share) => request(listed(`cloudreve://${share}@share`)),
    shareInformation: async (share) => request(`share/info/${share}`),
    health: () => request('site/ping'),

    async startUpload(parent, name, size) {
      const file = `${parent}/${name}`;
      const { session_id: session, chunk_size: partSize } = await call<{
        session_id: string;
        chunk_size: number;
      }>('PUT', 'file/upload', { uri: file, size, policy_id: policy });
      return {
        file,
        partSize: partSize === 0 ? size : partSize,
        endsWithLastPart: true,
        refusal: /"code":[1-9][^]*/,
        part: (number) => ({
          method: 'POST',
          url: `${origin}/api/v4/file/upload/${session}/${number - 1}`,
          headers: { ...asMember(), 'content-type': 'application/octet-stream' },
        }),
        complete: async () => {},
      };
    },
    async downloadAddress(file) {
      const { urls } = await call<{ urls: { url: string }[] }>('POST', 'file/url', {
        uris: [file],
        download: true,
      });
      const { pathname, search } = new URL(urls[0]!.url, origin);
      return origin + pathname + search;
    },
    remove: async (file) => call('DELETE', 'file', { uris: [file], skip_soft_delete: true }),
    async databaseSize() {
      const files = ['', '-journal', '-wal', '-shm'].map((ending) => database + ending);
      const sizes = await Promise.all(
        files.map(async (file) => (await stat(file).catch(() => undefined))?.size),
      );
      return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    },
    async close() {
      await processes?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the row of the only file of a folder, and what links it to its bytes, as its own copying does. */
function copyRow(database: string, folder: string, count: number): void {
  const sqlite = new DatabaseSync(database);
  const columns = (table: string, ...except: string[]): string[] =>
    sqlite
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !except.includes(name));
  const source = sqlite
    .prepare(
      'select file.id, file.file_children as folder from files file join files folder on folder.id = file.file_children where folder.name = ?',
    )
    .get(folder) as { id: number; folder: number };
  const same = columns('files', 'id', 'name').join(', ');
  sqlite.exec('begin');
  sqlite
    .prepare(
      `with recursive number (at) as (select 1 union all select at + 1 from number where at < ?)
       insert into files (name, ${same}) select 'picture ' || at || '.jpg', ${same} from files, number where id = ?`,
    )
    .run(count, source.id);
  sqlite
    .prepare(
      `insert into file_entities (file_id, entity_id) select files.id, file_entities.entity_id
       from files, file_entities where file_children = ? and files.id <> ? and file_id = ?`,
    )
    .run(source.folder, source.id, source.id);
  sqlite.exec('commit');
  sqlite.close();
}
