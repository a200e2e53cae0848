import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { driveApi, type UploadForm, type UploadTicket } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askTicket,
  completionDocument,
  openTestApp,
  signOss,
  signOssV4,
  signV4,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

type Ticket = UploadTicket['params'];
const HOUR_MS = 3600 * 1000;
const MIB = 2 ** 20;

let app: TestApp;
let ann: Member;
const clock = turnableClock();

beforeAll(async () => {
  app = await openTestApp({ clock, storage: await openBlobStore('memory:') });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  ann = await app.signUp('ann');
});
afterAll(() => app.close());

const ticketFor = async (name: string, size: number): Promise<Ticket> =>
  (await askTicket(ann, { name, size })).resumable!.params;

async function contentOf(id: string): Promise<string> {
  const file = await ann.call(driveApi.get, { params: { id }, query: {} });
  return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).body;
}

describe('the OSS dialect, version 4,', () => {
  const send = (
    ticket: Ticket,
    options: Partial<Parameters<typeof signOssV4>[1]> & { host?: string; url?: string; payload?: string },
  ) => {
    const { method = 'PUT', query = '', host = 'drive.test', payload, url, ...signed } = options;
    const path = `/${ticket.bucket}/${ticket.key}`;
    return app.http.inject({
      method: method as 'PUT',
      url: (url ?? path) + (query && `?${query}`),
      headers: {
        host,
        ...signOssV4(ticket, { method, path, query, at: clock.now(), ...signed }),
        ...signed.additional,
      },
      ...(payload === undefined ? {} : { payload }),
    });
  };

  test('stores a file addressed by path or by the bucket’s own host, for any region', async () => {
    for (const [name, options] of [
      ['v4-path.txt', {}],
      ['v4-region.txt', { region: 'anywhere' }],
      ['v4-host.txt', { host: 'bowerbird-upload.drive.test' }],
      ['v4-more.txt', { additional: { host: 'drive.test', 'x-other': 'y' } }],
    ] as const) {
      const ticket = await ticketFor(name, 5);
      const url = 'host' in options ? `/${ticket.key}` : undefined;
      const reply = await send(ticket, { payload: 'hello', ...options, ...(url ? { url } : {}) });
      expect([reply.statusCode, reply.body], name).toEqual([200, '']);
      expect(await contentOf(ticket.key)).toBe('hello');
    }
  });

  test('stores a file in parts, with the responses of OSS', async () => {
    const ticket = await ticketFor('v4-parts.bin', 3);
    const begun = await send(ticket, { method: 'POST', query: 'uploads' });
    expect(begun.body).toContain('<InitiateMultipartUploadResult><Bucket>');
    expect(begun.headers['x-oss-request-id']).toBe(begun.headers['x-request-id']);
    const uploadId = /<UploadId>([^<]+)</.exec(begun.body)![1]!;
    clock.advance(199);
    const part = await send(ticket, { query: `partNumber=1&uploadId=${uploadId}`, payload: 'end' });
    const listed = await send(ticket, { method: 'GET', query: `uploadId=${uploadId}&max-parts=5` });
    expect(listed.body).toContain('<ListPartsResult><Bucket>');
    expect(listed.body).toMatch(/<LastModified>[\d-]+T[\d:]+\.000Z</);
    const payload = completionDocument({ 1: part.headers['etag'] as string });
    const completed = await send(ticket, { method: 'POST', query: `uploadId=${uploadId}`, payload });
    expect(completed.body).toContain('<CompleteMultipartUploadResult><Location>');
    expect(await contentOf(ticket.key)).toBe('end');
  });

  test('rejects unsigned and outdated requests, and names the request in the error', async () => {
    const ticket = await ticketFor('v4-refused.txt', 5);
    const secret = { ...ticket, access_key_secret: 'x' };
    for (const [refused, code] of [
      [await send(secret, { payload: 'hello' }), 'SignatureDoesNotMatch'],
      [
        await send(ticket, { payload: 'hello', url: `/${ticket.bucket}/${ticket.key}?uploads` }),
        'SignatureDoesNotMatch',
      ],
      [await send(ticket, { payload: 'hello', at: clock.now() - HOUR_MS }), 'RequestTimeTooSkewed'],
      [await send({ ...ticket, security_token: 'x' }, { payload: 'hello' }), 'InvalidToken'],
    ] as const) {
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining(`<Code>${code}</Code>`),
      ]);
      expect(refused.body).toContain(`<RequestId>${String(refused.headers['x-oss-request-id'])}</RequestId>`);
    }
  });
});

describe('the OSS dialect', () => {
  const put = (
    ticket: Ticket,
    options: Partial<Parameters<typeof signOss>[1]> & { host?: string; url?: string },
  ) =>
    app.http.inject({
      method: 'PUT',
      url: options.url ?? `/${ticket.bucket}/${ticket.key}`,
      headers: {
        host: options.host ?? 'drive.test',
        ...signOss(ticket, { method: 'PUT', resource: ticket.key, at: clock.now(), ...options }),
      },
      payload: 'hello',
    });

  test('stores a file addressed by path or by the bucket’s own host, signed with either date header', async () => {
    const plain = await ticketFor('path.txt', 5);
    expect((await put(plain, {})).statusCode).toBe(200);
    expect(await contentOf(plain.key)).toBe('hello');
    const hosted = await ticketFor('host.txt', 5);
    const host = `${hosted.bucket}.drive.test`;
    expect((await put(hosted, { host, url: `/${hosted.key}`, dated: 'x-oss-date' })).statusCode).toBe(200);
    expect(await contentOf(hosted.key)).toBe('hello');
  });

  test('stores a file in parts, and lists parts with unsigned parameters', async () => {
    const ticket = await ticketFor('parts.bin', MIB + 3);
    const send = (method: 'PUT' | 'POST' | 'GET', signed: string, payload = '', unsigned = '') =>
      app.http.inject({
        method,
        url: `/${ticket.bucket}/${ticket.key}?${signed}${unsigned}`,
        headers: signOss(ticket, { method, resource: `${ticket.key}?${signed}`, at: clock.now() }),
        ...(payload ? { payload } : {}),
      });
    const begun = await send('POST', 'uploads');
    expect(begun.body).toContain('<InitiateMultipartUploadResult><Bucket>');
    expect(begun.headers['x-oss-request-id']).toBe(begun.headers['x-request-id']);
    const uploadId = /<UploadId>([^<]+)</.exec(begun.body)![1]!;
    const first = await send('PUT', `partNumber=1&uploadId=${uploadId}`, 'a'.repeat(MIB));
    const second = await send('PUT', `partNumber=2&uploadId=${uploadId}`, 'end');
    const listed = await send('GET', `uploadId=${uploadId}`, '', '&max-parts=1&part-number-marker=1');
    expect(listed.body).toContain('<PartNumber>2</PartNumber>');
    expect(listed.body).not.toContain('<PartNumber>1</PartNumber>');
    const completed = await send(
      'POST',
      `uploadId=${uploadId}`,
      completionDocument({ 1: String(first.headers['etag']), 2: String(second.headers['etag']) }),
    );
    expect(completed.statusCode).toBe(200);
    expect(await contentOf(ticket.key)).toBe(`${'a'.repeat(MIB)}end`);
  });

  test('accepts a signed query in any order of its parameters', async () => {
    const ticket = await ticketFor('raw.bin', 5);
    const query = `uploadId=${ticket.key}&partNumber=1`;
    expect(
      (
        await put(ticket, {
          url: `/${ticket.bucket}/${ticket.key}?${query}`,
          resource: `${ticket.key}?${query}`,
        })
      ).statusCode,
    ).toBe(200);
  });

  test('rejects a signature for another object, with another secret, or from another hour', async () => {
    const ticket = await ticketFor('mine.txt', 5);
    const other = await ticketFor('other.txt', 5);
    expect((await put(ticket, { resource: other.key })).body).toContain('SignatureDoesNotMatch');
    expect((await put({ ...ticket, access_key_secret: 'guessed' }, {})).body).toContain(
      'SignatureDoesNotMatch',
    );
    expect((await put({ ...ticket, security_token: other.security_token }, {})).body).toContain(
      'InvalidToken',
    );
    expect((await put(ticket, { at: clock.now() - HOUR_MS })).body).toContain('RequestTimeTooSkewed');
    const odd = await app.http.inject({
      method: 'PUT',
      url: `/${ticket.bucket}/${ticket.key}`,
      headers: { authorization: 'OSS nonsense' },
      payload: 'hello',
    });
    expect(odd.body).toContain('AuthorizationHeaderMalformed');
  });

  test('accepts a presigned link until it expires', async () => {
    const ticket = await ticketFor('link.txt', 5);
    const linked = (expires: number): string => {
      const resource = `/${ticket.bucket}/${ticket.key}?security-token=${ticket.security_token}`;
      const signature = createHmac('sha1', ticket.access_key_secret)
        .update(['PUT', '', '', expires, resource].join('\n'))
        .digest('base64');
      const query = new URLSearchParams({
        OSSAccessKeyId: ticket.access_key_id,
        Expires: String(expires),
        Signature: signature,
        'security-token': ticket.security_token,
      });
      return `/${ticket.bucket}/${ticket.key}?${query.toString()}`;
    };
    const send = (url: string) => app.http.inject({ method: 'PUT', url, payload: 'hello' });
    const seconds = Math.floor(clock.now() / 1000);
    expect((await send(linked(seconds - 1))).body).toContain('AccessDenied');
    expect((await send(linked(seconds + 60))).statusCode).toBe(200);
  });

  test('rejects a presigned link dated in the future', async () => {
    const ticket = await ticketFor('early.txt', 5);
    const path = `/${ticket.bucket}/${ticket.key}`;
    const linked = (at: number): string => {
      const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
      const scope = `${time.slice(0, 8)}/anywhere/s3/aws4_request`;
      const query = new URLSearchParams({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': `${ticket.access_key_id}/${scope}`,
        'X-Amz-Date': time,
        'X-Amz-Expires': '3600',
        'X-Amz-Security-Token': ticket.security_token,
        'X-Amz-SignedHeaders': 'host',
      });
      query.sort();
      const asked = query.toString().replaceAll('+', '%20');
      const request = ['PUT', path, asked, 'host:drive.test', '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
      const digest = createHash('sha256').update(request).digest('hex');
      const hmac = (key: string | Buffer, text: string): Buffer =>
        createHmac('sha256', key).update(text).digest();
      const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${ticket.access_key_secret}`);
      const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, digest].join('\n')).toString('hex');
      return `${path}?${asked}&X-Amz-Signature=${signature}`;
    };
    const send = (url: string) =>
      app.http.inject({ method: 'PUT', url, headers: { host: 'drive.test' }, payload: 'hello' });
    const early = await send(linked(clock.now() + 16 * 60_000));
    expect([early.statusCode, early.body]).toEqual([403, expect.stringContaining('RequestTimeTooSkewed')]);
    expect((await send(linked(clock.now() + 14 * 60_000))).statusCode).toBe(200);
  });
});

describe('signed chunks', () => {
  const STREAMING = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';

  /** Frames and signs a body chunk by chunk, each signature over the previous one. */
  function framed(ticket: Ticket, headers: Record<string, string>, chunks: readonly string[]): string {
    const hmac = (key: string | Buffer, text: string): Buffer =>
      createHmac('sha256', key).update(text).digest();
    const time = headers['x-amz-date']!;
    const scope = /Credential=[^/]+\/([^,]+)/.exec(headers['authorization']!)![1]!;
    const key = scope
      .split('/')
      .reduce((at: string | Buffer, word) => hmac(at, word), `AWS4${ticket.access_key_secret}`) as Buffer;
    let before = /Signature=(\w+)/.exec(headers['authorization']!)![1]!;
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    return [...chunks, '']
      .map((chunk) => {
        const text = ['AWS4-HMAC-SHA256-PAYLOAD', time, scope, before, digest(''), digest(chunk)].join('\n');
        before = hmac(key, text).toString('hex');
        return `${chunk.length.toString(16)};chunk-signature=${before}\r\n${chunk}\r\n`;
      })
      .join('');
  }

  async function send(ticket: Ticket, spoil: (body: string) => string = (body) => body) {
    const url = `/${ticket.bucket}/${ticket.key}`;
    const headers = signV4(ticket, {
      method: 'PUT',
      path: url,
      query: '',
      host: 'drive.test',
      at: clock.now(),
      payload: STREAMING,
    });
    return app.http.inject({
      method: 'PUT',
      url,
      headers: { ...headers, 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '11' },
      payload: spoil(framed(ticket, headers, ['hello', ' world'])),
    });
  }

  test('are stored without their framing', async () => {
    const ticket = await ticketFor('chunks.txt', 11);
    expect((await send(ticket)).statusCode).toBe(200);
    expect(await contentOf(ticket.key)).toBe('hello world');
  });

  test.each([
    ['different content', (body: string) => body.replace(' world', ' wordl')],
    ['no signature', (body: string) => body.replace(/;chunk-signature=\w+/, '')],
    ['a signature of another chunk', (body: string) => body.replace(/(?<==)\w{8}/, '00000000')],
  ])('chunks with %s are rejected, and nothing is stored', async (_, spoil) => {
    const ticket = await ticketFor('forged.txt', 11);
    const reply = await send(ticket, spoil);
    expect(reply.statusCode).toBe(403);
    expect(reply.body).toContain('SignatureDoesNotMatch');
    expect((await send(ticket)).statusCode).toBe(200);
  });
});

describe('a form upload', () => {
  const ask = async (name: string, size: number): Promise<UploadForm> => {
    const { form, resumable, file } = await ann.call(driveApi.create, {
      body: { kind: 'drive#file', name, size, upload_type: 'UPLOAD_TYPE_FORM' },
    });
    expect(resumable).toBeUndefined();
    expect(file!.phase).toBe('PHASE_TYPE_PENDING');
    return form!;
  };

  const EDGE = 'an-edge';
  const bodyOf = (form: UploadForm, content: string, change: Record<string, string> = {}): string => {
    const fields = Object.entries({ ...form.multi_parts, ...change }).map(
      ([name, value]) => `--${EDGE}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const file = `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${content}\r\n--${EDGE}--\r\n`;
    return fields.join('') + file;
  };
  const headers = { 'content-type': `multipart/form-data; boundary=${EDGE}` };
  const send = (form: UploadForm, payload: string) =>
    app.http.inject({ method: 'POST', url: new URL(form.url).pathname, headers, payload });
  const connections = (): Promise<number> =>
    new Promise((resolve) => app.http.server.getConnections((_, count) => resolve(count)));
  const post = (form: UploadForm, content: string, change?: Record<string, string>) =>
    send(form, bodyOf(form, content, change));

  test('stores a file', async () => {
    const form = await ask('form.txt', 11);
    expect((await post(form, 'hello world')).statusCode).toBe(200);
    expect(await contentOf(form.multi_parts['key']!)).toBe('hello world');
  });

  test('a form for another object, with another policy, or of another size is rejected', async () => {
    const [form, other] = [await ask('mine.txt', 11), await ask('theirs.txt', 11)];
    expect((await post(form, 'hello world', { key: other.multi_parts['key']! })).statusCode).toBe(403);
    expect((await post(form, 'hello world', { policy: 'e30=' })).body).toContain('SignatureDoesNotMatch');
    expect((await post(form, 'hello')).body).toContain('upload_size_mismatch');
    expect((await post(form, 'hello world, and more')).body).toContain('upload_size_mismatch');
  });

  test('that ends early or has too many fields is rejected, and the form can be sent again', async () => {
    const form = await ask('again.txt', 11);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`field-${at}`, 'x']));
    const long = { 'x:user_data': 'x'.repeat(64 * 1024 + 1) };
    for (const reply of [await post(form, 'hello world', many), await post(form, 'hello world', long)]) {
      expect(reply.statusCode).toBe(400);
      expect(reply.body).toContain('<Code>InvalidRequest</Code>');
    }
    const cut = await send(form, bodyOf(form, 'hello world').slice(0, -4));
    expect(cut.statusCode).toBe(400);
    expect(cut.body).toContain('<Code>InvalidRequest</Code>');
    expect((await post(form, 'hello world')).statusCode).toBe(200);
    expect(await contentOf(form.multi_parts['key']!)).toBe('hello world');
  });

  test.each([
    ['in the middle of the file', -20],
    ['after the file', undefined],
  ])('whose connection breaks %s stores nothing, and the form can be sent again', async (_, end) => {
    const { port } = app.http.server.address() as AddressInfo;
    const form = await ask('broken.txt', 11);
    const path = new URL(form.url).pathname;
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
    sent.on('error', () => {});
    const body = bodyOf(form, 'hello world').slice(0, end);
    await new Promise<void>((resolve) => sent.write(body, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    sent.destroy();
    await expect.poll(connections).toBe(0);
    const id = form.multi_parts['key']!;
    expect((await ann.call(driveApi.get, { params: { id }, query: {} })).phase).toBe('PHASE_TYPE_PENDING');
    expect((await post(form, 'hello world')).statusCode).toBe(200);
    expect(await contentOf(id)).toBe('hello world');
  });

  test('a malformed form is rejected with an error message', async () => {
    const form = await ask('none.txt', 3);
    const reply = await app.http.inject({ method: 'POST', url: new URL(form.url).pathname, payload: 'abc' });
    expect(reply.statusCode).toBe(400);
    expect(reply.body).toContain('InvalidRequest');
  });
});
