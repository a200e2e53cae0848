import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openTestApp, plant, type Member, type TestApp } from '../testing/index.ts';
import { answers } from '../testing/clients/index.ts';

// Every endpoint in the OpenAPI document gets random input in paths, queries, headers and bodies. Each
// response must be a valid one or an error in the standard format, and never a server error. The order
// follows from FUZZ_SEED; `npm run fuzz` takes longer.

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 15);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_128);
const AT_ONCE = 6;
const LEAST = 300;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; schema: Schema }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Asked {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Pseudo-random numbers from 0 to 1 for a seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '*',
  '%',
  '%zz',
  '%00',
  '\u0000',
  'a\nb',
  '\u202ereversed',
  '🐦',
  'é'.normalize('NFD'),
  "' or 1=1 --",
  '"; drop table node; --',
  '<script>alert(1)</script>',
  '${jndi:ldap://x}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '99999999999999999999999',
  '2026-13-45T99:99:99Z',
  '2026-11-28T00:00:00Z',
  'PHASE_TYPE_COMPLETE',
  'SIZE_LARGE',
  'TYPE_PLAY',
  'PASSWORD_RESET',
  'refresh_token',
  'authorization_code',
  'ann@example.org',
  '+4915112345678',
  'http://127.0.0.1:1/x',
  'http://[::1]/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '{"phase":{"in":"x"}}',
  '{"trashed":{"eq":true}}',
  '{"type":{"in":"TYPE_PLAY"}}',
  '{"a":',
  '[[[[[[',
  '{}',
  '[]',
  '\ud800',
  'a'.repeat(300),
  'a'.repeat(5000),
  '/'.repeat(200),
  'ÿ'.repeat(200),
];
/** Values that pass the first validation, by field name. */
const WORDS: Readonly<Record<string, readonly Json[]>> = {
  kind: ['drive#file', 'drive#folder'],
  type: ['TYPE_PLAY', 'offline', 'transfer', 'decompress'],
  types: ['TYPE_PLAY', 'TYPE_UPLOAD'],
  name: ['egg.txt', 'nest', 'a name'],
  upload_type: ['UPLOAD_TYPE_RESUMABLE', 'UPLOAD_TYPE_FORM', 'UPLOAD_TYPE_URL'],
  create_type: ['RETRY'],
  grant_type: ['refresh_token', 'authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  filters: [
    '{"trashed":{"eq":false}}',
    '{"phase":{"in":"PHASE_TYPE_COMPLETE"}}',
    '{"mime_type":{"prefix":"text/"}}',
  ],
  order: ['1', '6', 'NAME_ASC', 'size_desc'],
  hash: ['DA39A3EE5E6B4B0D3255BFEF95601890AFD80709'],
  cid: ['DA39A3EE5E6B4B0D3255BFEF95601890AFD80709'],
  path: ['nest', 'nest/egg.txt', '..'],
  client_id: ['bowerbird-web', 'YUMx5nI8ZU8Ap8pm'],
  action: ['POST:/v1/auth/signin', 'GET:/drive/v1/files'],
  size: [0, 1, '5', '1e3', -5],
};
const NUMBERS = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, -1e-308, 100, 1001];
const SEGMENTS = [
  '%',
  '%zz',
  '%00',
  '%2f',
  '%2e%2e',
  '%c0%af',
  '%ff',
  '..',
  '.',
  '*',
  ':',
  '%F0%9F%90%A6',
  'a'.repeat(400),
  "'",
  '%0d%0a',
];
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
  '',
];

class Fuzzer {
  readonly #roll: () => number;
  readonly #ids: readonly string[];

  constructor(seed: number, ids: readonly string[]) {
    this.#roll = dice(seed);
    this.#ids = ids;
  }

  chance(share: number): boolean {
    return this.#roll() < share;
  }

  one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#roll() * list.length)]!;
  }

  text(): string {
    return this.chance(0.3) ? this.one(this.#ids) : this.one(TEXTS);
  }

  anything(depth = 0): Json {
    const roll = this.#roll();
    if (roll < 0.4) return this.text();
    if (roll < 0.6) return this.one(NUMBERS);
    if (roll < 0.7) return this.one([true, false, null]);
    if (depth > 4) return null;
    const length = Math.floor(this.#roll() * 4);
    if (roll < 0.85) return Array.from({ length }, () => this.anything(depth + 1));
    return Object.fromEntries(Array.from({ length }, () => [this.text(), this.anything(depth + 1)]));
  }

  /** Plausible value for a field of this name, if there is one. */
  hint(name: string): Json | undefined {
    if (/(?:^|_)(?:id|ids|parent)$/.test(name)) return this.one(this.#ids);
    const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
    return words && this.one(words);
  }

  /** Value that matches a schema, or nearly does. */
  fitting(schema: Schema, depth = 0, name = ''): Json {
    if (this.chance(0.15) || depth > 5) return this.anything(depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.anyOf) return this.fitting(this.one(schema.anyOf), depth, name);
    if (schema.enum) return this.one(schema.enum);
    switch (schema.type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(() => this.chance(0.75))
            .map(([field, inner]) => [field, this.fitting(inner, depth + 1, field)]),
        );
      case 'array':
        return Array.from({ length: Math.floor(this.#roll() * 3) }, () =>
          this.fitting(schema.items ?? {}, depth + 1, name),
        );
      case 'integer':
      case 'number':
        return this.one(NUMBERS);
      case 'boolean':
        return this.chance(0.5);
      default:
        return (this.chance(0.6) ? this.hint(name) : undefined) ?? this.text();
    }
  }

  segment(): string {
    return this.chance(0.5) ? this.one(this.#ids) : this.one(SEGMENTS);
  }

  body(schema: Schema | undefined): Buffer | undefined {
    const roll = this.#roll();
    const value = schema && roll < 0.8 ? this.fitting(schema) : this.anything();
    const json = JSON.stringify(value);
    if (roll < 0.7) return Buffer.from(json);
    if (roll < 0.76) return Buffer.from(json.slice(0, Math.floor(json.length * this.#roll())));
    if (roll < 0.84) {
      const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      return Buffer.from(
        fields
          .map(
            ([name, each]) =>
              `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(JSON.stringify(each).toWellFormed())}`,
          )
          .join('&'),
      );
    }
    if (roll < 0.9) return Buffer.from('['.repeat(5000));
    if (roll < 0.95) return Buffer.from(Array.from({ length: 200 }, () => Math.floor(this.#roll() * 256)));
    return undefined;
  }

  headers(member: Member): Record<string, string> {
    const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
    const headers: Record<string, string> = {};
    const roll = this.#roll();
    if (roll < 0.7) headers['authorization'] = `Bearer ${member.accessToken}`;
    else if (roll < 0.8)
      headers['authorization'] = plain(
        this.one(['Bearer ', 'Bearer a.b.c', 'Basic Og==', 'OSS a:b', this.text()]),
      );
    headers['content-type'] = this.one(TYPES);
    for (const name of [
      'x-device-id',
      'x-client-id',
      'x-captcha-token',
      'accept-language',
      'cookie',
      'range',
      'origin',
      'idempotency-key',
      'x-forwarded-for',
      'if-none-match',
      'referer',
      'x-system-language',
    ])
      if (this.chance(0.15)) headers[name] = plain(this.text());
    return headers;
  }

  ask(path: string, method: string, operation: Operation, member: Member): Asked {
    const query = operation.parameters
      .filter((parameter) => parameter.in === 'query' && this.chance(0.6))
      .flatMap(({ name, schema }) =>
        Array.from({ length: this.chance(0.1) ? 2 : 1 }, () => {
          const value = this.fitting(schema, 0, name);
          const text = typeof value === 'string' ? value : JSON.stringify(value);
          return `${name}=${this.chance(0.1) ? this.one(SEGMENTS) : encodeURIComponent(text.toWellFormed())}`;
        }),
      );
    if (this.chance(0.1)) query.push(`${this.one(SEGMENTS)}=${this.one(SEGMENTS)}`);
    const filled = path.replace(/\{\w+\}/g, () => this.segment());
    const hasBody = method !== 'GET' && (operation.requestBody !== undefined || this.chance(0.2));
    return {
      operation: operation.operationId,
      method,
      path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
      headers: this.headers(member),
      body: hasBody ? this.body(operation.requestBody?.content['application/json']?.schema) : undefined,
    };
  }
}

/** Returns the fault of a response; undefined if there is none. */
function fault(status: number, type: string, text: string): string | undefined {
  if (status >= 500) return `has status ${status}`;
  if (!/^application\/json\b/.test(type)) return `is not JSON: ${type}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not valid JSON';
  }
  if (status < 400) return Object.hasOwn(value as object, 'error') ? 'succeeds with an error' : undefined;
  try {
    answers.failure(value, 'refusal');
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

function send(
  port: number,
  agent: Agent,
  { method, path, headers, body }: Asked,
): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
        timeout: 20_000,
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode!,
            type: String(reply.headers['content-type']),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response arrived')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function inhabited(app: TestApp): Promise<{ member: Member; ids: string[] }> {
  const member = await app.signUp('fuzzed');
  const planted = await plant(app, member.id, {
    nest: { 'egg.txt': 'an egg' },
    'feather.zip': 'PK',
    'song.mp3': 'la',
  });
  const { share_id: share } = await member.call(shareApi.create, { body: { file_ids: [planted['nest']!] } });
  return { member, ids: [...Object.values(planted), share, member.id, ''] };
}

test(
  'random input never causes a server error, and every rejection has the standard error format',
  async () => {
    await using app = await openTestApp({ environment: { LOG_LEVEL: 'error' } });
    const { member, ids } = await inhabited(app);
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const { paths } = (await app.http.inject({ url: '/openapi.json' })).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    expect(operations.length).toBeGreaterThan(80);

    const fuzzer = new Fuzzer(SEED, ids);
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const until = Date.now() + SECONDS * 1000;
    const faults = new Map<string, string>();
    let count = 0;

    // Endpoints that would end the session are called without it, so that it lasts.
    const ending = new Set(['account.signOut', 'security.endOtherSessions']);
    async function work(): Promise<void> {
      while (Date.now() < until || count < LEAST) {
        const { path, method, operation } = operations[count % operations.length]!;
        count += 1;
        const asked = fuzzer.ask(path, method, operation, member);
        if (ending.has(operation.operationId))
          delete (asked.headers as Record<string, string>)['authorization'];
        const found = await send(port, agent, asked).then(
          ({ status, type, text }) => {
            const wrong = fault(status, type, text);
            return wrong && `${wrong}: ${text.slice(0, 300)}`;
          },
          (error: Error) => error.message,
        );
        if (found) {
          const { body } = asked;
          const { authorization: _, ...headers } = asked.headers;
          faults.set(
            operation.operationId,
            `${method} ${asked.path.slice(0, 500)} ${JSON.stringify(headers)} ${body?.toString().slice(0, 500)}\n  ${found}`,
          );
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    agent.destroy();
    const told = app.logged.filter((line) => /"level":"?(50|error)/.test(line)).slice(0, 5);
    expect(
      [...faults.values()].join('\n\n') + (faults.size > 0 ? told.join('\n') : ''),
      `seed ${SEED}, ${count} requests`,
    ).toBe('');
    expect(count).toBeGreaterThanOrEqual(LEAST);
  },
  (SECONDS + 60) * 1000,
);
