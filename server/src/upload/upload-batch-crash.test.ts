import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, driveApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  batchRequest,
  PASSWORD,
  realServer,
  signV4,
  type BatchReply,
  type SmallFile,
} from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const FILES = 20;
const BATCHES = 12;

/** Batches of one folder, each with the key under which it is sent. */
const batchesOf = (parent: string) =>
  Array.from({ length: BATCHES }, (_, batch) => ({
    key: `batch ${batch}`,
    files: Array.from({ length: FILES }, (_, at): SmallFile => ({
      name: `${batch}-${at}.bin`,
      parent_id: parent,
      bytes: randomBytes(3000 + at),
    })),
  }));

test(
  'small files sent again to a server that was killed repeatedly exist once each, with their content',
  { timeout: 180_000 },
  async () => {
    await using server = await realServer();
    await server.start();
    const grant = await server.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const token = grant.access_token!;
    const { file: folder } = await server.call(
      driveApi.create,
      { body: { kind: 'drive#folder', name: 'Small' } },
      token,
    );
    const waiting = batchesOf(folder!.id);
    const acknowledged = new Map<string, string>();

    async function send({ key, files }: (typeof waiting)[number]): Promise<void> {
      const { method, url, headers, payload } = batchRequest(files, key);
      const reply = await fetch(server.origin + url, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: payload,
      });
      // The server may find its own interrupted work unfinished for a moment.
      if (reply.status === 503) return;
      expect(reply.status).toBe(200);
      const { results } = (await reply.json()) as BatchReply;
      for (const { id, name, error } of results) {
        expect(error).toBe('');
        acknowledged.set(name, id);
      }
    }
    /** Sends the batches that were not acknowledged, and once more one that was. */
    async function goOn(): Promise<void> {
      const left = waiting.filter(({ files }) => files.some(({ name }) => !acknowledged.has(name)));
      const lane = async (): Promise<void> => {
        for (let next = left.shift(); next; next = left.shift()) await send(next);
      };
      await Promise.all([lane(), lane(), send(waiting[0]!)]);
    }
    const all = BATCHES * FILES;

    await server.kill();
    for (let round = 0; acknowledged.size < all && round < 8; round++) {
      // The first server dies between a commit and its reply.
      await server.start(round === 0 ? { killedAfter: 'insert into node' } : {});
      const going = goOn().catch((error: unknown) => {
        // A broken connection is expected here.
        if (!(error instanceof TypeError)) throw error;
      });
      await Promise.race([going, sleep(40 + round * 60)]);
      await server.kill();
      await going;
    }
    await server.start();
    for (let tries = 0; acknowledged.size < all && tries < 100; tries++) await goOn();
    const { files } = await server.call(
      driveApi.list,
      { query: { parent_id: folder!.id, limit: '1000' } },
      token,
    );
    await server.kill();
    expect(files).toHaveLength(all);
    expect(new Map(files.map(({ name, id }) => [name, id]))).toEqual(acknowledged);

    const app = await openApp(readConfig(server.environment), { log: createLog('silent') });
    try {
      for (const { name, bytes } of waiting.flatMap((batch) => batch.files)) {
        const row = await app.nodes.find(app.database, grant.sub, acknowledged.get(name)!);
        const blob = await app.blobs.byHash(app.database, row!.blob!, row!.size);
        const { stream } = await app.storage.open(blob!.store_key);
        expect(Buffer.concat(await Array.fromAsync(stream)).equals(bytes as Buffer)).toBe(true);
      }
      const used = files.reduce((sum, { size }) => sum + Number(size), 0);
      expect(await app.quota.of(app.database, grant.sub)).toMatchObject({ used, reserved: 0 });
      expect(await app.drive.check({ repair: false })).toEqual([]);
    } finally {
      await app.close();
    }
  },
);

test('a small body sent again to a server that was killed after its commit gets its response', async () => {
  await using server = await realServer();
  await server.start();
  const grant = await server.call(accountApi.signUp, {
    body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
  });
  const bytes = randomBytes(4000);
  const { resumable } = await server.call(
    driveApi.create,
    { body: { kind: 'drive#file', name: 'small.bin', size: bytes.length } },
    grant.access_token!,
  );
  const ticket = resumable!.params;
  const path = `/${ticket.bucket}/${ticket.key}`;
  const put = (body: Buffer<ArrayBuffer>): Promise<Response> => {
    const { host } = new URL(server.origin);
    const { host: _, ...headers } = signV4(ticket, { method: 'PUT', path, query: '', host, at: Date.now() });
    return fetch(server.origin + path, { method: 'PUT', headers, body });
  };
  await server.kill();
  await server.start({ killedAfter: 'insert into node' });
  await expect(put(bytes)).rejects.toThrow(TypeError);
  await server.kill();
  await server.start();
  expect((await put(randomBytes(4000))).status).toBe(409);
  expect((await put(bytes)).status).toBe(200);
  const { files } = await server.call(driveApi.list, { query: {} }, grant.access_token!);
  expect(files).toMatchObject([{ id: ticket.key, name: 'small.bin', size: '4000' }]);
});
