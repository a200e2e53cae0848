import { createHash, createHmac } from 'node:crypto';
import {
  SignatureMalformed,
  type ChunkSigner,
  type ObjectRequest,
  type Signature,
} from './object-signature.ts';
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

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SIGNED_CHUNKS = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const CHUNK_ALGORITHM = 'AWS4-HMAC-SHA256-PAYLOAD';
/** SHA-256 of no bytes. */
const NOTHING = createHash('sha256').digest('hex');

/** Content of Authorization, or of the query of a signed link. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly date: string;
  readonly token: string;
  readonly lifeSeconds: number | undefined;
  readonly payload: string;
}

/**
 * Parses a signature of version 4, from the header or the query; undefined if the request has neither. Any
 * region is accepted, since there is only one location. Throws {@link SignatureMalformed}.
 */
export function readSigV4(request: ObjectRequest): Signature | undefined {
  const parameters = parseQuery(request.query);
  const claim = fromHeader(request) ?? fromQuery(request, parameters);
  if (!claim) return undefined;

  const [accessKey, day, region, service, end, ...more] = claim.credential.split('/');
  const signedAt = parseTime(claim.date);
  const names = claim.signedHeaders.split(';');
  if (!accessKey || !day || region === undefined || !service || end !== 'aws4_request' || more.length > 0)
    throw new SignatureMalformed('Credential');
  if (signedAt === undefined || !claim.date.startsWith(day)) throw new SignatureMalformed('Date');
  if (!names.includes('host')) throw new SignatureMalformed('SignedHeaders');
  if (!/^[0-9a-f]{64}$/.test(claim.signature)) throw new SignatureMalformed('Signature');

  const scope = `${day}/${region}/${service}/aws4_request`;
  const query = canonicalQuery(parameters);
  const path = request.path
    .split('/')
    .map((segment) => encode(decode(segment)))
    .join('/');
  const textFor = (host: string): string => {
    const headers = names
      .map((name) => `${name}:${name === 'host' ? host : headerValue(request, name)}\n`)
      .join('');
    const canonical = [request.method, path, query, headers, claim.signedHeaders, claim.payload].join('\n');
    return [ALGORITHM, claim.date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  };

  const keyOf = (secret: string): Buffer =>
    signingKey(`AWS4${secret}`, [day, region, service, 'aws4_request']);
  const chunks = (secret: string): ChunkSigner => {
    const key = keyOf(secret);
    let before = claim.signature;
    return {
      next(contentHash) {
        const text = [CHUNK_ALGORITHM, claim.date, scope, before, NOTHING, contentHash.toString('hex')];
        before = createHmac('sha256', key).update(text.join('\n')).digest('hex');
        return before;
      },
    };
  };

  return {
    ...(claim.payload.startsWith(SIGNED_CHUNKS) ? { chunks } : {}),
    accessKey,
    securityToken: claim.token,
    signedAt,
    goodForMs: claim.lifeSeconds === undefined ? undefined : claim.lifeSeconds * 1000,
    payload: claim.payload,
    matches: (secret) => isSignedFor(request, { signature: claim.signature, key: keyOf(secret), textFor }),
  };
}

function fromHeader({ headers }: ObjectRequest): Claim | undefined {
  const authorization = headers.authorization;
  if (!authorization?.startsWith(ALGORITHM)) return undefined;
  const field = authorizationFields(authorization, ALGORITHM);
  return {
    credential: field('Credential'),
    signedHeaders: field('SignedHeaders'),
    signature: field('Signature'),
    date: headerText(headers['x-amz-date']) || compactTime(headerText(headers.date)),
    token: headerText(headers['x-amz-security-token']),
    lifeSeconds: undefined,
    payload: headerText(headers['x-amz-content-sha256']) || UNSIGNED_PAYLOAD,
  };
}

function fromQuery({ headers }: ObjectRequest, parameters: Parameter[]): Claim | undefined {
  const value = valuesOf(parameters);
  if (value('X-Amz-Algorithm') !== ALGORITHM) return undefined;
  return {
    credential: value('X-Amz-Credential'),
    signedHeaders: value('X-Amz-SignedHeaders'),
    signature: value('X-Amz-Signature'),
    date: value('X-Amz-Date'),
    token: value('X-Amz-Security-Token'),
    lifeSeconds: linkLife(value('X-Amz-Expires'), 'X-Amz-Expires'),
    payload: headerText(headers['x-amz-content-sha256']) || UNSIGNED_PAYLOAD,
  };
}

function canonicalQuery(parameters: readonly Parameter[]): string {
  return sortedQuery(parameters, 'X-Amz-Signature')
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function headerValue({ headers }: ObjectRequest, name: string): string {
  return headerText(headers[name]).trim().replace(/ +/g, ' ');
}
