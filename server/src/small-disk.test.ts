import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { accountApi, driveApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  askTicket,
  basic,
  drivenByAnn,
  expectWhole,
  objectClient,
  openTestApp,
  PASSWORD,
  type TestApp,
} from '../testing/index.ts';
import { png } from './seed/png.ts';

const run = promisify(execFile);
const MIB = 2 ** 20;

/** Separate disk of a given size for the files. */
async function smallDisk(
  bytes: number,
): Promise<{ at: string; readOnly(): Promise<void> } & AsyncDisposable> {
  const at = await mkdtemp(join(tmpdir(), 'bowerbird-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', at]);
  return {
    at,
    readOnly: async () => void (await run('mount', ['-o', 'remount,ro', at])),
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', at]);
      await rm(at, { recursive: true, force: true });
    },
  };
}

/**
 * Mounting requires root, and is not possible in every container; `storage-away.test.ts` works without it.
 */
const mayMount = await smallDisk(MIB).then(
  async (disk) => {
    await disk[Symbol.asyncDispose]();
    return true;
  },
  () => false,
);

/** Sends a body of unknown length over a real connection, and reads the response. */
async function sendChunked(
  app: TestApp,
  path: string,
  pieces: number,
): Promise<{ status: number | undefined; retryAfter: string | undefined }> {
  const { port } = app.http.server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/dav${path}`,
    headers: { authorization: basic('ann@example.org', PASSWORD), 'transfer-encoding': 'chunked' },
  });
  const answered = new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve));
  // The response may arrive while the rest of the body is still being sent, which nobody reads.
  sent.on('error', () => {});
  const body = Readable.from(Array.from({ length: pieces }, () => randomBytes(MIB)));
  body.pipe(sent);
  const reply = await answered;
  body.unpipe(sent);
  reply.resume();
  sent.destroy();
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] };
}

const photo = png({ width: 40, height: 40, at: (x) => [x, 0.4, 0.8] });

describe.runIf(mayMount)('files on a separate disk', () => {
  test.for([
    ['that is completely full', '0 B'],
    ['that is full except for its reserve', '8 MB'],
  ] as const)(
    'an upload to a disk %s returns 507, the old file stays intact, and smaller files still fit',
    { timeout: 180_000 },
    async ([, reserve]) => {
      await using disk = await smallDisk(32 * MIB);
      await using app = await openTestApp({
        environment: { STORAGE_URL: `file://${disk.at}`, DISK_RESERVE: reserve, CAPTCHA: 'off' },
      });
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      const { dav, member } = await drivenByAnn(app);
      const old = randomBytes(6 * MIB);
      expect((await dav.put('/film.bin', old)).status).toBe(201);

      const over = await sendChunked(app, '/film.bin', 40);
      expect(over).toEqual({ status: 507, retryAfter: expect.any(String) });
      const fresh = await sendChunked(app, '/new.bin', 40);
      expect(fresh.status).toBe(507);
      const { resumable } = await askTicket(member, { name: 'small.bin', size: 3 });
      expect((await objectClient(app, resumable!.params).put('abc')).status).toBe(200);

      const { files } = await member.call(driveApi.list, { query: {} });
      expect(Object.fromEntries(files.map(({ name, size }) => [name, size]))).toEqual({
        'film.bin': String(old.length),
        'small.bin': '3',
      });
      const { id } = files.find(({ name }) => name === 'film.bin')!;
      const film = await member.call(driveApi.get, { params: { id }, query: {} });
      const { pathname, search } = new URL(film.web_content_link);
      const { rawPayload } = await app.http.inject({ url: pathname + search });
      expect(rawPayload.equals(old)).toBe(true);
      await expectWhole(app);
    },
  );

  test('thumbnails and profile pictures respect the disk reserve', { timeout: 180_000 }, async () => {
    await using disk = await smallDisk(16 * MIB);
    await using app = await openTestApp({
      environment: { STORAGE_URL: `file://${disk.at}`, DISK_RESERVE: '8 MB' },
    });
    const { dav, member } = await drivenByAnn(app);
    expect((await dav.put('/photo.png', photo)).status).toBe(201);
    const { files } = await member.call(driveApi.list, { query: {} });
    const { pathname, search } = new URL(files[0]!.thumbnail_link);
    const thumbnail = () => app.http.inject({ url: pathname + search });
    const picture = () => member.call(accountApi.setPicture, { body: { picture: photo.toString('base64') } });

    const free = (await app.storage.freeSpace())!;
    const filler = randomBytes(free - 8 * MIB - 300_000);
    expect((await dav.put('/filler.bin', filler)).status).toBe(201);
    expect((await thumbnail()).statusCode).toBe(503);
    await expect(picture()).rejects.toMatchObject({ id: 'disk_full' });
    expect(await app.storage.freeSpace()).toBeGreaterThanOrEqual(8 * MIB);

    expect((await dav.send('DELETE', '/filler.bin')).status).toBe(204);
    await member.call(driveApi.emptyTrash, {});
    await app.jobs.drain();
    await app.drive.collector.collect(new AbortController().signal, 0);
    expect((await thumbnail()).statusCode).toBe(200);
    await picture();
  });

  test('a disk that turns read-only serves reads and rejects writes', { timeout: 180_000 }, async () => {
    await using disk = await smallDisk(32 * MIB);
    await using app = await openTestApp({
      environment: { STORAGE_URL: `file://${disk.at}`, DISK_RESERVE: '0 B', CAPTCHA: 'off' },
    });
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { dav, member } = await drivenByAnn(app);
    expect((await dav.put('/old.bin', 'as it was')).status).toBe(201);
    const [{ resumable: whole }, { resumable: parts }] = [
      await askTicket(member, { name: 'whole', size: 4 }),
      await askTicket(member, { name: 'parts', size: 6 * MIB }),
    ];
    await disk.readOnly();

    for (const [what, reply] of Object.entries({
      over: await sendChunked(app, '/old.bin', 1),
      fresh: await sendChunked(app, '/new.bin', 1),
    }))
      expect([what, reply]).toEqual([what, { status: 503, retryAfter: expect.any(String) }]);
    for (const reply of [
      await dav.put('/sized.bin', 'sized'),
      await dav.put('/old.bin', 'sized'),
      await objectClient(app, whole!.params).put('body'),
      await objectClient(app, parts!.params).send('PUT', `partNumber=1&uploadId=${parts!.params.key}`, {
        body: 'part',
      }),
    ])
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect((await dav.get('/old.bin')).text).toBe('as it was');
    expect((await dav.get('/old.bin', { range: 'bytes=0-1' })).status).toBe(206);
    expect((await dav.find('/', '1')).status).toBe(207);
    expect((await app.http.inject({ url: '/readyz' })).statusCode).toBe(503);
    const { files } = await member.call(driveApi.list, { query: {} });
    expect(files.map(({ name }) => name)).toEqual(['old.bin']);
  });
});
