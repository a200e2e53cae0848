import { expect, test, type Page } from '@playwright/test';
import { expectSound } from './support/accessibility.ts';
import { choose, open, pick } from './support/files-page.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';
import { messagesIn } from './support/messages.ts';
import { expectNoComplaints, PASSWORD, visitor } from './support/people.ts';

const UNFOLD = messagesIn('en-US')['upload.unfold']!;

const PLANS = [
  { id: 'vip', name: 'VIP', storage: '100 GB', tasks_daily: 500 },
  { id: 'pro', name: 'Pro', storage: '2 TB', tasks_daily: 0 },
];
const terms = (month: number, year: number) => [
  { id: 'month', months: 1, price: { USD: month, JPY: month * 2 } },
  { id: 'year', months: 12, price: { USD: year, JPY: year * 2 } },
];
const pack = (kind: string, bytes: string) => ({
  id: kind,
  kind,
  bytes,
  name: bytes,
  terms: [{ id: 'days', days: 30, price: { USD: 99, JPY: 160 } }],
});
const DOCUMENTS = {
  external_products: {
    plans: PLANS,
    products: [
      { id: 'vip', kind: 'plan', plan: 'vip', terms: terms(299, 2990) },
      { id: 'pro', kind: 'plan', plan: 'pro', terms: terms(999, 9990) },
      pack('storage', '50 GB'),
      pack('traffic', '100 GB'),
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02 1203 0000 0000 2020 51' },
  },
};

let server: MailingServer;
test.beforeAll(async () => {
  server = await mailingServer({
    documents: DOCUMENTS,
    environment: { MONTHLY_DOWNLOAD: '1 KB', MEMBER_STORAGE: '8 KB' },
  });
});
test.afterAll(() => server[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

async function signIn(page: Page, email: string): Promise<void> {
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function press(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await page.getByRole(role, { name }).first().focus();
  await page.keyboard.press('Enter');
}

test('a visitor compares plans, signs in with a choice, and orders it by keyboard', async ({ browser }) => {
  const { page } = await visitor(browser, { screen: 'phone' });
  await open(page, `${server.origin}/en-US/inapp/shop`);
  await expect(page.getByText('$2.99 per month')).toBeVisible();
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader', { name: 'Pro', exact: true })).toBeVisible();
  await expect(table.getByRole('cell', { name: 'Unlimited' }).first()).toBeVisible();
  await expectSound(page);

  await press(page, 'link', /^12 months/);
  // 29.90 are 10 months of 2.99: 16.67 % less than 12.
  await expect(page.getByText('$2.50 per month')).toBeVisible();
  await expect(page.getByText('$29.90 for 12 months')).toBeVisible();
  await expect(page.getByText('Save 16%').first()).toBeVisible();
  await press(page, 'link', 'JPY');
  await expect(page.getByText('¥5,980 for 12 months')).toBeVisible();
  await open(page, `${server.origin}/en-US/inapp/shop`);
  await expect(page.getByText('¥598 for 1 month')).toBeVisible();

  await press(page, 'button', /^Order VIP, 1 month, ¥598/);
  await page.waitForURL('**/en-US/drive/login?continue=*');
  await signIn(page, 'ann@example.org');
  await page.waitForURL('**/en-US/inapp/shop?product=vip&term=month&currency=JPY');
  const choice = page.getByRole('region', { name: 'Your choice' });
  await expect(choice).toContainText('VIP · ¥598 for 1 month');
  await expect(page.getByRole('region', { name: 'Your plan' })).toContainText('0 B of 8 KB used');
  await expectSound(page);
  await choice.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en-US/drive/payment/orders/*');

  await open(page, `${server.origin}/en-US/inapp/widget?hide_header=1`);
  await page.getByText('See plans').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /^VIP/ })).toBeVisible();
  await expectSound(page);
  expectNoComplaints(page);
});

test('a limit that is near is one dismissible line, and a limit that is reached leads to the plans', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser, { screen: 'phone' });
  await open(page, `${server.origin}/drive/all`);
  await signIn(page, 'near@example.org');
  await page.waitForURL('**/drive/all');
  await choose(page, page.getByRole('button', { name: 'Upload files' }), [
    { name: 'half.txt', mimeType: 'text/plain', buffer: Buffer.alloc(7600, 'x') },
  ]);
  const line = page.getByText(/^Your storage is nearly full: 7\.4\d? KB of 8 KB used\.$/);
  await expect(line).toBeVisible();
  await expectSound(page);
  await page.getByRole('status').filter({ has: line }).getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(page.getByText('half.txt').first()).toBeVisible();
  await expect(line).toHaveCount(0);

  await pick(page, [{ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.alloc(4096, 'y') }]);
  await page.getByRole('button', { name: UNFOLD }).click();
  await expect(page.getByText(/Free some space, or get more\./).first()).toBeVisible();

  // The first download is longer than the traffic, so the next one is refused with a page.
  const { files } = (await (
    await context.request.get(`${server.origin}/drive/v1/files?parent_id=`)
  ).json()) as { files: { id: string }[] };
  const file = (await (
    await context.request.get(`${server.origin}/drive/v1/files/${files[0]!.id}`)
  ).json()) as {
    web_content_link: string;
  };
  expect((await context.request.get(file.web_content_link)).status()).toBe(200);
  await page.goto(file.web_content_link);
  await expect(page).toHaveURL(/\/download-limit\?of=own$/);
  await expect(page.getByRole('heading', { name: 'No download traffic left this month' })).toBeVisible();
  await expect(page.getByText(/7\.4\d? KB of 1 KB used/)).toBeVisible();
  await expectSound(page);
  await page.getByRole('link', { name: 'See plans' }).click();
  await expect(page).toHaveURL(/\/inapp\/shop$/);
});
