import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect } from 'vitest';
import type { Member } from './member.ts';
import type { TestApp } from './test-app.ts';

/** Response of a WebDAV server. */
export interface DavReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** Returns the text of all elements with a local name, whatever their prefix. */
  all(element: string): string[];
}

/** WebDAV client that sends exactly the given requests. */
export interface DavClient {
  readonly headers: Readonly<Record<string, string>>;
  send(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<DavReply>;
  put(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<DavReply>;
  get(path: string, headers?: Record<string, string>): Promise<DavReply>;
  move(from: string, to: string, headers?: Record<string, string>): Promise<DavReply>;
  copy(from: string, to: string, headers?: Record<string, string>): Promise<DavReply>;
  find(path: string, depth: '0' | '1', body?: string): Promise<DavReply>;
  /** Returns the token of the lock. */
  lock(path: string, options?: { shared?: boolean; depth?: '0' | 'infinity' }): Promise<string>;
}

export const LOCK_INFO = (scope: 'exclusive' | 'shared'): string =>
  `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner>ann</owner></lockinfo>`;

export const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** Sends requests to `/dav`, unless the host is WebDAV's own. */
export function davClient(
  http: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  { host = 'drive.test', base = '/dav' }: { host?: string; base?: string } = {},
): DavClient {
  const client: DavClient = {
    headers,
    async send(method, path, { body, headers: extra = {} } = {}) {
      const reply = await http.inject({
        method: method as 'GET',
        url: base + path,
        headers: { host, ...headers, ...extra },
        ...(body === undefined ? {} : { payload: Buffer.from(body as string) }),
      } as InjectOptions);
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.body,
        bytes: reply.rawPayload,
        all: (element) =>
          [
            ...reply.body.matchAll(
              new RegExp(`<(?:\\w+:)?${element}(?: [^>]*)?>([^]*?)</(?:\\w+:)?${element}>`, 'g'),
            ),
          ].map((match) => match[1]!),
      };
    },
    put: (path, body, extra = {}) => client.send('PUT', path, { body, headers: extra }),
    get: (path, extra = {}) => client.send('GET', path, { headers: extra }),
    move: (from, to, extra = {}) =>
      client.send('MOVE', from, { headers: { destination: `http://${host}${base}${to}`, ...extra } }),
    copy: (from, to, extra = {}) =>
      client.send('COPY', from, { headers: { destination: `http://${host}${base}${to}`, ...extra } }),
    find: (path, depth, body) =>
      client.send('PROPFIND', path, { headers: { depth }, ...(body === undefined ? {} : { body }) }),
    async lock(path, { shared = false, depth = 'infinity' } = {}) {
      const reply = await client.send('LOCK', path, {
        body: LOCK_INFO(shared ? 'shared' : 'exclusive'),
        headers: { depth },
      });
      if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
      return /<(.+)>/.exec(String(reply.headers['lock-token']))![1]!;
    },
  };
  return client;
}

/** Creates a member named Ann and a WebDAV client for her drive. */
export async function drivenByAnn(app: TestApp): Promise<{ dav: DavClient; id: string; member: Member }> {
  const member = await app.signUp('ann');
  const dav = davClient(app.http, { authorization: basic(member.email, member.password) });
  return { member, id: member.id, dav };
}

/** Expects a consistent drive and no staged bytes. */
export async function expectWhole(app: TestApp): Promise<void> {
  expect(await app.drive.check({ repair: false })).toEqual([]);
  await expect.poll(() => Array.fromAsync(app.storage.staged())).toEqual([]);
}

/** Decodes the text of an XML element. */
export function plainText(xml: string): string {
  return xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
