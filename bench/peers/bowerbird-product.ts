import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accountApi, driveApi, shareApi, type EndpointSpec, type UploadTicket } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { openDatabase } from '../../server/src/foundation/database/index.ts';
import { createIds, systemClock } from '../../server/src/foundation/index.ts';
import {
  callTo,
  captchaHeaders,
  completionDocument,
  growForest,
  PASSWORD,
  signV4,
  type RemoteCall,
} from '../../server/testing/index.ts';
import type { HttpRequest } from '../support/curl.ts';
import { freePort, startGroup, type ProcessGroup } from './process-group.ts';
import type { Product } from './product.ts';

const PART = 16 * 2 ** 20;
const ROOT = join(import.meta.dirname, '../..');

/** Bowerbird as `npm start` runs it, on SQLite, with its files in a folder. */
export async function bowerbird(folder: string): Promise<Product> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const call: RemoteCall = callTo(origin);
  let processes: ProcessGroup | undefined;
  let account = '';
  let token = '';

  /** The settings of the benchmark itself must not reach the server. */
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: undefined,
    NODE_OPTIONS: undefined,
    NODE_COMPILE_CACHE: undefined,
    UV_THREADPOOL_SIZE: undefined,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    MEMBER_STORAGE: '1 TB',
  };

  const asMember = (method: string, url: string): HttpRequest => ({
    method,
    url: origin + url,
    headers: { authorization: `Bearer ${token}` },
  });

  async function asVisitor(spec: EndpointSpec, query: Record<string, string>): Promise<HttpRequest> {
    const headers = await captchaHeaders(
      async (path, told, body) =>
        (await fetch(origin + path, { method: 'POST', headers: told, body })).json() as never,
      spec,
      {},
      {},
    );
    return {
      method: 'GET',
      url: `${origin}${spec.path}?${new URLSearchParams(query).toString()}`,
      headers,
    };
  }

  const sharedFolders = new Map<string, string>();

  return {
    name: 'Bowerbird',
    async start() {
      processes = await startGroup(['npm', 'start'], {
        cwd: ROOT,
        env: environment,
        log: join(folder, 'output.log'),
        address: `${origin}/healthz`,
      });
    },
    async stop() {
      await processes?.stop();
      processes = undefined;
    },
    usage: () => processes!.usage(),

    async signUp() {
      const body = { email: 'member@example.org', password: PASSWORD, name: 'Member' };
      const grant = await call(accountApi.signUp, { body });
      account = grant.sub;
      token = grant.access_token!;
    },
    async addFolder(name) {
      const { file } = await call(
        driveApi.create,
        { body: { kind: 'drive#folder', parent_id: '', name } },
        token,
      );
      return file!.id;
    },
    async addRows(parent, count) {
      const database = openDatabase(join(folder, 'bowerbird.sqlite'));
      const storage = await openBlobStore(join(folder, 'files'));
      const ids = createIds(systemClock);
      const rows = Array.from({ length: count }, (_, at) => ({
        id: ids.next(),
        parent,
        kind: 1 as const,
        name: `picture ${at}.jpg`,
      }));
      await growForest({ database, ids, storage }, account, rows);
      await storage.close();
      await database.close();
    },
    async share(id) {
      const made = await call(shareApi.create, { body: { file_ids: [id] } }, token);
      sharedFolders.set(made.share_id, id);
      return made.share_id;
    },

    listing: async (id) =>
      asMember(
        'GET',
        `${driveApi.list.path}?${new URLSearchParams({ parent_id: id, limit: '100' }).toString()}`,
      ),
    shareListing: (share) =>
      asVisitor(shareApi.detail, { share_id: share, parent_id: sharedFolders.get(share)!, limit: '100' }),
    shareInformation: (share) => asVisitor(shareApi.open, { share_id: share, limit: '1' }),
    health: () => ({ method: 'GET', url: `${origin}/healthz`, headers: {} }),

    async startUpload(parent, name, size) {
      const body = { kind: 'drive#file' as const, parent_id: parent, name, size: String(size) };
      const { file, resumable } = await call(driveApi.create, { body }, token);
      const ticket: UploadTicket['params'] = resumable!.params;
      const path = `/${ticket.bucket}/${ticket.key}`;
      const signed = (method: string, query: string): HttpRequest => ({
        method,
        url: `${origin}${path}${query && `?${query}`}`,
        headers: signV4(ticket, { method, path, query, host: new URL(origin).host, at: Date.now() }),
      });
      const send = async (query: string, document = ''): Promise<void> => {
        const { url, ...request } = signed('POST', query);
        const reply = await fetch(url, { ...request, body: document });
        if (!reply.ok) throw new Error(await reply.text());
      };
      const isWhole = size <= PART;
      if (!isWhole) await send('uploads=');
      return {
        file: file!.id,
        partSize: PART,
        endsWithLastPart: false,
        part: (number) => signed('PUT', isWhole ? '' : `partNumber=${number}&uploadId=${ticket.key}`),
        async complete(etags) {
          if (isWhole) return;
          const numbered = Object.fromEntries(etags.map((etag, at) => [at + 1, etag]));
          await send(`uploadId=${ticket.key}`, completionDocument(numbered));
        },
      };
    },
    async downloadAddress(id) {
      const file = await call(driveApi.get, { params: { id }, query: {} }, token);
      return file.web_content_link;
    },
    async remove(id) {
      await call(driveApi.remove, { params: { id } }, token);
    },
    async databaseSize() {
      const files = ['', '-wal', '-shm'].map((ending) => join(folder, `bowerbird.sqlite${ending}`));
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
