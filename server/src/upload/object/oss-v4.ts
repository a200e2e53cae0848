import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SignatureMalformed, type ObjectRequest, type Signature } from './object-signature.ts';
import { BUCKET } from '../upload.ts';
import {
  authorizationFields,
  compactTime,
  decode,
  encode,
  headerText,
  isSignedFor,
  linkLife,
  parseQuery,
  parseTime,
  signingKey,
  sortedQuery,
  UNSIGNED_PAYLOAD,
  valuesOf,
  type Parameter,
} from './v4-signature.ts';

const ALGORITHM = 'OSS4-HMAC-SHA256';
const END = 'aliyun_v4_request';
/** Headers that are signed whenever present; others are signed only if the request lists them. */
const ALWAYS_SIGNED = new Set(['content-type', 'content-md5']);

/** Content of Authorization, or of the query of a signed link. */
interface Claim {
  readonly credential: string;
  readonly additional: string;
  readonly signature: string;
  readonly date: string;
  readonly token: string;
  readonly lifeSeconds: number | undefined;
  readonly payload: string;
}

/**
 * Parses a signature of the OSS dialect, version 4, from the header or the query; undefined if the request
 * has neither. Any region is accepted, since there is only one location. Throws {@link SignatureMalformed}.
 */
export function readOssV4(request: ObjectRequest): Signature | undefined {
  const parameters = parseQuery(request.query);
  const claim = fromHeader(request.headers) ?? fromQuery(parameters);
  if (!claim) return undefined;

  const [accessKey, day, region, product, end, ...more] = claim.credential.split('/');
  const signedAt = parseTime(claim.date);
  if (!accessKey || !day || !region || !product || end !== END || more.length > 0)
    throw new SignatureMalformed('Credential');
  if (signedAt === undefined || !claim.date.startsWith(day)) throw new SignatureMalformed('Date');
  if (!/^[0-9a-f]{64}$/.test(claim.signature)) throw new SignatureMalformed('Signature');

  const scope = [day, region, product, END];
  const additional = claim.additional.toLowerCase().split(';').filter(Boolean).toSorted();
  const textFor = (host: string): string => {
    const canonical = [
      request.method,
      canonicalPath(request.path),
      canonicalQuery(parameters),
      canonicalHeaders(request.headers, additional, host),
      additional.join(';'),
      claim.payload,
    ].join('\n');
    const digest = createHash('sha256').update(canonical).digest('hex');
    return [ALGORITHM, claim.date, scope.join('/'), digest].join('\n');
  };

  return {
    accessKey,
    securityToken: claim.token,
    signedAt,
    goodForMs: claim.lifeSeconds === undefined ? undefined : claim.lifeSeconds * 1000,
    payload: claim.payload,
    matches: (secret) =>
      isSignedFor(request, {
        signature: claim.signature,
        key: signingKey(`aliyun_v4${secret}`, scope),
        textFor,
      }),
  };
}

function fromHeader(headers: IncomingHttpHeaders): Claim | undefined {
  const { authorization } = headers;
  if (!authorization?.startsWith(`${ALGORITHM} `)) return undefined;
  const field = authorizationFields(authorization, ALGORITHM);
  return {
    credential: field('Credential'),
    additional: field('AdditionalHeaders'),
    signature: field('Signature'),
    date: headerText(headers['x-oss-date']) || compactTime(headerText(headers.date)),
    token: headerText(headers['x-oss-security-token']),
    lifeSeconds: undefined,
    payload: headerText(headers['x-oss-content-sha256']) || UNSIGNED_PAYLOAD,
  };
}

function fromQuery(parameters: readonly Parameter[]): Claim | undefined {
  const value = valuesOf(parameters);
  if (value('x-oss-signature-version') !== ALGORITHM) return undefined;
  return {
    credential: value('x-oss-credential'),
    additional: value('x-oss-additional-headers'),
    signature: value('x-oss-signature'),
    date: value('x-oss-date'),
    token: value('x-oss-security-token'),
    lifeSeconds: linkLife(value('x-oss-expires'), 'x-oss-expires'),
    payload: UNSIGNED_PAYLOAD,
  };
}

/** The bucket precedes the key, even if the request names it in its host. */
function canonicalPath(path: string): string {
  const within = path.startsWith(`/${BUCKET}/`) ? path.slice(BUCKET.length + 1) : path;
  // SDKs escape the slashes of a key or don't: both mean the same object.
  const key = decode(within)
    .split('/')
    .map((segment) => encode(segment))
    .join('/');
  return `/${BUCKET}${key}`;
}

/** A parameter without a value has no equals sign. */
function canonicalQuery(parameters: readonly Parameter[]): string {
  return sortedQuery(parameters, 'x-oss-signature')
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join('&');
}

function canonicalHeaders(headers: IncomingHttpHeaders, additional: readonly string[], host: string): string {
  return Object.keys(headers)
    .filter((name) => name.startsWith('x-oss-') || ALWAYS_SIGNED.has(name) || additional.includes(name))
    .toSorted()
    .map((name) => `${name}:${name === 'host' ? host : headerText(headers[name]).trim()}\n`)
    .join('');
}
