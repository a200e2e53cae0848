import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, driveApi, taskApi, type Task } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { expect, test } from 'vitest';
import {
  bytes,
  freshPostgres,
  LOOPBACK_ALLOWED,
  openOrigin,
  PASSWORD,
  realServer,
} from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const MIB = 1024 * 1024;

test(
  'a server killed repeatedly while downloading and storing resumes, and the file is complete',
  { timeout: 180_000 },
  async () => {
    const content = randomBytes(96 * MIB);
    await using origin = await openOrigin();
    const answer = bytes(content);
    // Real sites are slower than loopback: this one sends four pieces per connection, with pauses in between.
    origin.put('/film.bin', (request, response) => {
      const end = response.end.bind(response);
      response.end = ((body: Buffer) => {
        const piece = Math.ceil(body.length / 8);
        let at = 0;
        const timer = setInterval(() => {
          response.write(body.subarray(at, at + piece));
          at += piece;
          if (at < body.length) return;
          clearInterval(timer);
          end();
        }, 60);
        response.on('close', () => clearInterval(timer));
        return response;
      }) as typeof response.end;
      answer(request, response);
    });
    await using server = await realServer(LOOPBACK_ALLOWED);
    await server.start();
    const grant = await server.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const token = grant.access_token!;
    const { task } = await server.call(
      driveApi.create,
      { body: { kind: 'drive#file', upload_type: 'UPLOAD_TYPE_URL', url: { url: origin.at('/film.bin') } } },
      token,
    );
    const look = (): Promise<Task> => server.call(taskApi.get, { params: { id: task!.id } }, token);
    let kills = 0;
    for (const waitMs of [700, 900, 1100, 1300, 1500, 400]) {
      await sleep(waitMs);
      if ((await look()).phase === 'PHASE_TYPE_COMPLETE') break;
      await server.kill();
      kills += 1;
      await server.start();
    }
    expect(kills).toBeGreaterThan(1);
    let last = await look();
    for (let tries = 0; tries < 600 && last.phase !== 'PHASE_TYPE_COMPLETE'; tries++) {
      expect(last.phase, last.message).not.toBe('PHASE_TYPE_ERROR');
      await sleep(100);
      last = await look();
    }
    expect(last).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', file_size: String(content.length) });
    await server.kill();

    await using app = {
      ...(await openApp(readConfig(server.environment), { log: createLog('silent') })),
      async [Symbol.asyncDispose]() {
        await this.close();
      },
    };
    const node = await app.nodes.find(app.database, grant.sub, last.file_id);
    const blob = await app.blobs.byHash(app.database, node!.blob!, content.length);
    const { stream } = await app.storage.open(blob!.store_key);
    expect(Buffer.concat(await Array.fromAsync(stream)).equals(content)).toBe(true);
    expect(await app.quota.of(app.database, grant.sub)).toMatchObject({ used: content.length, reserved: 0 });
    expect(await app.drive.check({ repair: false })).toEqual([]);
  },
);

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A database and a storage for servers that share them. */
async function cluster(): Promise<{ environment: Record<string, string> } & AsyncDisposable> {
  const postgres = await freshPostgres();
  const bucket = new URL(process.env['TEST_S3_URL']!);
  bucket.pathname += `/offline-${randomBytes(6).toString('hex')}`;
  return {
    environment: {
      DATABASE_URL: postgres.url,
      STORAGE_URL: bucket.href,
      SECRET: 'a secret that every server of the cluster knows',
    },
    async [Symbol.asyncDispose]() {
      await postgres.drop();
      const storage = await openBlobStore(bucket.href);
      for await (const { key } of storage.list('')) await storage.remove(key);
      for await (const { uploadId } of storage.staged()) await storage.discard(uploadId);
      await storage.close();
    },
  };
}

test.for(['after a restart', 'by another server of a cluster'] as const)(
  'a download interrupted by a kill is resumed %s where it stopped, and its progress does not restart',
  { timeout: 180_000 },
  async (how) => {
    await using shared = how === 'after a restart' ? undefined : await cluster();
    const environment = { ...LOOPBACK_ALLOWED, ...shared?.environment };
    await using first = await realServer(environment);
    await using second = await realServer(environment);
    const heir = shared ? second : first;

    const content = randomBytes(9 * MIB + 11);
    const given = 4 * MIB;
    await using origin = await openOrigin();
    const answer = bytes(content);
    let isHeld = true;
    // The site sends a part of the file, and then nothing while the first server is running.
    origin.put('/film.bin', (request, response) => {
      const end = response.end.bind(response);
      response.end = ((body: Buffer) =>
        isHeld ? void response.write(body.subarray(0, given)) : end(body)) as typeof response.end;
      answer(request, response);
    });

    await first.start();
    const { access_token: token } = await first.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const { task } = await first.call(
      driveApi.create,
      { body: { kind: 'drive#file', upload_type: 'UPLOAD_TYPE_URL', url: { url: origin.at('/film.bin') } } },
      token,
    );
    const look = (server: typeof first): Promise<Task> =>
      server.call(taskApi.get, { params: { id: task!.id } }, token);
    const progressed = async (server: typeof first): Promise<number> => (await look(server)).progress;
    await expect.poll(() => progressed(first), { timeout: 30_000 }).toBeGreaterThan(30);
    const storage = await openBlobStore(
      shared?.environment['STORAGE_URL'] ?? `${first.environment['DATA_DIR']}/files`,
    );
    const staged = async (): Promise<number> => {
      const [area] = await Array.fromAsync(storage.staged());
      const parts = area ? await (await storage.stage(area.uploadId)).parts() : [];
      return parts.reduce((sum, { size }) => sum + size, 0);
    };
    // All received bytes are durable a moment later, although no more arrive.
    await expect.poll(staged, { timeout: 30_000 }).toBeGreaterThan(given - MIB / 4);
    const durable = await staged();
    await first.kill();
    isHeld = false;
    const asked = origin.asked.length;

    await heir.start();
    const seen: number[] = [];
    await expect
      .poll(
        async () => {
          const { phase, progress } = await look(heir);
          seen.push(progress);
          return phase;
        },
        { timeout: 90_000, interval: 50 },
      )
      .toBe('PHASE_TYPE_COMPLETE');
    expect(Math.min(...seen)).toBeGreaterThan(30);
    expect(origin.asked.slice(asked)).toEqual([`GET /film.bin bytes=${durable}-${content.length - 1}`]);
    const { file_id: id } = await look(heir);
    const file = await heir.call(driveApi.get, { params: { id }, query: {} }, token);
    const { pathname, search } = new URL(file.web_content_link);
    const delivered = await (await fetch(heir.origin + pathname + search)).arrayBuffer();
    expect(sha256(new Uint8Array(delivered))).toBe(sha256(content));
    await storage.close();
  },
);
