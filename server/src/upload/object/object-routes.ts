import type { ErrorId } from '@bowerbird/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isBrokenConnection, RETRY_AFTER_FULL } from '../../foundation/http/index.ts';
import { timeText, type Log } from '../../foundation/index.ts';
import type { ObjectAccess } from './object-access.ts';
import { bodyOf, requestBytes, textOf } from './object-body.ts';
import { readForm } from './object-form.ts';
import { boundaryOf, openForm } from './multipart-form.ts';
import { ObjectRefusal, refusalOf } from './object-refusals.ts';
import { isOssRequest, type ObjectRequest } from './object-signature.ts';
import { parseCompletion, xmlDocument } from './object-xml.ts';
import type { Completions } from '../upload-completion-service.ts';
import type { Aborting } from '../upload-abort-service.ts';
import type { Parts } from '../upload-part-service.ts';
import type { Tickets } from '../upload-ticket-service.ts';
import { BUCKET, statedTime, type Completed, type UploadRow } from '../upload.ts';

interface Services {
  readonly access: ObjectAccess;
  readonly tickets: Tickets;
  readonly parts: Parts;
  readonly completions: Completions;
  readonly aborting: Aborting;
  /** Reason why an account may not be used, since tickets outlive sessions. */
  readonly refusal: (account: string) => Promise<ErrorId | undefined>;
  readonly log: Log;
}

type ObjectRoute = FastifyRequest<{
  Params: { key: string };
  Querystring: Record<string, string | undefined>;
}>;

/** Limit of a completion document; one with 10,000 parts is much smaller. */
const COMPLETION_BYTES = 4 * 2 ** 20;
const MOST_LISTED = 1000;
/**
 * Maximum number of bytes of a rejected body that are still read; for a longer body the connection is closed.
 */
const DRAINED_BYTES = 8 * 2 ** 20;

/** Object protocol: the part of S3 that uploading an object needs. */
export function mountObjects(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    // Bodies are passed on as raw bytes, whatever their content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) => refuse(error, request, reply, services.log));
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (isOssRequest(signedRequest(request))) reply.header('x-oss-request-id', request.id);
    });
    scope.route({ method: ['GET', 'HEAD'], url: `/${BUCKET}`, handler: probeBucket });
    scope.route({ method: ['GET', 'HEAD'], url: `/${BUCKET}/`, handler: probeBucket });
    for (const url of [`/${BUCKET}`, `/${BUCKET}/`])
      scope.route({
        method: 'POST',
        url,
        handler: (request, reply) => takeForm(request, reply, services),
      });
    scope.route<{ Params: { key: string }; Querystring: Record<string, string | undefined> }>({
      method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
      url: `/${BUCKET}/:key`,
      handler: (request, reply) => answer(request, reply, services),
    });
    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'],
      url: `/${BUCKET}/*`,
      handler: () => {
        throw new ObjectRefusal('NoSuchKey', 'There is no such object.');
      },
    });
  });
}

async function answer(request: ObjectRoute, reply: FastifyReply, services: Services): Promise<FastifyReply> {
  const { method, query, params } = request;
  const { upload, ...signed } = services.access.check(signedRequest(request));
  if (params.key !== upload) throw new ObjectRefusal('AccessDenied', 'The ticket is for another object.');
  const uploadId = query['uploadId'];
  if (uploadId !== undefined && uploadId !== upload)
    throw new ObjectRefusal('NoSuchUpload', 'There is no such upload.', 'upload_not_found');

  const { tickets, parts, completions, aborting } = services;
  const row = await tickets.find(upload);
  await judge(row, services);
  const body = () => bodyOf(request.raw, signed);
  if (method === 'PUT' && request.headers['x-amz-copy-source'] === undefined) {
    if (uploadId === undefined) {
      const dated = await withDate(row, (name) => request.headers[name], tickets);
      return reply.header('etag', tagOf(await completions.putWhole(dated, body()))).send();
    }
    const part = await parts.write(upload, Number(query['partNumber']), {
      ...body(),
      start: startOf(request),
    });
    return reply.header('etag', `"${part.version}"`).send();
  }
  if (method === 'POST' && query['uploads'] !== undefined) {
    if (row?.state !== 'open')
      throw new ObjectRefusal(
        'NoSuchKey',
        'The object was uploaded already, or given up.',
        'upload_not_found',
      );
    await withDate(row, (name) => request.headers[name], tickets);
    return sendXml(request, reply, 'InitiateMultipartUploadResult', [
      ['Bucket', BUCKET],
      ['Key', upload],
      ['UploadId', upload],
    ]);
  }
  if (method === 'POST' && uploadId !== undefined) {
    const named = await parseCompletion(await textOf(body(), COMPLETION_BYTES));
    if (!named) throw new ObjectRefusal('MalformedXML', 'The document is not a CompleteMultipartUpload.');
    const completed = await completions.complete(upload, named);
    const location = `${request.caller.origin}/${BUCKET}/${upload}`;
    return sendXml(request, reply, 'CompleteMultipartUploadResult', [
      ['Location', location],
      ['Bucket', BUCKET],
      ['Key', upload],
      ['ETag', tagOf(completed)],
    ]);
  }
  if (method === 'GET' && uploadId !== undefined) return listParts(request, reply, upload, query, parts);
  if (method === 'DELETE' && uploadId !== undefined) {
    const aborted = await aborting.giveUp(upload, { state: 'cancelled', failure: 'cancelled' });
    if (!aborted && (await tickets.find(upload))?.state !== 'cancelled')
      throw new ObjectRefusal('NoSuchUpload', 'There is no such upload.', 'upload_not_found');
    return reply.status(204).send();
  }
  if (method === 'HEAD') {
    if (row?.state !== 'done')
      throw new ObjectRefusal('NoSuchKey', 'There is no such object.', 'upload_not_found');
    return reply
      .header('content-length', row.size)
      .header('etag', tagOf({ hash: row.hash!, size: row.size }))
      .send();
  }
  throw new ObjectRefusal(
    'NotImplemented',
    'This object can be uploaded; nothing else can be done with it here.',
  );
}

async function judge(row: { readonly account: string } | undefined, { refusal }: Services): Promise<void> {
  const reason = row && (await refusal(row.account));
  if (reason) throw new ObjectRefusal('AccessDenied', 'The account is closed.', reason);
}

/** Stores the date of the file, if the request has one, and returns the upload with it. */
async function withDate(
  upload: UploadRow | undefined,
  field: (name: string) => unknown,
  tickets: Tickets,
): Promise<UploadRow | undefined> {
  const time = statedTime(field);
  if (!upload || time === undefined) return upload;
  await tickets.date(upload.id, time);
  return { ...upload, modifiedAt: time };
}

async function listParts(
  request: FastifyRequest,
  reply: FastifyReply,
  upload: string,
  query: Record<string, string | undefined>,
  parts: Parts,
): Promise<FastifyReply> {
  const after = wholeNumber(query['part-number-marker'], 0);
  const most = Math.min(wholeNumber(query['max-parts'], MOST_LISTED), MOST_LISTED);
  const following = (await parts.list(upload)).filter(({ number }) => number > after);
  const page = following.slice(0, most);
  return sendXml(request, reply, 'ListPartsResult', [
    ['Bucket', BUCKET],
    ['Key', upload],
    ['UploadId', upload],
    ['StorageClass', 'STANDARD'],
    ['PartNumberMarker', after],
    ['NextPartNumberMarker', page.at(-1)?.number ?? after],
    ['MaxParts', most],
    ['IsTruncated', following.length > page.length],
    ...page.map(
      ({ number, version, size, landedAt }) =>
        [
          'Part',
          [
            ['PartNumber', number],
            ['LastModified', wholeSecond(landedAt)],
            ['ETag', `"${version}"`],
            ['Size', size],
          ],
        ] as const,
    ),
  ]);
}

/** Start of a part in the file: a hint of clients whose parts differ in size. */
function startOf({ headers }: FastifyRequest): number | undefined {
  const start = headers['x-part-start'];
  return typeof start === 'string' && /^\d{1,15}$/.test(start) ? Number(start) : undefined;
}

/** Receives a whole file in one form. */
async function takeForm(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> {
  const { access, tickets, completions } = services;
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === undefined) throw new ObjectRefusal('InvalidRequest', 'Files are posted as form data.');
  const { fields, content } = await openForm(requestBytes(request.raw), boundary);
  const upload = access.checkForm(readForm(fields));
  const row = await tickets.find(upload);
  await judge(row, services);
  const dated = await withDate(row, (name) => fields.get(name), tickets);
  const completed = await completions.putWhole(dated, { source: content, size: undefined });
  return reply.header('etag', tagOf(completed)).type('application/json; charset=utf-8').send('{}');
}

/** Responds to SDKs that check whether the bucket exists, and reveals nothing else. */
async function probeBucket(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = request.query as Record<string, string | undefined>;
  if (request.method === 'HEAD') return reply.header('content-length', 0).send();
  if (query['location'] !== undefined) return sendXml(request, reply, 'LocationConstraint', []);
  throw new ObjectRefusal('AccessDenied', 'The bucket cannot be listed.');
}

function signedRequest(request: FastifyRequest): ObjectRequest {
  const { headers } = request;
  // Proxies receive absolute URLs.
  const sent = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const at = sent.indexOf('?');
  const [path, query] = at < 0 ? [sent, ''] : [sent.slice(0, at), sent.slice(at + 1)];
  return {
    method: request.method,
    path,
    query,
    headers,
    hosts: [...new Set([headers.host ?? '', request.host])],
  };
}

function wholeNumber(value: string | undefined, defaultValue: number): number {
  if (value === undefined || value === '') return defaultValue;
  if (!/^\d{1,9}$/.test(value)) throw new ObjectRefusal('InvalidArgument', 'A number is not valid.');
  return Number(value);
}

const tagOf = ({ hash }: Completed): string => `"${hash}-1"`;

/** SDKs for OSS expect elements without a namespace, those for S3 with theirs. */
function sendXml(
  request: FastifyRequest,
  reply: FastifyReply,
  root: string,
  tree: Parameters<typeof xmlDocument>[1],
): FastifyReply {
  const namespace = !isOssRequest(signedRequest(request));
  return reply.type('application/xml; charset=utf-8').send(xmlDocument(root, tree, { namespace }));
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.status >= 500) log.error({ err: error, id: request.id }, 'object request failed');
  if (refusal.status === 503) reply.header('retry-after', '2');
  if (refusal.code === 'InsufficientStorage') reply.header('retry-after', RETRY_AFTER_FULL);
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (!request.raw.complete && (isBrokenConnection(error) || length > DRAINED_BYTES))
    reply.header('connection', 'close');
  const tree = [
    ['Code', refusal.code],
    ['Message', refusal.message],
    ...(refusal.reason ? [['Reason', refusal.reason] as const] : []),
    ['Resource', `/${BUCKET}/${(request.params as { key?: string }).key ?? ''}`],
    ['RequestId', request.id],
  ] as const;
  return reply
    .status(refusal.status)
    .type('application/xml; charset=utf-8')
    .send(request.method === 'HEAD' ? '' : xmlDocument('Error', tree, { namespace: false }));
}

/** Formats a time in whole seconds, with zeros for the milliseconds; Alibaba's SDK for Python parses nothing else. */
const wholeSecond = (instant: number): string =>
  timeText(Math.floor(instant / 1000) * 1000).replace('+00:00', 'Z');
