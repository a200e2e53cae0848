import {
  closingApi,
  LOCALES,
  membershipApi,
  orderApi,
  siteApi,
  type OrderDocumentKind,
} from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  mailServer,
  openTestApp,
  PASSWORD,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { readPdf } from '../../../testing/pdf.ts';
import { openApp } from '../../app.ts';
import { message } from '../../foundation/index.ts';
import { includedTax } from './invoice.ts';
import { readInvoicing } from './invoicing.ts';

const START = Date.UTC(2026, 10, 30, 12);
const CLOSING_MS = 14 * 24 * 3600 * 1000 + 1;
const INVOICES = {
  seller: {
    name: 'Example Cloud GmbH',
    address: ['Torstraße 12', '10119 Berlin', 'Germany'],
    tax_id: 'VAT ID DE123456789',
  },
  prefix: 'BB-',
  tax: { name: { 'en-US': 'VAT', ja: '消費税', ru: 'НДС' }, percent: 19 },
  note: { 'en-US': 'Thank you.', ja: '毎度ありがとうございます。' },
};
const selling = (more: object = { invoices: INVOICES }) => ({
  external_products: {
    products: [
      {
        id: 'pack',
        kind: 'storage',
        bytes: '5 GB',
        name: {
          'en-US': 'More space',
          ja: '追加容量',
          'zh-CN': '扩展容量',
          'zh-TW': '擴充容量',
          ko: '추가 용량',
        },
        terms: [{ id: 'month', months: 1, price: { EUR: 4990, JPY: 8000 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
    ...more,
  },
});

const order = (member: Member, currency = 'EUR') =>
  member.call(orderApi.create, { body: { product: 'pack', term: 'month', currency } });
const get = async (member: Member, id: string) => (await member.call(orderApi.get, { params: { id } })).order;
const settle = async (
  { orders }: Pick<TestApp, 'orders'>,
  verb: 'confirm' | 'refund',
  { reference }: { reference: string },
) => orders[verb]((await orders.byReference(reference))!);
const download = (
  member: Pick<Member, 'inject'>,
  { id }: { id: string },
  kind: OrderDocumentKind | 'other',
  language = 'en-US',
) => member.inject({ method: 'GET', url: `/vip/v1/orders/${id}/documents/${kind}?language=${language}` });
const read = async (...asked: Parameters<typeof download>) => {
  const reply = await download(...asked);
  expect(reply.statusCode).toBe(200);
  return readPdf(reply.rawPayload);
};

test.each([
  [4990, 19, 797],
  [8000, 10, 727],
  [119, 19, 19],
  // Half a cent is rounded up.
  [3, 20, 1],
  [105, 5, 5],
  [1, 19, 0],
  [99, 8.875, 8],
  [10 ** 12, 7.7, 71_494_893_222],
])('the tax that %i contains at %d %% is %i', (amount, percent, tax) => {
  expect(includedTax(amount, percent)).toBe(tax);
});

test.each([
  [{ seller: { name: '', address: ['Berlin'] } }, 'invoices.seller.name must be a text of up to 120'],
  [{ seller: { name: 'A', address: [] } }, 'invoices.seller.address must have 1 to 7 lines'],
  [{ seller: { name: 'A', address: ['B'], vat: '1' } }, 'invoices.seller has an unknown field vat'],
  [{ ...INVOICES, prefix: 'R/\n' }, 'invoices.prefix must consist of'],
  [{ ...INVOICES, tax: { name: 'VAT', percent: 0 } }, 'invoices.tax.percent must be a number between'],
  [{ ...INVOICES, tax: { name: 'VAT', percent: 7.00001 } }, 'invoices.tax.percent must be a number between'],
  [{ ...INVOICES, note: 'x'.repeat(501) }, 'invoices.note must have up to 500 characters'],
])('a mistake in the document is explained: %j', (invoices, explanation) => {
  expect(() => readInvoicing({ invoices })).toThrow(explanation);
});

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({ dialect, documents: selling(), clock: turnableClock(START), ...more });

  test('a paid order has an invoice and a refunded one a credit note, which only its owner gets', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const placed = await order(ann);
    expect(placed.documents).toEqual([]);
    expect((await download(ann, placed, 'invoice')).statusCode).toBe(404);

    await settle(app, 'confirm', placed);
    const invoice = { kind: 'invoice', number: 'BB-000001' };
    expect((await get(ann, placed.id)).documents).toEqual([invoice]);
    expect((await ann.call(orderApi.list, {})).orders[0]!.documents).toEqual([invoice]);
    for (const kind of ['credit_note', 'receipt', 'other'] as const)
      expect((await download(ann, placed, kind)).statusCode).toBe(404);
    expect((await download(bob, placed, 'invoice')).statusCode).toBe(404);
    expect((await download(app.visitor, placed, 'invoice')).statusCode).toBe(401);

    const reply = await download(ann, placed, 'invoice');
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining('Invoice BB-000001.pdf') as string,
      'cache-control': 'private, no-store',
    });
    const { text, ...file } = await readPdf(reply.rawPayload);
    expect(file).toMatchObject({ title: 'Invoice BB-000001', language: 'en-US', pages: 1 });
    expect(file.roles.slice(0, 3)).toEqual(['Document', 'P', 'H1']);
    for (const part of [
      'Example Cloud GmbH\nTorstraße 12\n10119 Berlin\nGermany\nVAT ID DE123456789',
      'Billed to\nann',
      'ann@example.org',
      'November 30, 2026',
      placed.reference.replace(/^.{4}/, '$& '),
      'More space\n1 month',
      'Net amount €41.93',
      'VAT 19%, included €7.97',
      'Total €49.90',
      'Paid by bank transfer on November 30, 2026.',
      'Thank you.',
    ])
      expect(text).toContain(part);

    await settle(app, 'refund', placed);
    const both = [invoice, { kind: 'credit_note', number: 'BB-000002' }];
    expect((await get(ann, placed.id)).documents).toEqual(both);
    const credit = await read(ann, placed, 'credit_note', 'ja');
    expect(credit).toMatchObject({ title: '返金明細書 BB-000002', language: 'ja' });
    for (const part of [
      '追加容量',
      'BB-000001',
      '2026年11月30日',
      '消費税 19%（内税） €7.97',
      '返金額 €49.90',
    ])
      expect(credit.text).toContain(part);
    // The invoice stays what it was.
    expect((await download(ann, placed, 'invoice')).rawPayload.equals(reply.rawPayload)).toBe(true);
  });

  test('payments and refunds at the same time, from two processes, get numbers without gaps', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const members = await Promise.all(Array.from({ length: 6 }, (_, at) => app.signUp(`member${at}`)));
      const placed = await Promise.all(members.flatMap((member) => [order(member), order(member, 'JPY')]));
      const all = (verb: 'confirm' | 'refund') =>
        Promise.all(
          placed.flatMap((one) => [settle(app, verb, one), settle(other, verb, one), settle(app, verb, one)]),
        );
      await all('confirm');
      const numbers = async () => (await app.invoices.page(0, 100)).map(({ number }) => number);
      expect(await numbers()).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
      await all('refund');
      expect(await numbers()).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
      const codes = (await app.invoices.page(0, 100)).map(({ code, kind, reference }) => [
        code,
        kind,
        reference,
      ]);
      expect(new Set(codes.map(([, kind, reference]) => `${kind} ${reference}`)).size).toBe(24);
      expect(codes.at(-1)![0]).toBe('BB-000024');
    } finally {
      await other.close();
    }
  });

  test('a payment that fails leaves no gap', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const [first, second] = [await order(ann), await order(ann, 'JPY')];
    const failing = app.database.transaction(async (tx) => {
      await tx.join(() => settle(app, 'confirm', first));
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect((await get(ann, first.id)).state).toBe('open');
    await settle(app, 'confirm', second);
    await settle(app, 'confirm', first);
    expect((await app.invoices.ofAccount(ann.id)).map(({ code }) => code)).toEqual([
      'BB-000001',
      'BB-000002',
    ]);
  });

  test('an erased account leaves the numbers and amounts of its invoices, and nothing about the buyer', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const [first, second] = [await order(ann), await order(bob)];
    await settle(app, 'confirm', first);
    await ann.call(closingApi.begin, { body: { password: PASSWORD } });
    clock.advance(CLOSING_MS);
    await app.erasing.askDue();
    await app.jobs.drain();
    expect(await app.orders.byReference(first.reference)).toBeUndefined();
    await settle(app, 'confirm', second);
    const kept = await app.invoices.find(first.reference, 'invoice');
    expect(kept).toMatchObject({ number: 1, amount: 4990, buyer: undefined });
    expect(await app.invoices.ofAccount(ann.id)).toEqual([]);
    expect(JSON.stringify(kept)).not.toContain('ann');
    expect((await app.invoices.find(second.reference, 'invoice'))!.number).toBe(2);
    const { text } = await readPdf((await app.invoices.pdf(kept!, 'en-US')).bytes);
    expect(text).toContain('Billed to\n–');
  });

  test('an invoice says what was true when it was issued, whatever the document and the account say later', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const placed = await order(ann);
    await settle(app, 'confirm', placed);
    await app.database.transaction((tx) =>
      sql`update account set name = 'Somebody Else', email = 'other@example.org' where id = ${ann.id}`.execute(
        tx.on(),
      ),
    );
    const { text } = await read(ann, placed, 'invoice');
    expect(text).toContain('ann@example.org');
    expect(text).not.toContain('Else');
  });

  test('without a seller there are receipts instead of invoices', async () => {
    await using app = await open({
      documents: selling({}),
      environment: { OPERATOR_NAME: 'The Example' },
    });
    const ann = await app.signUp('ann');
    const placed = await order(ann);
    await settle(app, 'confirm', placed);
    expect((await get(ann, placed.id)).documents).toEqual([{ kind: 'receipt', number: '' }]);
    const text = (await read(ann, placed, 'receipt', 'pt')).text.replaceAll('\u00a0', ' ');
    for (const part of ['The Example', 'Recibo', 'ann@example.org', 'Total € 49,90'])
      expect(text).toContain(part);
    await settle(app, 'refund', placed);
    expect((await read(ann, placed, 'receipt', 'ru')).text).toContain('Деньги возвращены 30 ноября 2026');
    expect(await app.invoices.page(0, 10)).toEqual([]);
  });

  test('members get one email about a payment and one about a refund, with the numbers of their documents', async () => {
    await using server = await mailServer();
    await using app = await open({
      environment: { SMTP_URL: server.url, SITE_URL: 'https://drive.test' },
      clock: turnableClock(START),
    });
    const account = await app.accounts.add(
      { email: 'ann@example.org', password: 'blue feathers 27', name: 'Ann' },
      'member',
    );
    await app.database.transaction((tx) =>
      sql`update account set locale = 'ru' where id = ${account.id}`.execute(tx.on()),
    );
    const wish = { product: 'pack', term: 'month', currency: 'EUR' };
    const placed = await app.orders.create(account.id, wish);
    for (const verb of ['confirm', 'confirm', 'refund', 'refund'] as const) await settle(app, verb, placed);
    await app.jobs.drain();
    const texts = server.mails.map(({ text }) => text ?? '');
    const [paid, ...twice] = texts.filter((text) => text.includes('Счёт BB-000001'));
    const [refunded, ...again] = texts.filter((text) => text.includes('Кредит-нота BB-000002'));
    expect([...twice, ...again]).toEqual([]);
    for (const text of [paid, refunded])
      expect(text).toContain(`https://drive.test/drive/payment/orders/${placed.id}`);
    expect(texts).toHaveLength(3);
  });
});

test('invoices exist in all languages, with every letter', async () => {
  await using app = await openTestApp({ documents: selling(), clock: turnableClock(START) });
  const ann = await app.signUp('ann');
  const placed = await order(ann);
  await settle(app, 'confirm', placed);
  for (const locale of LOCALES) {
    const { title, language, text, pages, size } = await read(ann, placed, 'invoice', locale);
    const heading = message(locale, 'invoice.invoice');
    expect({ title, language, pages, size }).toEqual({
      title: `${heading} BB-000001`,
      language: locale,
      pages: 1,
      size: [595.28, 841.89],
    });
    for (const key of ['invoice.buyer', 'invoice.total', 'invoice.net', 'invoice.quantity'])
      expect(text).toContain(message(locale, key));
    expect(text.replaceAll(/[\s.,]/g, '')).toContain('4990');
  }
});

test('a hostile name cannot change the page', async () => {
  await using app = await openTestApp({ documents: selling(), clock: turnableClock(START) });
  const ann = await app.signUp('ann');
  const names = [
    '\u202eevil\u202c \u0007\u0000bell\u200b\ud800',
    'ש'.repeat(40),
    `${'Wide'.repeat(300)} end`,
    ') Tj ET endstream (',
    '👩‍👩‍👧‍👦 ข้าว مرحبا',
  ];
  const expected = ['evil bell', 'ש'.repeat(30), 'WideWide', ') Tj ET endstream (', 'مرحبا'];
  const currencies = ['EUR', 'JPY'];
  for (const [at, name] of names.entries()) {
    await app.database.transaction((tx) =>
      sql`update account set name = ${name.replaceAll('\u0000', '')} where id = ${ann.id}`.execute(tx.on()),
    );
    const placed = await order(ann, currencies[at % 2]);
    await settle(app, 'confirm', placed);
    const { text, pages } = await read(ann, placed, 'invoice');
    expect(pages).toBe(1);
    // Letters that are written from the right may be read in either order.
    const found = [text, [...text].toReversed().join('')].some((one) =>
      one.replaceAll('\n', ' ').replaceAll(/ +/g, ' ').includes(expected[at]!),
    );
    expect(found, name).toBe(true);
    expect(text).not.toMatch(/[\u202a-\u202e\u0000-\u0009\u200b]/);
  }
});

test('apps do not learn who sells from the public document', async () => {
  await using app = await openTestApp({ documents: selling() });
  const { values } = await app.visitor.call(siteApi.external_products, { body: {} });
  expect(JSON.stringify(values)).not.toContain('Torstraße');
  expect((await app.visitor.call(membershipApi.offers, {})).products).toEqual(['storage']);
});
