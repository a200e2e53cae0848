import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, driveApi, taskApi, type Task } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { bytes, LOOPBACK_ALLOWED, openOrigin, PASSWORD, realServer } from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const MIB = 1024 * 1024;

test(
  'a server that is killed again and again while it fetches and while it stores goes on, and the file is whole',
  { timeout: 180_000 },
  async () => {
    const content = randomBytes(96 * MIB);
    await using origin = await openOrigin();
    const answer = bytes(content);
    // Sites of strangers are slower than loopback: four pieces a connection, a moment apart.
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
