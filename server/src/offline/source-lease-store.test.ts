import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  bytes,
  contentOf,
  eachDatabase,
  fetchLink,
  LOOPBACK_ALLOWED,
  openOrigin,
  openTestApp,
  taskUntil,
  turnableClock,
  type TestApp,
} from '../../testing/index.ts';
import type { Clock } from '../foundation/index.ts';
import { createSourceLeaseStore } from './source-lease-store.ts';

const HOUR_MS = 3600 * 1000;

const sources = async ({ database }: TestApp) =>
  (
    await sql<{ lease_owner: string | null; lease_until: number | null }>`
      select lease_owner, lease_until from source`.execute(database.on())
  ).rows;

const change = ({ database }: TestApp, columns: Record<string, string | number>) =>
  database.transaction((tx) =>
    sql`update source set ${sql.join(
      Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    )}`.execute(tx.on()),
  );

/** Another process on the app's database, on a machine whose clock is wrong. */
function machine({ database }: TestApp, owner: string, offsetMs: number) {
  const clock: Clock = { now: () => Date.now() + offsetMs };
  const store = createSourceLeaseStore({ clock });
  return {
    isDue: () => store.isDue(database, clock.now()),
    running: () => store.running(database),
    renew: (ids: readonly string[]) => database.transaction((tx) => store.renew(tx, owner, ids)),
    take: () => database.transaction((tx) => store.take(tx, { owner, now: clock.now(), saturated: [] })),
  };
}

test.each([
  ['a minute ahead', 0, 60_000],
  ['right, if the holder’s is a minute behind', -60_000, 0],
])(
  'on PostgreSQL no download is taken from a live process by a machine whose clock is %s',
  async (_which, behind, ahead) => {
    await using app = await openTestApp({ dialect: 'postgres', environment: LOOPBACK_ALLOWED });
    const ann = await app.signUp('ann');
    await fetchLink(ann, 'http://127.0.0.1:9/never.bin');
    const holder = machine(app, 'holder', behind);
    const other = machine(app, 'other', ahead);
    const { id } = (await holder.take())!;
    const expectHeld = async (): Promise<void> => {
      expect(await other.isDue()).toBe(false);
      expect(await other.take()).toBeUndefined();
      expect([...(await other.running()).values()]).toEqual([1]);
    };
    await expectHeld();
    expect(await holder.renew([id])).toEqual([id]);
    await expectHeld();

    // An expired lease belongs to whoever takes it next.
    await change(app, { lease_until: Date.now() - 1000 });
    expect(await other.isDue()).toBe(true);
    expect((await other.take())?.id).toBe(id);
    expect(await holder.renew([id])).toEqual([]);
  },
);

eachDatabase((dialect) => {
  /** App with one queued download, whose source row was written with the given columns by a wrong clock. */
  async function withLeft(columns: (now: number) => Record<string, string | number>) {
    const clock = turnableClock(Date.now());
    const app = await openTestApp({ dialect, clock, environment: LOOPBACK_ALLOWED });
    const origin = await openOrigin();
    const content = randomBytes(1000);
    origin.put('/feather.bin', bytes(content));
    const ann = await app.signUp('ann');
    const { id } = await fetchLink(ann, origin.at('/feather.bin'));
    await change(app, columns(clock.now()));
    app.start();
    const scheduled = async (): Promise<number> =>
      (await sql`select id from job where kind = 'mend-offline'`.execute(app.database.on())).rows.length;
    await expect.poll(scheduled, { timeout: 10_000 }).toBe(1);
    clock.advance(60_000);
    return {
      app,
      ann,
      id,
      content,
      async [Symbol.asyncDispose]() {
        await app.close();
        await origin[Symbol.asyncDispose]();
      },
    };
  }

  test('a download whose retry a wrong clock set for the next day is retried within a minute', async () => {
    await using left = await withLeft((now) => ({ not_before: now + 25 * HOUR_MS }));
    const { app, ann, id, content } = left;
    const done = await taskUntil(ann, id, 'PHASE_TYPE_COMPLETE');
    expect((await contentOf(app, ann, done.file_id)).equals(content)).toBe(true);
  });

  test('a lease of a download that a wrong clock made too long expires after half a minute like any other', async () => {
    await using left = await withLeft((now) => ({
      state: 'fetching',
      lease_owner: 'elsewhere 1 x',
      lease_until: now + 25 * HOUR_MS,
    }));
    await expect
      .poll(async () => (await sources(left.app))[0]!.lease_until! - Date.now(), { timeout: 10_000 })
      .toBeLessThan(2 * 60_000);
    expect((await sources(left.app))[0]!.lease_owner).toBe('elsewhere 1 x');
  });
});
