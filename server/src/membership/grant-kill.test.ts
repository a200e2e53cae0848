import { accountApi, activityApi, checkInApi, codeApi } from '@bowerbird/contract';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres, PASSWORD, realServer } from '../../testing/index.ts';
import { openApp, type App } from '../app.ts';
import { readConfig } from '../foundation/index.ts';

const DAY = 24 * 3600 * 1000;
const MEMBERS = 5;
const USES = 3;

/** An activity that runs today, with what it gives. */
const running = (name: string, gives: object) => ({
  name,
  begins: new Date(Date.now() - DAY).toISOString(),
  ends: new Date(Date.now() + DAY).toISOString(),
  title: 'T',
  lead: 'L',
  text: 'M',
  ...gives,
});
const OUTAGE = {
  affected: 'everyone',
  gifts: [
    { plan: 'vip', days: 3 },
    { storage: '1 GB', days: 3 },
  ],
};
const DOCUMENTS = {
  activity_operation: {
    activities: [
      running('compensation', { compensation: OUTAGE }),
      running('christmas', { gifts: [{ plan: 'vip', days: 1 }] }),
    ],
  },
  external_products: {
    check_in: { rewards: [{ streak: 1, days: 1 }] },
    tasks: { upload_file: 5 },
  },
};

eachDatabase((dialect) => {
  test(
    'while the server is killed and members try again, nothing is granted twice, and no use of a code is lost',
    { timeout: 300_000 },
    async () => {
      const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
      const folder = await mkdtemp(join(tmpdir(), 'bowerbird-grants-'));
      try {
        const documents = join(folder, 'site.json');
        await writeFile(documents, JSON.stringify(DOCUMENTS));
        await using server = await realServer({
          SITE_DOCUMENTS: documents,
          ...(postgres ? { DATABASE_URL: postgres.url } : {}),
        });
        /** Runs work on the installation while no server runs. */
        const within = async <R>(work: (app: App) => Promise<R>): Promise<R> => {
          const app = await openApp(readConfig(server.environment));
          try {
            return await work(app);
          } finally {
            await app.close();
          }
        };
        const code = await within(async (app) => {
          const batch = await app.batches.create({
            kind: 'plan',
            plan: 'vip',
            bytes: 0,
            length: 30 * DAY,
            count: 1,
            uses: USES,
            audience: 'everyone',
            note: '',
            startsAt: undefined,
            endsAt: undefined,
          });
          const { value } = (await app.batches.codes(batch).next()) as { value: { text: string } };
          return value.text;
        });
        await server.start();
        const grants = await Promise.all(
          Array.from({ length: MEMBERS }, (_, n) =>
            server.call(accountApi.signUp, {
              body: { email: `member${n}@example.org`, password: PASSWORD, name: `Member ${n}` },
            }),
          ),
        );

        await server.kill();
        // Everybody has uploaded a file.
        await within((app) =>
          app.database.transaction(async (tx) => {
            for (const { sub } of grants)
              await app.quota.charge(tx, sub, 1, { reason: 'upload', reference: 'egg.txt' });
          }),
        );

        // All members ask at the same time, with their keys; the server dies with the first grant, and with the next.
        const ask = () =>
          Promise.allSettled(
            grants.flatMap(({ access_token: token }, n) =>
              [0, 1, 2].map(() =>
                server.call(codeApi.redeem, { body: { activation_code: code } }, token!, `key ${n}`),
              ),
            ),
          );
        const claim = () =>
          Promise.allSettled(
            grants.flatMap(({ access_token: token }) =>
              [0, 1, 2].flatMap(() => [
                server.call(checkInApi.reward, { body: { type: 'sign_in' } }, token!),
                server.call(checkInApi.reward, { body: { type: 'upload_file' } }, token!),
                server.call(activityApi.compensate, { body: {} }, token!),
                server.call(activityApi.openGift, { body: {} }, token!),
              ]),
            ),
          );
        for (const round of [ask, claim, () => Promise.all([ask(), claim()]).then((all) => all.flat())]) {
          await server.start({ killedAfter: 'insert into benefit' });
          const results = await round();
          expect(results.some(({ status }) => status === 'rejected')).toBe(true);
          await server.kill();
        }
        await server.start();
        for (const result of await claim()) expect(result.status).toBe('fulfilled');
        expect(
          (await claim()).every(
            (one) => one.status === 'fulfilled' && !(one.value as { updated: boolean }).updated,
          ),
        ).toBe(true);
        const last = await ask();
        const accepted = last.map((result) => result.status === 'fulfilled');
        const winners = Array.from({ length: MEMBERS }, (_, n) => accepted.slice(n * 3, n * 3 + 3));
        // A retry with the key gets the first reply again, and so does every parallel one.
        expect(winners.filter((one) => one.every(Boolean))).toHaveLength(USES);
        expect(winners.filter((one) => one.some(Boolean))).toHaveLength(USES);

        await server.kill();
        await within(async (app) => {
          const lists = await Promise.all(grants.map(({ sub }) => app.benefits.list(app.database, sub)));
          const granted = (cause: string) =>
            lists.map((list) => list.filter((one) => one.cause === cause).length).toSorted((a, b) => a - b);
          expect(granted('code')).toEqual([0, 0, 1, 1, 1]);
          expect(granted('check_in')).toEqual([1, 1, 1, 1, 1]);
          expect(granted('task')).toEqual([1, 1, 1, 1, 1]);
          expect(granted('compensation')).toEqual([2, 2, 2, 2, 2]);
          expect(granted('activity')).toEqual([1, 1, 1, 1, 1]);
          for (const { sub } of grants)
            expect(await app.domains.membership.checkIns.days(sub)).toHaveLength(1);
          expect((await app.batches.list()).map(({ used }) => used)).toEqual([USES]);
        });
      } finally {
        await postgres?.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
