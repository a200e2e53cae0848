import { archiveApi, membershipApi } from '@bowerbird/contract';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import {
  drivenByAnn,
  eachDatabase,
  fetchLink,
  LOOPBACK_ALLOWED,
  openOrigin,
  openTestApp,
  plant,
  taskComplete,
  taskUntil,
  turnableClock,
  type Answer,
  type Member,
} from '../../testing/index.ts';

const KB = 1024;
const MB = 2 ** 20;
/** Noon of November 27, 2026 in UTC. */
const START = Date.UTC(2026, 10, 27, 12);
const transferOf = async (who: Member) =>
  (await who.call(membershipApi.quantities, { query: { type: 'transfer' } })).transfer;
/** A site that doesn't announce sizes. */
const withoutSize =
  (bytes: number, fill: number): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' });
    response.end(Buffer.alloc(bytes, fill));
  };

eachDatabase((dialect) => {
  test('a cloud download of unknown size ends where the month does, and leaves the rest to others', async () => {
    await using app = await openTestApp({
      dialect,
      environment: { ...LOOPBACK_ALLOWED, MONTHLY_OFFLINE: '256 KB' },
    });
    app.start();
    await using origin = await openOrigin();
    origin.put('/large.bin', withoutSize(300 * KB, 1));
    origin.put('/small.bin', withoutSize(200 * KB, 2));
    origin.put('/next.bin', withoutSize(100 * KB, 3));
    const ann = await app.signUp('ann');
    const { id } = await fetchLink(ann, origin.at('/large.bin'));
    await expect(taskComplete(ann, id)).rejects.toThrow('cloud downloads this month');
    expect((await transferOf(ann)).offline.assets).toBe(0);
    await taskComplete(ann, (await fetchLink(ann, origin.at('/small.bin'))).id);
    expect((await transferOf(ann)).offline.assets).toBe(200 * KB);
    const { id: next } = await fetchLink(ann, origin.at('/next.bin'));
    await expect(taskUntil(ann, next, 'PHASE_TYPE_COMPLETE')).rejects.toThrow('cloud downloads this month');
    expect((await transferOf(ann)).offline.assets).toBe(200 * KB);
  });

  test('WebDAV refuses uploads with 507 and downloads with 403, and a refused upload changes nothing', async () => {
    await using app = await openTestApp({
      dialect,
      clock: turnableClock(START),
      environment: { MONTHLY_UPLOAD: '1 MB', MONTHLY_DOWNLOAD: '1 MB' },
    });
    const { dav, member: ann } = await drivenByAnn(app);
    expect((await dav.put('/film.bin', Buffer.alloc(600 * KB, 1))).status).toBe(201);
    for (const path of ['/film.bin', '/more.bin']) {
      const refused = await dav.put(path, Buffer.alloc(600 * KB, 2));
      expect(refused.status).toBe(507);
      expect(refused.text).toContain('quota-not-exceeded');
      expect(refused.text).toContain('upload traffic is used up');
    }
    expect((await dav.get('/more.bin')).status).toBe(404);
    // Overwriting counts like adding.
    expect((await dav.put('/film.bin', Buffer.alloc(400 * KB, 3))).status).toBe(204);
    const { upload } = await transferOf(ann);
    expect(upload.assets).toBe(1000 * KB);
    expect((await dav.put('/empty.txt', '')).status).toBe(201);

    const got = await dav.get('/film.bin');
    expect([got.status, got.bytes[0]]).toEqual([200, 3]);
    for (let n = 0; n < 2; n++) expect((await dav.get('/film.bin')).status).toBe(200);
    const refused = await dav.get('/film.bin');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('download traffic is used up');
    expect((await dav.send('HEAD', '/film.bin')).status).toBe(200);
    expect((await dav.find('/film.bin', '0')).status).toBe(207);
    expect((await transferOf(ann)).download.assets).toBe(1200 * KB);
  });
});

test('a zip ends soon after the month’s downloads do, and one that its reader leaves counts what was sent', async () => {
  await using app = await openTestApp({ environment: { MONTHLY_DOWNLOAD: '16 MB' } });
  const ann = await app.signUp('ann');
  const content = Buffer.alloc(MB, 7);
  const ids = await plant(app, ann.id, {
    films: Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`${n}.bin`, content])),
  });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const { url } = await ann.call(archiveApi.pack, { body: { ids: [ids['films']!] } });
  const { pathname, search } = new URL(url);
  const address = `http://127.0.0.1:${port}${pathname}${search}`;

  const leaving = new AbortController();
  const left = (await fetch(address, { signal: leaving.signal })).body!.getReader();
  let read = 0;
  while (read < 2 * MB) read += (await left.read()).value!.byteLength;
  leaving.abort();
  await left.closed.catch(() => {});
  const counted = async (): Promise<number> => (await transferOf(ann)).download.assets;
  await expect.poll(counted).toBeGreaterThanOrEqual(2 * MB);
  const first = await counted();
  expect(first).toBeLessThan(16 * MB);

  let got = 0;
  const reading = async (): Promise<void> => {
    for await (const chunk of (await fetch(address)).body!) got += chunk.byteLength;
  };
  // Nobody may take a part for the whole.
  await expect(reading()).rejects.toThrow();
  expect(got).toBeGreaterThan(16 * MB - first);
  expect(got).toBeLessThan(16 * MB - first + 65 * MB);
  await expect.poll(counted).toBeGreaterThanOrEqual(first + got);
  const refused = await fetch(address);
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    400,
    'traffic_download_limit',
  ]);
});
