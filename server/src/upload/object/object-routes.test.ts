import { createHash, randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askTicket,
  objectClient,
  openTestApp,
  turnableClock,
  upload,
  type Member,
  type ObjectClient,
  type TestApp,
} from '../../../testing/index.ts';

const MIB = 2 ** 20;
/** Every host name resolves to this machine. */
const thisMachine: LookupFunction = (_name, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
const MINUTE_MS = 60_000;

describe('access to an object', () => {
  let app: TestApp;
  let ann: Member;

  beforeAll(async () => {
    app = await openTestApp({ clock: turnableClock(), storage: await openBlobStore('memory:') });
    ann = await app.signUp('ann');
  });
  afterAll(() => app.close());

  const begin = async (name = 'a.bin', size = 5): Promise<ObjectClient> =>
    objectClient(app, (await askTicket(ann, { name, size })).resumable!.params);
  const unsigned = (
    ticket: UploadTicket['params'],
    method: 'PUT' | 'GET' = 'PUT',
    headers: Record<string, string> = {},
  ) => app.http.inject({ method, url: `/${ticket.bucket}/${ticket.key}`, headers, payload: 'hello' });

  test('is rejected without a signature, with an error of the dialect', async () => {
    const { ticket } = await begin();
    const reply = await unsigned(ticket);
    expect(reply.statusCode).toBe(403);
    expect(reply.headers['content-type']).toMatch(/^application\/xml/);
    expect(reply.body).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>AccessDenied<\/Code>/,
    );
  });

  test('is not granted by the owner’s session, nor by malformed credentials', async () => {
    const { ticket } = await begin();
    expect((await unsigned(ticket, 'PUT', ann.headers)).statusCode).toBe(403);
    expect((await unsigned(ticket, 'PUT', { authorization: 'AWS4-HMAC-SHA256 nonsense' })).statusCode).toBe(
      400,
    );
  });

  test('is rejected with a wrong secret, a signature of another request, or another ticket’s token', async () => {
    const { ticket } = await begin();
    const other = await begin('b.bin');
    const wrong = async (change: Partial<typeof ticket>) =>
      objectClient(app, { ...ticket, ...change }).put('hello');
    expect(await wrong({ access_key_secret: `${ticket.access_key_secret}x` })).toMatchObject({
      status: 403,
      code: 'SignatureDoesNotMatch',
    });
    expect(await wrong({ access_key_id: other.ticket.access_key_id })).toMatchObject({
      status: 403,
      code: 'SignatureDoesNotMatch',
    });
    expect(await wrong({ security_token: other.ticket.security_token })).toMatchObject({
      status: 403,
      code: 'InvalidToken',
    });
    expect(await wrong({ security_token: 'made up' })).toMatchObject({ status: 403, code: 'InvalidToken' });
    expect(
      await objectClient(app, other.ticket).send('PUT', '', {
        body: 'hello',
        headers: { host: 'elsewhere.test' },
      }),
    ).toMatchObject({ code: 'SignatureDoesNotMatch' });
  });

  test('tolerates a clock skew of fifteen minutes and no more', async () => {
    const client = await begin();
    const now = app.clock.now();
    for (const off of [16, -16])
      expect(
        await client.send('GET', `uploadId=${client.ticket.key}`, { at: now + off * MINUTE_MS }),
      ).toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' });
    for (const off of [14, -14])
      expect(
        (await client.send('GET', `uploadId=${client.ticket.key}`, { at: now + off * MINUTE_MS })).status,
      ).toBe(200);
  });

  test('continues after the access token that requested the ticket expires', async () => {
    const client = await begin();
    (app.clock as ReturnType<typeof turnableClock>).advance(11 * 3600 * 1000);
    expect((await client.put('hello')).status).toBe(200);
    ann = await app.signUp('ann2');
  });

  test('is suspended while the account is frozen', async () => {
    const client = await begin('frozen.txt');
    await app.accounts.freeze(ann.id, true);
    expect(await client.put('hello')).toMatchObject({ status: 403, code: 'AccessDenied' });
    await app.accounts.freeze(ann.id, false);
    expect((await client.put('hello')).status).toBe(200);
    ann = await app.signUp('ann3');
  });

  test('is rejected for a body that differs from the signed one, which is not stored', async () => {
    const client = await begin('signed', 5);
    const payload = createHash('sha256').update('hello').digest('hex');
    expect(
      await client.send('PUT', '', { body: 'hallo', headers: { 'x-amz-content-sha256': payload } }),
    ).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
    expect(
      (await client.send('PUT', '', { body: 'hello', headers: { 'x-amz-content-sha256': payload } })).status,
    ).toBe(200);
  });

  test.each([
    ['content-md5', createHash('md5').update('hello').digest('base64')],
    ['x-amz-checksum-sha1', createHash('sha1').update('hello').digest('base64')],
    ['x-amz-checksum-sha256', createHash('sha256').update('hello').digest('base64')],
    [
      'x-amz-checksum-crc32',
      Buffer.from(crc32('hello').toString(16).padStart(8, '0'), 'hex').toString('base64'),
    ],
  ])('requires a body to match its %s', async (name, value) => {
    const client = await begin(name, 5);
    expect(await client.send('PUT', '', { body: 'hallo', headers: { [name]: value } })).toMatchObject({
      status: 400,
      code: 'BadDigest',
    });
    expect((await client.send('PUT', '', { body: 'hello', headers: { [name]: value } })).status).toBe(200);
  });

  test('is rejected for truncated chunks, and the upload stays', async () => {
    const client = await begin('cut.txt', 11);
    const headers = {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': '11',
    };
    expect(await client.send('PUT', '', { body: '5\r\nhello\r\n', headers })).toMatchObject({
      status: 400,
      code: 'IncompleteBody',
    });
    expect((await client.put('hello world')).status).toBe(200);
  });

  test.each([
    ['not a number', 'eleven'],
    ['negative', '-11'],
    ['fractional', '11.5'],
  ])('is rejected for a decoded length that is %s, and the upload stays', async (_what, length) => {
    const client = await begin('length.txt', 11);
    const headers = {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': length,
    };
    const body = 'b\r\nhello world\r\n0\r\n\r\n';
    expect(await client.send('PUT', '', { body, headers })).toMatchObject({
      status: 400,
      code: 'InvalidArgument',
    });
    expect((await client.put('hello world')).status).toBe(200);
  });

  test('stores nothing if the decoded length differs from the content', async () => {
    const client = await begin('lies.txt', 11);
    const headers = { 'x-amz-decoded-content-length': '12' };
    expect((await client.send('PUT', '', { body: 'hello world', headers })).status).toBe(400);
    expect((await client.send('HEAD', '')).status).toBe(404);
  });

  test('fails as a client error if the path has a malformed escape', async () => {
    const reply = await app.http.inject({ method: 'PUT', url: '/bowerbird-upload/%zz' });
    expect(reply.statusCode).toBe(400);
  });

  test('is rejected for an upload id other than the ticket’s', async () => {
    const client = await begin();
    expect(await client.send('GET', 'uploadId=another')).toMatchObject({ status: 404, code: 'NoSuchUpload' });
  });

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', ''],
  ])('%s on the object itself is not implemented', async (method, query) => {
    const client = await begin();
    expect(await client.send(method, query)).toMatchObject({ status: 501, code: 'NotImplemented' });
  });

  test('includes the existence and location of the bucket, but not its listing', async () => {
    expect((await app.http.inject({ method: 'HEAD', url: '/bowerbird-upload' })).statusCode).toBe(200);
    expect((await app.http.inject({ url: '/bowerbird-upload/?location' })).body).toContain(
      'LocationConstraint',
    );
    expect((await app.http.inject({ url: '/bowerbird-upload' })).statusCode).toBe(403);
  });
});

describe.each([
  ['in the path', true],
  ['in the host', false],
])('an AWS SDK client, with the bucket %s,', (_where, forcePathStyle) => {
  let app: TestApp;
  let ann: Member;
  let port: number;

  beforeAll(async () => {
    app = await openTestApp();
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    port = (app.http.server.address() as AddressInfo).port;
    ann = await app.signUp('ann');
  });
  afterAll(() => app.close());

  const begin = async (name: string, size: number) => {
    const { resumable, file } = await askTicket(ann, { name, size });
    const {
      bucket: Bucket,
      key: Key,
      access_key_id: accessKeyId,
      access_key_secret: secretAccessKey,
      security_token: sessionToken,
    } = resumable!.params;
    const client = new S3Client({
      endpoint: `http://drive.test:${port}`,
      region: 'anywhere',
      forcePathStyle,
      credentials: { accessKeyId, secretAccessKey, sessionToken },
      requestHandler: { httpAgent: new Agent({ lookup: thisMachine }) },
    });
    return { client, at: { Bucket, Key }, id: file!.id };
  };
  const contentOf = async (id: string): Promise<Buffer> => {
    const file = await ann.call(driveApi.get, { params: { id }, query: {} });
    return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).rawPayload;
  };

  test('puts an object from memory', async () => {
    const bytes = randomBytes(300_000);
    const { client, at, id } = await begin('memory.bin', bytes.length);
    await client.send(new HeadBucketCommand({ Bucket: at.Bucket }));
    const { ETag } = await client.send(new PutObjectCommand({ ...at, Body: bytes }));
    expect(ETag).toMatch(/^".+"$/);
    expect((await contentOf(id)).equals(bytes)).toBe(true);
    expect(await client.send(new HeadObjectCommand(at))).toMatchObject({ ContentLength: bytes.length, ETag });
    client.destroy();
  });

  test('puts an object from a stream', async () => {
    const bytes = randomBytes(3 * MIB);
    const { client, at, id } = await begin('stream.bin', bytes.length);
    await client.send(
      new PutObjectCommand({
        ...at,
        Body: Readable.from([bytes.subarray(0, MIB), bytes.subarray(MIB)]),
        ContentLength: bytes.length,
      }),
    );
    expect((await contentOf(id)).equals(bytes)).toBe(true);
    client.destroy();
  });

  test('uploads in parts, several at once', async () => {
    const bytes = randomBytes(17 * MIB + 13);
    const { client, at, id } = await begin('parts.bin', bytes.length);
    await new Upload({ client, params: { ...at, Body: bytes }, partSize: 5 * MIB, queueSize: 4 }).done();
    expect((await contentOf(id)).equals(bytes)).toBe(true);
    client.destroy();
  });

  test('lists parts and continues', async () => {
    const bytes = randomBytes(2 * MIB);
    const { client, at, id } = await begin('resumed.bin', bytes.length);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    await client.send(
      new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: bytes.subarray(0, MIB) }),
    );
    const again = await client.send(new CreateMultipartUploadCommand(at));
    expect(again.UploadId).toBe(UploadId);
    await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 2, Body: bytes.subarray(MIB) }));
    const { Parts = [], IsTruncated } = await client.send(new ListPartsCommand({ ...at, UploadId }));
    expect(Parts.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([
      [1, MIB],
      [2, MIB],
    ]);
    expect(IsTruncated).toBe(false);
    await client.send(
      new CompleteMultipartUploadCommand({
        ...at,
        UploadId,
        MultipartUpload: { Parts: Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag })) },
      }),
    );
    expect((await contentOf(id)).equals(bytes)).toBe(true);
    client.destroy();
  });

  test('aborts an upload', async () => {
    const { client, at } = await begin('aborted.bin', MIB);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: randomBytes(MIB) }));
    await client.send(new AbortMultipartUploadCommand({ ...at, UploadId }));
    await expect(client.send(new ListPartsCommand({ ...at, UploadId }))).rejects.toMatchObject({
      name: 'NoSuchUpload',
      $metadata: { httpStatusCode: 404 },
    });
    client.destroy();
  });

  test('gets an error it understands', async () => {
    const { client, at } = await begin('wrong.bin', 10);
    await expect(client.send(new PutObjectCommand({ ...at, Body: 'too short' }))).rejects.toMatchObject({
      name: 'EntityTooSmall',
    });
    client.destroy();
    expect((await upload(app, ann, 'right.bin', 'right')).size).toBe('5');
  });
});
