import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, driveApi, type UploadTicket } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  completionDocument,
  objectReply,
  PASSWORD,
  realServer,
  signV4,
  type ObjectReply,
} from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const MIB = 2 ** 20;
const PART = 2 * MIB;

async function send(
  origin: string,
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
    host: new URL(origin).host,
    at: Date.now(),
  });
  const reply = await fetch(`${origin}${path}?${query}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return objectReply(reply.status, Object.fromEntries(reply.headers), await reply.text());
}

test(
  'a server killed repeatedly loses nothing that it acknowledged, and the file is complete in the end',
  { timeout: 180_000 },
  async () => {
    const bytes = randomBytes(12 * PART + 12_345);
    const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, at) =>
      bytes.subarray(at * PART, (at + 1) * PART),
    );
    await using server = await realServer();
    await server.start();
    const grant = await server.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const token = grant.access_token!;
    const created = await server.call(
      driveApi.create,
      { body: { kind: 'drive#file', name: 'big.bin', size: bytes.length } },
      token,
    );
    const ticket = created.resumable!.params;
    const acknowledged = new Map<number, string>();
    let completed = false;

    /** Continues from the parts that the server lists. */
    const goOn = async (): Promise<void> => {
      const list = await send(server.origin, ticket, 'GET', `uploadId=${ticket.key}`);
      if (list.status === 200) {
        const held = new Map(
          list.all('PartNumber').map((number, at) => [Number(number), list.all('ETag')[at]!]),
        );
        for (const [number, etag] of acknowledged) expect(held.get(number)).toBe(etag);
        const missing = parts.flatMap((part, at) => (held.has(at + 1) ? [] : [{ number: at + 1, part }]));
        const lane = async (): Promise<void> => {
          for (let next = missing.shift(); next; next = missing.shift()) {
            const reply = await send(
              server.origin,
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
        server.origin,
        ticket,
        'POST',
        `uploadId=${ticket.key}`,
        completionDocument(Object.fromEntries(acknowledged)),
      );
      expect(reply.status).toBe(200);
      completed = true;
    };

    // Each kill is a little later: during the parts, and in the end during the completion.
    for (let round = 0; !completed && round < 6; round++) {
      if (round > 0) await server.start();
      const going = goOn().catch((error: unknown) => {
        // A broken connection is expected here.
        if (error instanceof TypeError) return;
        throw error;
      });
      await Promise.race([going, sleep(60 + round * 120)]);
      await server.kill();
      await going;
    }
    if (!completed) {
      await server.start();
      await goOn();
      await server.kill();
    }

    const app = await openApp(readConfig(server.environment), { log: createLog('silent') });
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
