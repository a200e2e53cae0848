import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  SignatureMalformed,
  type ChunkSigner,
  type ObjectRequest,
  type Signature,
} from './object-signature.ts';

const ALGORITHM = 'AWS4-HMAC-SHA256';
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
const SIGNED_CHUNKS = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const CHUNK_ALGORITHM = 'AWS4-HMAC-SHA256-PAYLOAD';
/** SHA-256 of no bytes. */
const NOTHING = createHash('sha256').digest('hex');
const LONGEST_LINK_SECONDS = 7 * 24 * 3600;

/** What Authorization, or the query of a signed link, says. */
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
 * Reads a signature of version 4, from the header or from the query; undefined where the request has neither. Any region
 * is taken, since there is only one place. Throws {@link SignatureMalformed}.
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
    [day, region, service, 'aws4_request'].reduce(
      (at: Buffer | string, word) => createHmac('sha256', at).update(word).digest(),
      `AWS4${secret}`,
    ) as Buffer;
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
    matches(secret) {
      const key = keyOf(secret);
      const given = Buffer.from(claim.signature, 'hex');
      return request.hosts
        .map((host) => timingSafeEqual(given, createHmac('sha256', key).update(textFor(host)).digest()))
        .includes(true);
    },
  };
}

function fromHeader({ headers }: ObjectRequest): Claim | undefined {
  const authorization = headers.authorization;
  if (!authorization?.startsWith(ALGORITHM)) return undefined;
  const fields = new Map(
    authorization
      .slice(ALGORITHM.length)
      .split(',')
      .map((field) => field.trim())
      .map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
  return {
    credential: fields.get('Credential') ?? '',
    signedHeaders: fields.get('SignedHeaders') ?? '',
    signature: fields.get('Signature') ?? '',
    date: text(headers['x-amz-date']) || compactTime(text(headers.date)),
    token: text(headers['x-amz-security-token']),
    lifeSeconds: undefined,
    payload: text(headers['x-amz-content-sha256']) || UNSIGNED_PAYLOAD,
  };
}

function fromQuery({ headers }: ObjectRequest, parameters: Parameter[]): Claim | undefined {
  const value = (name: string): string => parameters.find(([known]) => known === name)?.[1] ?? '';
  if (value('X-Amz-Algorithm') !== ALGORITHM) return undefined;
  const lifeSeconds = Number(value('X-Amz-Expires'));
  if (!(lifeSeconds >= 1 && lifeSeconds <= LONGEST_LINK_SECONDS))
    throw new SignatureMalformed('X-Amz-Expires');
  return {
    credential: value('X-Amz-Credential'),
    signedHeaders: value('X-Amz-SignedHeaders'),
    signature: value('X-Amz-Signature'),
    date: value('X-Amz-Date'),
    token: value('X-Amz-Security-Token'),
    lifeSeconds,
    payload: text(headers['x-amz-content-sha256']) || UNSIGNED_PAYLOAD,
  };
}

export type Parameter = readonly [name: string, value: string];

export function parseQuery(query: string): Parameter[] {
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
  });
}

function canonicalQuery(parameters: readonly Parameter[]): string {
  return parameters
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]): Parameter => [encode(name), encode(value)])
    .toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : Number(x > y)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function headerValue({ headers }: ObjectRequest, name: string): string {
  return text(headers[name]).trim().replace(/ +/g, ' ');
}

function text(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

export function decode(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new SignatureMalformed('URI');
  }
}

/** Everything but unreserved characters is escaped. */
export function encode(plain: string): string {
  return encodeURIComponent(plain.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `20261127T120000Z` in milliseconds. */
export function parseTime(date: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/** The HTTP date of clients that send no x-amz-date, in the form that was signed. */
export function compactTime(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
