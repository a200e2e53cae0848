import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accountApi,
  driveApi,
  pathOf,
  type EndpointSpec,
  type InputOf,
  type ReplyOf,
  type UploadTicket,
} from '@bowerbird/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { completionDocument, objectReply, PASSWORD, signV4, type ObjectReply } from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const MIB = 2 ** 20;
const PART = 2 * MIB;

let folder: string;
let port: number;
let server: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-crash-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  probe.close();
});
afterEach(async () => {
  await kill();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' });

/** Starts the real server and waits until it says that it is ready. */
async function start(): Promise<void> {
  server = spawn(process.execPath, [MAIN, 'serve', '--api'], {
    env: { PATH: process.env['PATH'], ...environment() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout! })) if (line.includes('is ready')) return;
  throw new Error('The server ended before it was ready');
}

async function kill(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function call<S extends EndpointSpec>(spec: S, input: InputOf<S>, token = ''): Promise<ReplyOf<S>> {
  const { params, body } = input as { params?: Record<string, string>; body?: object };
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(`http://127.0.0.1:${port}${pathOf(spec, params)}`, {
    method: spec.method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as ReplyOf<S>;
}

async function send(
  ticket: UploadTicket['params'],
  method: string,
  query: string,
  body?: string | Buffer<ArrayBuffer>,
): Promise<ObjectReply> {
  const path = `/${ticket.bucket}/${ticket.key}`;
  const { host: _, ...headers } = signV4(ticket, {
    method,
    path,
    query,
    host: `127.0.0.1:${port}`,
    at: Date.now(),
  });
  const reply = await fetch(`http://127.0.0.1:${port}${path}?${query}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return objectReply(reply.status, Object.fromEntries(reply.headers), await reply.text());
}

test(
  'a server that is killed again and again loses nothing that it acknowledged, and the file is whole in the end',
  { timeout: 180_000 },
  async () => {
    const bytes = randomBytes(12 * PART + 12_345);
    const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, at) =>
      bytes.subarray(at * PART, (at + 1) * PART),
    );
    await start();
    const grant = await call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const token = grant.access_token!;
    const created = await call(
      driveApi.create,
      { body: { kind: 'drive#file', name: 'big.bin', size: bytes.length } },
      token,
    );
    const ticket = created.resumable!.params;
    const acknowledged = new Map<number, string>();
    let completed = false;

    /** Goes on from what the server says it holds. */
    const goOn = async (): Promise<void> => {
      const list = await send(ticket, 'GET', `uploadId=${ticket.key}`);
      if (list.status === 200) {
        const held = new Map(
          list.all('PartNumber').map((number, at) => [Number(number), list.all('ETag')[at]!]),
        );
        for (const [number, etag] of acknowledged) expect(held.get(number)).toBe(etag);
        const missing = parts.flatMap((part, at) => (held.has(at + 1) ? [] : [{ number: at + 1, part }]));
        const lane = async (): Promise<void> => {
          for (let next = missing.shift(); next; next = missing.shift()) {
            const reply = await send(
              ticket,
              'PUT',
              `partNumber=${next.number}&uploadId=${ticket.key}`,
              next.part,
            );
            expect(reply.status).toBe(200);
            acknowledged.set(next.number, reply.etag);
            held.set(next.number, reply.etag);
          }
        };
        await Promise.all([lane(), lane(), lane()]);
        for (const [number, etag] of held) acknowledged.set(number, etag);
      }
      const reply = await send(
        ticket,
        'POST',
        `uploadId=${ticket.key}`,
        completionDocument(Object.fromEntries(acknowledged)),
      );
      expect(reply.status).toBe(200);
      completed = true;
    };

    // Killed a little later each time: while parts come, and at last while the file is completed.
    for (let round = 0; !completed && round < 6; round++) {
      if (round > 0) await start();
      const going = goOn().catch((error: unknown) => {
        // A broken connection is what is expected here.
        if (error instanceof TypeError) return;
        throw error;
      });
      await Promise.race([going, sleep(60 + round * 120)]);
      await kill();
      await going;
    }
    if (!completed) {
      await start();
      await goOn();
      await kill();
    }

    const app = await openApp(readConfig(environment()), { log: createLog('silent') });
    try {
      const account = grant.sub;
      const node = await app.nodes.find(app.database, account, ticket.key);
      expect(node).toMatchObject({ name: 'big.bin', size: bytes.length });
      const blob = await app.blobs.byHash(app.database, node!.blob!, bytes.length);
      const { stream } = await app.storage.open(blob!.store_key);
      expect(Buffer.concat(await Array.fromAsync(stream)).equals(bytes)).toBe(true);
      expect(await app.quota.of(app.database, account)).toMatchObject({ used: bytes.length, reserved: 0 });
      expect(await app.drive.check({ repair: false })).toEqual([]);
    } finally {
      await app.close();
    }
  },
);
