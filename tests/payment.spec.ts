import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripeObjects, stripeServer } from '../server/testing/stripe/stripe-server.ts';
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { barriers, expectSound } from './support/accessibility.ts';
import { choose, open } from './support/files-page.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor, type Look } from './support/people.ts';

const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: 'VIP会員', pt: 'VIP' }, storage: '1 TB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [
          { id: 'month', months: 1, price: { BRL: 2490, JPY: 800, USD: 499 } },
          { id: 'year', months: 12, price: { BRL: 24_900, JPY: 8000, USD: 4990 } },
        ],
      },
      {
        id: 'pack',
        kind: 'storage',
        bytes: '100 GB',
        name: '100 GB',
        terms: [{ id: 'days', days: 30, price: { BRL: 500, JPY: 160, USD: 99 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02 1203 0000 0000 2020 51', bank: 'Example Bank' },
    invoices: { seller: { name: 'Example Ltd', address: ['1 Example Street'] }, prefix: 'BB-' },
  },
};

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const selling = (environment: Record<string, string> = {}) =>
  mailingServer({ documents: DOCUMENTS, environment });

/** An installation that sells a plan and storage. */
let server: MailingServer;
test.beforeAll(async () => {
  server = await selling();
});
test.afterAll(() => server[Symbol.asyncDispose]());

type Words = Readonly<Record<string, string>>;
const wordsOf = (locale: string): Words =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../locales/${locale}.json`), 'utf8')) as Words;

/** Adds a member, and opens a page of the drive as a visitor, who signs in first. */
async function signedIn(
  server: MailingServer,
  browser: Browser,
  email: string,
  path: string,
  look: Look = {},
): Promise<Page> {
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  const { page } = await visitor(browser, look);
  await open(page, server.origin + path);
  const words = wordsOf(look.locale ?? 'en-US');
  await page.getByLabel(words['account.email']!, { exact: true }).fill(email);
  await page.getByLabel(words['account.password']!, { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname + url.search === path);
  return page;
}

/** Name and content of the file behind a link. */
async function downloaded(page: Page, link: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });

for (const [locale, price, reader] of [
  ['en-US', '$4.99', 'VIP'],
  ['ja', '￥800', 'VIP会員'],
  ['pt', 'R$ 24,90', 'VIP'],
] as const)
  test(`a member orders a plan, has it once the transfer is confirmed, and loses it with a refund: ${locale}`, async ({
    browser,
  }) => {
    const words = wordsOf(locale);
    for (const screen of ['phone', 'desktop'] as const) {
      const email = `${screen}-${locale.toLowerCase()}@example.org`;
      const start = `/${locale}/drive/payment${locale === 'pt' ? '?currency=BRL' : locale === 'en-US' ? '?currency=USD' : ''}`;
      const page = await signedIn(server, browser, email, start, { screen, locale });
      await expect(heading(page, words['payment.free']!)).toBeVisible();
      await expect(
        page.getByRole('listitem').filter({ has: heading(page, words['payment.free']!) }),
      ).toContainText(words['payment.current']!);
      await expect(page.getByText(price).first()).toBeVisible();
      await expectSound(page);

      const buttons = page.getByRole('button', { name: price });
      await buttons.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/drive\/payment\/orders\/\w+$/);
      await expect(page.getByText(words['payment.state.open']!)).toBeVisible();
      await expect(heading(page, words['payment.transfer.title']!)).toBeVisible();
      await expect(page.getByText('DE02 1203 0000 0000 2020 51')).toBeVisible();
      await expectSound(page);

      const listed = await server.command('order', 'list');
      const [reference = ''] = listed
        .split('\n')
        .find((line) => line.includes(email))!
        .split('  ');
      await expect(page.getByText(`${reference.slice(0, 4)} ${reference.slice(4)}`).last()).toBeVisible();
      await server.command('order', 'confirm', reference);
      await page.reload();
      await expect(page.getByText(words['payment.state.paid']!, { exact: true })).toBeVisible();
      await server.mailTo(email, new RegExp(wordsOf('en-US')['mail.orderPaid.subject']!));
      const invoice = await downloaded(page, page.getByRole('link', { name: /BB-\d{6}/ }));
      expect(invoice.name).toMatch(new RegExp(`^${words['invoice.invoice']!} BB-\\d{6}[.]pdf$`));
      expect(invoice.bytes.subarray(0, 8).toString('latin1')).toBe('%PDF-1.7');
      expect(await barriers(page)).toEqual([]);

      const nav = page.getByRole('navigation', { name: words['payment.pages']! });
      await nav.getByRole('link', { name: words['payment.plans']!, exact: true }).click();
      await expect(page.getByRole('listitem').filter({ has: heading(page, reader) })).toContainText(
        words['payment.current']!,
      );
      await server.command('order', 'refund', reference);
      await nav.getByRole('link', { name: words['payment.orders']!, exact: true }).click();
      await expect(page.getByText(words['payment.state.refunded']!)).toBeVisible();
      expect(await barriers(page)).toEqual([]);
      await open(page, `${server.origin}/${locale}/inapp/shop`);
      await expect(page.getByRole('region', { name: words['apps.shop.plan']!, exact: true })).toContainText(
        words['apps.shop.free']!,
      );
      expectNoComplaints(page);
    }
  });

test('additional storage is ordered from the storage dialog, and an order can be canceled', async ({
  browser,
}) => {
  const page = await signedIn(server, browser, 'ann@example.org', '/drive/all', { screen: 'phone' });
  await open(page, `${server.origin}/drive/all?action=show_storage_dialog`);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Get more storage/ })
    .click();
  await page.waitForURL('**/drive/payment/storage');
  await expect(heading(page, '100 GB')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'JPY' }).click();
  await page.getByRole('button', { name: 'Order 100 GB, 30 days, ¥160' }).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await expect(page.getByText('Pay by bank transfer')).toHaveCount(0);
  expectNoComplaints(page);
});

test('an order is paid on a page of Stripe, and its own page updates once Stripe has reported the payment', async ({
  browser,
}) => {
  await using stripe = await stripeServer();
  await using server = await selling(stripe.environment);
  const page = await signedIn(
    server,
    browser,
    'ann@example.org',
    '/en-US/drive/payment/storage?currency=USD',
    {
      screen: 'phone',
    },
  );
  await page.getByRole('button', { name: '$0.99' }).click();
  await expect(heading(page, 'Or pay by bank transfer')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pay $0.99' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en-US/drive/payment/orders/*?checkout=done');
  await expect(page.getByText('Your payment is being processed')).toBeVisible();
  await expect(page.getByRole('button', { name: /Pay|Cancel/ })).toHaveCount(0);
  await expectSound(page);
  const event = stripe.event('checkout.session.completed', stripeObjects.session(stripe.sessions[0]!));
  const hook = `${server.origin}/vip/v1/stripe/webhook`;
  expect((await fetch(hook, { method: 'POST', body: event.body, headers: event.headers })).status).toBe(200);
  await expect(page.getByText('Paid', { exact: true })).toBeVisible();
  await expect(page.getByText('Your payment is being processed')).toHaveCount(0);
  const placed = await server.mailTo('ann@example.org', /^Your order \w{8}$/);
  expect(placed.text).toContain(new URL(page.url()).pathname.replace('/en-US', ''));
  await server.mailTo('ann@example.org', /Your payment has arrived/);
  expectNoComplaints(page);
});

test('a member sees the traffic of the month, reaches its limit, and orders a pack', async ({ browser }) => {
  const { products, ...others } = DOCUMENTS.external_products;
  const pack = { ...products[1]!, id: 'traffic', kind: 'traffic', bytes: '50 GB', name: '50 GB' };
  await using server = await mailingServer({
    documents: { external_products: { ...others, products: [pack] } },
    environment: { MONTHLY_UPLOAD: '1 KB', MONTHLY_DOWNLOAD: '50 GB' },
  });
  const page = await signedIn(server, browser, 'ann@example.org', '/drive/all', { screen: 'phone' });
  await choose(page, page.getByRole('button', { name: 'Upload files' }), [
    { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2048, 'x') },
  ]);
  await page.getByRole('button', { name: wordsOf('en-US')['upload.unfold']! }).click();
  await expect(page.getByText(/traffic left for uploads this month: 0 B of 1 KB used/).first()).toBeVisible();
  await open(page, `${server.origin}/drive/all?action=show_traffic_dialog`);
  const dialog = page.getByRole('dialog', { name: 'Traffic this month' });
  await expect(dialog.getByText('0 B of 50 GB used')).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'Get more traffic' }).click();
  await page.waitForURL('**/drive/payment/traffic');
  await expect(page.getByText('50 GB more per month')).toBeVisible();
  await expectSound(page);
  await page.getByRole('button', { name: /^Order 50 GB, 30 days/ }).click();
  await page.waitForURL(/\/drive\/payment\/orders\/\w+$/);
  const listed = await server.command('order', 'list');
  const line = listed.split('\n').find((one) => one.includes('ann@example.org'))!;
  await server.command('order', 'confirm', line.split('  ')[0]!);
  await open(page, `${server.origin}/drive/storage`);
  await expect(page.getByText('Traffic pack: 50 GB more per month')).toBeVisible();
  await expect(page.getByText('0 B of 100 GB used')).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
});

test('without products there is nothing about prices, and the pages do not exist', async ({ browser }) => {
  await using plain = await mailingServer();
  const PAGES = ['', '/storage', '/traffic', '/orders', '/orders/x'].map((rest) => `/drive/payment${rest}`);
  for (const path of PAGES) expect((await fetch(plain.origin + path)).status).toBe(404);
  const page = await signedIn(plain, browser, 'ann@example.org', '/inapp/shop');
  await expect(page.getByText('There’s nothing to buy here.')).toBeVisible();
  await expect(page.getByText(/price|order/i)).toHaveCount(0);
  await open(page, `${plain.origin}/drive/all?action=show_storage_dialog`);
  await expect(page.getByRole('dialog').getByRole('link')).not.toHaveCount(0);
  await expect(page.getByRole('dialog').getByText('Get more storage')).toHaveCount(0);
  expectNoComplaints(page);
  for (const path of PAGES) expect((await page.request.get(plain.origin + path)).status()).toBe(404);
});
