import { randomBytes } from 'node:crypto';
import { taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  bytes,
  contentOf,
  fetchLink,
  LOOPBACK_ALLOWED,
  openOrigin,
  openTestApp,
  ownPostgres,
  sqliteLock,
  taskUntil,
  turnableClock,
  type Origin,
  type TestApp,
} from '../../testing/index.ts';

const CONTENT = randomBytes(300_000);

/** A file whose last bytes are sent on demand. */
function holdingBack(origin: Origin): () => void {
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => (letGo = resolve));
  origin.put('/song.bin', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': CONTENT.length,
      etag: '"one"',
    });
    response.write(CONTENT.subarray(0, 200_000));
    void released.then(() => response.end(CONTENT.subarray(200_000)));
  });
  return letGo;
}

const waits = (app: TestApp): boolean =>
  app.logged.some((line) => line.includes('database is unavailable, retrying'));

/** Starts a download, stops the database, lets the download finish, and starts the database again. */
async function throughOutage(app: TestApp, away: () => unknown, back: () => unknown): Promise<void> {
  await using origin = await openOrigin();
  const letGo = holdingBack(origin);
  const ann = await app.signUp('ann');
  app.start();
  const task = await fetchLink(ann, origin.at('/song.bin'));
  await taskUntil(ann, task.id, 'PHASE_TYPE_RUNNING');
  await expect
    .poll(() => origin.asked.filter((line) => line.startsWith('GET')).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  await away();
  letGo();
  await expect.poll(() => waits(app), { timeout: 20_000 }).toBe(true);
  await back();
  const done = await taskUntil(ann, task.id, 'PHASE_TYPE_COMPLETE', 60);
  expect((await contentOf(app, ann, done.file_id)).equals(CONTENT)).toBe(true);
  expect(origin.asked.filter((line) => line.startsWith('GET')).length).toBeLessThanOrEqual(2);
}

test(
  'a download that finishes while PostgreSQL is down completes once it is back',
  { timeout: 120_000 },
  async () => {
    await using postgres = await ownPostgres();
    await using app = await openTestApp({
      environment: { DATABASE_URL: postgres.url, ...LOOPBACK_ALLOWED },
    });
    await throughOutage(
      app,
      () => postgres.crash(),
      () => postgres.start(),
    );
  },
);

test(
  'a download that finishes while another process has SQLite locked completes once it is unlocked',
  { timeout: 120_000 },
  async () => {
    await using app = await openTestApp({ environment: LOOPBACK_ALLOWED });
    using lock = sqliteLock(app.config);
    await throughOutage(app, lock.take, lock.release);
  },
);

test('a download waits while the disk is full, and does not fail', { timeout: 120_000 }, async () => {
  await using origin = await openOrigin();
  const clock = turnableClock(Date.now());
  await using app = await openTestApp({
    clock,
    environment: { ...LOOPBACK_ALLOWED, DISK_RESERVE: '900 TB' },
  });
  const ann = await app.signUp('ann');
  origin.put('/song.bin', bytes(CONTENT));
  app.start();
  const { id } = await fetchLink(ann, origin.at('/song.bin'));
  const source = app.database.on<{ source: { not_before: number; state: string } }>();
  let triedAgainAt = 0;
  for (let tries = 0; tries < 6; tries += 1) {
    const next = async (): Promise<number | undefined> => {
      const row = await source.selectFrom('source').select(['state', 'not_before']).executeTakeFirst();
      return row?.state === 'queued' && row.not_before > triedAgainAt
        ? row.not_before - clock.now()
        : undefined;
    };
    await expect.poll(next, { timeout: 20_000 }).toBe(10_000);
    triedAgainAt = clock.now() + 10_000;
    clock.advance(10_001);
  }
  expect(await ann.call(taskApi.get, { params: { id } })).toMatchObject({
    phase: 'PHASE_TYPE_RUNNING',
    params: { step: 'waiting', retry_error: 'disk_full' },
  });
});
