import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres, PASSWORD } from '../../../testing/index.ts';
import { openApp, type App } from '../../app.ts';
import { readConfig } from '../../foundation/index.ts';

const DYING = join(import.meta.dirname, '../../../testing/programs/dying-server.ts');
const DOCUMENTS = {
  external_products: {
    products: [
      {
        id: 'pack',
        kind: 'storage',
        bytes: '5 GB',
        name: '5 GB',
        terms: [{ id: 'week', days: 7, price: { USD: 99 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
    invoices: { seller: { name: 'Example Ltd', address: ['Berlin'] } },
  },
};

eachDatabase((dialect) => {
  test(
    'a payment or refund whose command is killed after the commit has its whole effect, and repeating it has none',
    { timeout: 120_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'bowerbird-order-'));
      const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
      const documents = join(folder, 'site.json');
      const environment = {
        DATA_DIR: folder,
        SITE_DOCUMENTS: documents,
        LOG_LEVEL: 'error',
        ...(postgres ? { DATABASE_URL: postgres.url } : {}),
      };
      /** Runs work on the installation in this process. */
      const within = async <R>(work: (app: App) => Promise<R>): Promise<R> => {
        const app = await openApp(readConfig(environment));
        try {
          return await work(app);
        } finally {
          await app.close();
        }
      };
      /** Runs a command that kills itself after the commit of an update of an order. */
      const dying = async (...args: string[]): Promise<string | null> => {
        const child = spawn(process.execPath, [DYING, 'update member_order', ...args], {
          env: { PATH: process.env['PATH'], ...environment },
          stdio: 'ignore',
        });
        const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
        return signal;
      };
      const state = (reference: string, id: string) =>
        within(async (app) => ({
          state: (await app.orders.byReference(reference))!.state,
          limit: (await app.quota.of(app.database, id)).limit / 2 ** 30,
          benefits: (await app.benefits.list(app.database, id)).length,
          invoices: (await app.invoices.page(0, 10)).map(({ number }) => number),
        }));
      try {
        await writeFile(documents, JSON.stringify(DOCUMENTS));
        const { id, reference } = await within(async (app) => {
          const account = await app.accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
          const wish = { product: 'pack', term: 'week', currency: 'USD' };
          return { id: account.id, reference: (await app.orders.create(account.id, wish)).reference };
        });
        expect(await dying('order', 'confirm', reference)).toBe('SIGKILL');
        const paid = { state: 'paid', limit: 15, benefits: 1, invoices: [1] };
        expect(await state(reference, id)).toEqual(paid);
        await dying('order', 'confirm', reference);
        expect(await state(reference, id)).toEqual(paid);
        expect(await dying('order', 'refund', reference)).toBe('SIGKILL');
        const refunded = { state: 'refunded', limit: 10, benefits: 1, invoices: [1, 2] };
        expect(await state(reference, id)).toEqual(refunded);
        await dying('order', 'refund', reference);
        expect(await state(reference, id)).toEqual(refunded);
      } finally {
        await postgres?.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
