import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureMalformed, type ObjectRequest, type Signature } from './object-signature.ts';
import { UNSIGNED_PAYLOAD } from './v4-signature.ts';
import { BUCKET } from '../upload.ts';

const SCHEME = 'OSS ';
/** Parameters that select an operation and are therefore signed; others are not. */
const SIGNED_PARAMETERS = new Set([
  'append',
  'callback',
  'callback-var',
  'partNumber',
  'position',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
  'security-token',
  'sequential',
  'uploadId',
  'uploads',
  'x-oss-process',
]);

/**
 * Parses a signature of the OSS dialect, version 1, from the header or the query; undefined if the request
 * has neither. Some clients sign the query as sent instead of its selected parameters, and browsers, which
 * may not set Date, sign `x-oss-date` in its place: each of these texts is accepted. Throws
 * {@link SignatureMalformed}.
 */
export function readOssV1(request: ObjectRequest): Signature | undefined {
  const parameters = new URLSearchParams(request.query);
  const claim = fromHeader(request) ?? fromQuery(parameters);
  if (!claim) return undefined;
  const { accessKey, signature, dates, signedAt, goodForMs, securityToken } = claim;
  if (!accessKey || signature.length !== DIGEST_BYTES) throw new SignatureMalformed('Authorization');
  if (Number.isNaN(signedAt)) throw new SignatureMalformed('Date');

  const head = [request.method, header(request, 'content-md5'), header(request, 'content-type')];
  const texts = dates.flatMap((date) =>
    resources(request, parameters).map((resource) =>
      [...head, date, `${ossHeaders(request)}${resource}`].join('\n'),
    ),
  );
  return {
    accessKey,
    securityToken,
    signedAt,
    goodForMs,
    payload: UNSIGNED_PAYLOAD,
    matches: (secret) =>
      texts
        .map((text) => timingSafeEqual(signature, createHmac('sha1', secret).update(text).digest()))
        .includes(true),
  };
}

interface Claim {
  readonly accessKey: string;
  readonly signature: Buffer;
  /** Possible values of the date line. */
  readonly dates: readonly string[];
  readonly signedAt: number;
  readonly goodForMs: number | undefined;
  readonly securityToken: string;
}

const DIGEST_BYTES = 20;

function fromHeader(request: ObjectRequest): Claim | undefined {
  const authorization = request.headers.authorization;
  if (!authorization?.startsWith(SCHEME)) return undefined;
  const [accessKey = '', signature = ''] = authorization.slice(SCHEME.length).trim().split(':');
  const own = header(request, 'x-oss-date');
  const date = header(request, 'date');
  return {
    accessKey,
    signature: Buffer.from(signature, 'base64'),
    dates: [...new Set([date, own])],
    signedAt: Date.parse(own || date),
    goodForMs: undefined,
    securityToken: header(request, 'x-oss-security-token'),
  };
}

/** A presigned link states its expiry, but not its start. */
function fromQuery(parameters: URLSearchParams): Claim | undefined {
  const accessKey = parameters.get('OSSAccessKeyId');
  const expires = parameters.get('Expires');
  if (accessKey === null || expires === null) return undefined;
  if (!/^\d{1,12}$/.test(expires)) throw new SignatureMalformed('Expires');
  return {
    accessKey,
    signature: Buffer.from(parameters.get('Signature') ?? '', 'base64'),
    dates: [expires],
    signedAt: 0,
    goodForMs: Number(expires) * 1000,
    securityToken: parameters.get('security-token') ?? '',
  };
}

/** Headers specific to the dialect, sorted, one per line. */
function ossHeaders({ headers }: ObjectRequest): string {
  return Object.entries(headers)
    .filter(([name]) => name.startsWith('x-oss-'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${String(value).trim()}\n`)
    .join('');
}

function resources({ path, query }: ObjectRequest, parameters: URLSearchParams): string[] {
  const decoded = decoding(path);
  const key = decoded.startsWith(`/${BUCKET}/`) ? decoded.slice(BUCKET.length + 2) : decoded.slice(1);
  const named = [...parameters]
    .filter(([name]) => SIGNED_PARAMETERS.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join('&');
  return [...new Set([named, query])].map((list) => `/${BUCKET}/${key}${list && `?${list}`}`);
}

function decoding(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new SignatureMalformed('URI');
  }
}

function header({ headers }: ObjectRequest, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}
