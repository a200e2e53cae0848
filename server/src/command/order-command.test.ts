import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PASSWORD, stripeObjects, stripeServer } from '../../testing/index.ts';
import { readConfig } from '../foundation/index.ts';
import { withApp } from './command.ts';
import { orderCommand } from './order-command.ts';

const terms = [{ id: 'month', months: 1, price: { USD: 499 } }];
const bank = { recipient: 'Example Ltd', account: 'DE02' };
const DAY = String.raw`20\d\d-\d\d-\d\d`;

/** Installation that sells a plan; its commands run in this process, and each returns its lines. */
async function installation(environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-order-'));
  const documents = join(folder, 'site.json');
  const write = (document: object) => writeFile(documents, JSON.stringify({ external_products: document }));
  await write({
    plans: [{ id: 'team', name: 'Team' }],
    products: [{ id: 'team', kind: 'plan', plan: 'team', terms }],
    bank_transfer: bank,
  });
  const config = readConfig({
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    SITE_DOCUMENTS: documents,
    ...environment,
  });
  return {
    config,
    write,
    async order(...args: string[]): Promise<string[]> {
      const lines: string[] = [];
      await orderCommand(config, args, (line) => lines.push(line));
      return lines;
    },
    /** Returns the reference of an order by a new member. */
    async place(name: string): Promise<string> {
      let reference = '';
      await withApp(config, async (app) => {
        const account = { email: `${name}@example.org`, password: PASSWORD };
        const { id } = await app.accounts.add(account, 'member');
        const wish = { product: 'team', term: 'month', currency: 'USD' };
        ({ reference } = await app.orders.create(id, wish));
      });
      return reference;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test('orders are listed, confirmed, canceled and refunded by their reference, however it is written', async () => {
  await using place = await installation();
  expect(await place.order('list')).toEqual(['No open orders.']);
  const first = await place.place('ann');
  const second = await place.place('bob');
  expect(await place.order('list')).toEqual([
    expect.stringMatching(new RegExp(`^${first}  ${DAY}  open  \\$4.99  Team, 1 month  ann@example.org$`)),
    expect.stringMatching(new RegExp(`^${second}  ${DAY}  open  `)),
  ]);
  expect(await place.order('confirm', first.slice(0, 4).toLowerCase(), first.slice(4))).toEqual([
    `The order ${first} is paid: $4.99 by ann@example.org for Team, 1 month.`,
  ]);
  await expect(place.order('confirm', first)).rejects.toThrow(
    `Nothing was changed: the order ${first} is paid.`,
  );
  await expect(place.order('cancel', first)).rejects.toThrow('is paid.');
  await expect(place.order('refund', second)).rejects.toThrow('is not paid.');
  expect(await place.order('cancel', second)).toEqual([`The order ${second} is canceled.`]);
  expect(await place.order('refund', first)).toEqual([
    `The order ${first} is refunded, and Team, 1 month has ended for ann@example.org.`,
    'Return the money yourself: $4.99.',
  ]);
  expect(await place.order('list')).toEqual(['No open orders.']);
  expect((await place.order('list', '--all')).map((line) => line.split('  ')[2])).toEqual([
    'refunded',
    'canceled',
  ]);
});

test('refunding an order that was paid with Stripe returns the money there, and confirming one closes its payment page', async () => {
  await using stripe = await stripeServer();
  await using place = await installation(stripe.environment);
  const [first, second] = [await place.place('ann'), await place.place('bob')];
  await withApp(place.config, async ({ orders, payments }) => {
    const asked = { locale: 'en-US', origin: 'http://drive.test', prefix: undefined } as const;
    for (const reference of [first, second])
      await payments.begin((await orders.byReference(reference))!, asked);
    const event = stripe.event('checkout.session.completed', stripeObjects.session(stripe.sessions[0]!));
    await payments.take(Buffer.from(event.body), event.headers['stripe-signature']);
  });
  await place.order('confirm', second);
  expect(stripe.sessions[1]!.status).toBe('expired');
  expect((await place.order('refund', second)).at(-1)).toBe('Return the money yourself: $4.99.');
  expect(stripe.refunds).toEqual([]);

  stripe.break(true);
  await expect(place.order('refund', first)).rejects.toThrow('Nothing was changed: Stripe didn’t return');
  expect((await place.order('list', '--all'))[0]).toContain('  paid  ');
  stripe.break(false);
  expect((await place.order('refund', first)).at(-1)).toBe('Stripe returns the money: $4.99.');
  expect(stripe.refunds).toEqual([`pi_${stripe.sessions[0]!.id}`]);
  await expect(place.order('refund', first)).rejects.toThrow('is refunded.');
  expect(stripe.refunds).toHaveLength(1);
});

test('renewals are listed, and a refund of the latest term asks Stripe first and ends them', async () => {
  await using stripe = await stripeServer();
  await using place = await installation(stripe.environment);
  const products = [{ id: 'team', kind: 'plan', plan: 'team', terms: [{ ...terms[0]!, renews: true }] }];
  await place.write({ plans: [{ id: 'team', name: 'Team' }], products });
  expect(await place.order('renewals')).toEqual(['No renewals.']);
  let reference = '';
  await withApp(place.config, async ({ accounts, orders, payments, renewals }) => {
    const { id } = await accounts.add({ email: 'ann@example.org', password: PASSWORD }, 'member');
    const order = await orders.create(id, { product: 'team', term: 'month', currency: 'USD', renews: true });
    ({ reference } = order);
    await payments.begin(order, { locale: 'en-US', origin: 'http://drive.test', prefix: undefined });
    stripe.complete(stripe.sessions[0]!);
    await renewals.refresh(stripe.sessions[0]!.subscription!);
  });
  expect(await place.order('renewals')).toEqual([
    expect.stringMatching(
      new RegExp(String.raw`^${DAY}  active  \$4\.99  Team, 1 month  next ${DAY}  ann@example\.org$`),
    ),
  ]);
  expect((await place.order('refund', reference)).at(-1)).toBe('Stripe returns the money: $4.99.');
  expect(stripe.refunds).toEqual([stripe.billing.all[0]!.invoices[0]!.payment]);
  expect(await place.order('renewals')).toEqual(['No renewals.']);
  expect((await place.order('renewals', '--all'))[0]).toContain('  ended  ');
});

test('an order of a plan that doesn’t exist any more isn’t confirmed', async () => {
  await using place = await installation();
  const reference = await place.place('ann');
  await place.write({ products: [{ id: 'vip', kind: 'plan', plan: 'vip', terms }], bank_transfer: bank });
  await expect(place.order('confirm', reference)).rejects.toThrow(
    'The plan team isn’t in external_products any more',
  );
  expect(await place.order('list')).toHaveLength(1);
});

test.each([
  [['confirm'], 'Which order?'],
  [['refund', 'ABCD2345'], 'There’s no order ABCD2345.'],
  [['pay'], 'Usage: order list|renewals|confirm|cancel|refund|invoices'],
])('%j is refused with an explanation', async (args, explanation) => {
  await using place = await installation();
  await expect(place.order(...args)).rejects.toThrow(explanation);
});

test('invoices and credit notes are listed, and written as files that are not there yet', async () => {
  await using place = await installation();
  await place.write({
    plans: [{ id: 'team', name: 'Team' }],
    products: [{ id: 'team', kind: 'plan', plan: 'team', terms }],
    bank_transfer: bank,
    invoices: { seller: { name: 'Example Ltd', address: ['Berlin'] }, prefix: 'R/' },
  });
  expect(await place.order('invoices')).toEqual(['No invoices.']);
  const [first, second] = [await place.place('ann'), await place.place('bob')];
  await place.order('confirm', first);
  await place.order('confirm', second);
  const out = join(place.config.DATA_DIR, 'invoices');
  // A file gets its name when it is complete: later runs would keep a part of it.
  const part = join(out, 'R-000001.pdf.part');
  await mkdir(part, { recursive: true });
  await expect(place.order('invoices', '--out', out)).rejects.toThrow(part);
  expect(await readdir(out)).toEqual(['R-000001.pdf.part']);
  await rm(part, { recursive: true });
  expect(await place.order('invoices', '--out', out)).toEqual([
    `2 of 2 written to ${out}; the others were there.`,
  ]);
  await place.order('refund', first);
  expect(await place.order('invoices')).toEqual([
    expect.stringMatching(RegExp(`^R/000001  ${DAY}  invoice  \\$4[.]99  ${first}  ann@example.org$`)),
    expect.stringMatching(RegExp(`^R/000002  ${DAY}  invoice  \\$4[.]99  ${second}  bob@example.org$`)),
    expect.stringMatching(RegExp(`^R/000003  ${DAY}  credit note  \\$4[.]99  ${first}  ann@example.org$`)),
  ]);
  expect(await place.order('invoices', '--out', out, '--language', 'ja')).toEqual([
    `1 of 3 written to ${out}; the others were there.`,
  ]);
  expect(await place.order('invoices', second.toLowerCase())).toHaveLength(1);
  expect((await readdir(out)).toSorted()).toEqual(['R-000001.pdf', 'R-000002.pdf', 'R-000003.pdf']);
  expect((await readFile(join(out, 'R-000003.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  await expect(place.order('invoices', '--language', 'xx')).rejects.toThrow('The language must be one of');
});
