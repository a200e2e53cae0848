import { createHash, createHmac } from 'node:crypto';
import { driveApi, type File, type InputOf, type UploadTicket } from '@bowerbird/contract';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Member } from './member.ts';

type Credentials = UploadTicket['params'];

/** Client of the object protocol for one ticket; it returns every response, including errors. */
export interface ObjectClient {
  readonly ticket: Credentials;
  /** Sends a request for the ticket's object, signed at the given time, or now. */
  send(
    method: string,
    query: string,
    options?: { body?: string | Uint8Array; headers?: Record<string, string>; at?: number },
  ): Promise<ObjectReply>;
  put(body: string | Uint8Array): Promise<ObjectReply>;
  begin(): Promise<ObjectReply>;
  /** Returns the ETag as received; throws if the part was rejected. */
  putPart(number: number, body: string | Uint8Array): Promise<string>;
  list(query?: string): Promise<ObjectReply>;
  complete(etags: Readonly<Record<number, string>>): Promise<ObjectReply>;
  abort(): Promise<ObjectReply>;
}

export interface ObjectReply {
  readonly status: number;
  readonly text: string;
  readonly etag: string;
  readonly headers: LightMyRequestResponse['headers'];
  /** Code of an error, or "". */
  readonly code: string;
  /** Returns the text of all elements with a name. */
  all(element: string): string[];
}

export function objectReply(
  status: number,
  headers: LightMyRequestResponse['headers'],
  text: string,
): ObjectReply {
  const all = (element: string): string[] =>
    [...text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((match) =>
      match[1]!.replaceAll('&quot;', '"'),
    );
  return { status, headers, text, etag: String(headers['etag'] ?? ''), code: all('Code')[0] ?? '', all };
}

/** Returns the headers of a request signed with version 4. */
export function signV4(
  { access_key_id: key, access_key_secret: secret, security_token: token }: Credentials,
  {
    method,
    path,
    query,
    host,
    at,
    payload = 'UNSIGNED-PAYLOAD',
  }: { method: string; path: string; query: string; host: string; at: number; payload?: string },
): Record<string, string> {
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/anywhere/s3/aws4_request`;
  const signed = { host, 'x-amz-content-sha256': payload, 'x-amz-date': time, 'x-amz-security-token': token };
  const names = Object.keys(signed).join(';');
  const sorted = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .toSorted()
    .join('&');
  const canonical = [
    method,
    path,
    sorted,
    ...Object.entries(signed).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const signature = hmac(
    hmac(hmac(hmac(hmac(`AWS4${secret}`, day), 'anywhere'), 's3'), 'aws4_request'),
    text,
  ).toString('hex');
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/**
 * Returns the headers of a request signed in the OSS dialect, version 1; `resource` is the key with the
 * signed part of the query.
 */
export function signOss(
  { access_key_id: key, access_key_secret: secret, security_token: token, bucket }: Credentials,
  {
    method,
    resource,
    at,
    type = 'application/octet-stream',
    dated = 'date',
  }: {
    method: string;
    resource: string;
    at: number;
    type?: string;
    dated?: 'date' | 'x-oss-date';
  },
): Record<string, string> {
  const date = new Date(at).toUTCString();
  const own = {
    ...(dated === 'x-oss-date' ? { 'x-oss-date': date } : {}),
    'x-oss-security-token': token,
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}:${value}\n`);
  const text = [method, '', type, date, `${lines.join('')}/${bucket}/${resource}`].join('\n');
  const signature = createHmac('sha1', secret).update(text).digest('base64');
  return {
    ...own,
    ...(dated === 'date' ? { date } : {}),
    'content-type': type,
    authorization: `OSS ${key}:${signature}`,
  };
}

/**
 * Returns the headers of a request signed in the OSS dialect, version 4; `path` includes the bucket,
 * `additional` lists other signed headers.
 */
export function signOssV4(
  { access_key_id: key, access_key_secret: secret, security_token: token }: Credentials,
  {
    method,
    path,
    query = '',
    at,
    region = 'cn-hangzhou',
    type = 'application/octet-stream',
    additional = {},
  }: {
    method: string;
    path: string;
    query?: string;
    at: number;
    region?: string;
    type?: string;
    additional?: Readonly<Record<string, string>>;
  },
): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [time.slice(0, 8), region, 'oss', 'aliyun_v4_request'];
  const sent: Record<string, string> = {
    'content-type': type,
    'x-oss-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-oss-date': time,
    'x-oss-security-token': token,
  };
  const lines = Object.entries({ ...sent, ...additional }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = Object.keys(additional).toSorted().join(';');
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    lines.map(([name, value]) => `${name}:${value}\n`).join(''),
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const hmac = (by: string | Buffer, text: string): Buffer => createHmac('sha256', by).update(text).digest();
  const signingKey = scope.reduce<string | Buffer>(hmac, `aliyun_v4${secret}`);
  const signature = hmac(signingKey, ['OSS4-HMAC-SHA256', time, scope.join('/'), digest].join('\n'));
  const said = names === '' ? '' : `AdditionalHeaders=${names},`;
  return {
    ...sent,
    authorization: `OSS4-HMAC-SHA256 Credential=${key}/${scope.join('/')},${said}Signature=${signature.toString('hex')}`,
  };
}

export function completionDocument(etags: Readonly<Record<number, string>>): string {
  const parts = Object.entries(etags).map(
    ([number, etag]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

export function objectClient(
  { http, clock }: { http: FastifyInstance; clock: { now(): number } },
  ticket: Credentials,
): ObjectClient {
  const path = `/${ticket.bucket}/${ticket.key}`;
  const client: ObjectClient = {
    ticket,
    async send(method, query, { body, headers = {}, at = clock.now() } = {}) {
      const payload = headers['x-amz-content-sha256'];
      const signed = signV4(ticket, {
        method,
        path,
        query,
        host: 'drive.test',
        at,
        ...(payload ? { payload } : {}),
      });
      const reply = await http.inject({
        method: method as 'PUT',
        url: path + (query && `?${query}`),
        headers: { 'content-type': 'application/octet-stream', ...signed, ...headers },
        ...(body === undefined ? {} : { payload: Buffer.from(body as string) }),
      });
      return objectReply(reply.statusCode, reply.headers, reply.body);
    },
    put: (body) => client.send('PUT', '', { body }),
    begin: () => client.send('POST', 'uploads'),
    async putPart(number, body) {
      const reply = await client.send('PUT', `partNumber=${number}&uploadId=${ticket.key}`, { body });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.etag;
    },
    list: (query = '') => client.send('GET', `uploadId=${ticket.key}${query}`),
    complete: (etags) => client.send('POST', `uploadId=${ticket.key}`, { body: completionDocument(etags) }),
    abort: () => client.send('DELETE', `uploadId=${ticket.key}`),
  };
  return client;
}

export type Ask = Partial<InputOf<typeof driveApi.create>['body']> & { readonly name: string };

/** Requests an upload ticket, as the web app does. */
export function askTicket(member: Member, ask: Ask) {
  return member.call(driveApi.create, {
    body: {
      kind: 'drive#file',
      upload_type: 'UPLOAD_TYPE_RESUMABLE',
      resumable: { provider: 'PROVIDER_ALIYUN' },
      parent_id: '',
      ...ask,
    },
  });
}

/** Uploads a file in one request and returns it as its owner sees it. */
export async function upload(
  app: { http: FastifyInstance; clock: { now(): number } },
  member: Member,
  name: string,
  bytes: string | Uint8Array,
  ask: Partial<Ask> = {},
): Promise<File> {
  const { file, resumable } = await askTicket(member, {
    ...ask,
    name,
    size: Buffer.byteLength(bytes as string),
  });
  if (!resumable) return file!;
  const reply = await objectClient(app, resumable.params).put(bytes);
  if (reply.status !== 200) throw new Error(reply.text);
  return member.call(driveApi.get, { params: { id: file!.id }, query: {} });
}
