import { readFileSync } from 'node:fs';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { barriers, expectSound } from './support/accessibility.ts';
import { open, pick, toast, uploadsDone } from './support/files-page.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor, type Look } from './support/people.ts';

// Plans, activation codes and orders on the administrator's pages, and the reward for a first upload.

const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: 'VIP', storage: '1 TB' }],
    products: [
      { id: 'vip', kind: 'plan', plan: 'vip', terms: [{ id: 'month', months: 1, price: { USD: 499 } }] },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
    tasks: { upload_file: 3 },
  },
};

let server: MailingServer;
test.beforeAll(async () => {
  server = await mailingServer({ documents: DOCUMENTS });
});
test.afterAll(() => server[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** Adds somebody, and opens a page as them. */
async function signedIn(
  browser: Browser,
  { email, name, path, operator = false }: { email: string; name: string; path: string; operator?: boolean },
  look: Look = {},
): Promise<Page> {
  const role = operator ? ['--operator'] : [];
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', name, ...role);
  const { page } = await visitor(browser, look);
  await open(page, `${server.origin}/drive/login?continue=${encodeURIComponent(path)}`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path);
  return page;
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const question = (page: Page) => page.getByRole('alertdialog');

test('an administrator confirms and refunds a transfer, creates and ends codes, and gives a member a plan', async ({
  browser,
}) => {
  const ann = await signedIn(browser, { email: 'ann@example.org', name: 'Ann', path: '/drive/payment' });
  await ann.getByRole('button', { name: '$4.99' }).click();
  await ann.waitForURL(/\/drive\/payment\/orders\/\w+$/);

  const page = await signedIn(
    browser,
    { email: 'olga@example.org', name: 'Olga', path: '/admin', operator: true },
    { screen: 'phone' },
  );
  await link(page, 'Orders').click();
  const order = page.getByRole('button', { name: 'ann@example.org' });
  await expect(order).toContainText('Waiting for payment');
  await expectSound(page);
  await page.getByLabel('Reference or email address').fill('nobody@example.org');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No orders here')).toBeVisible();
  await page.getByLabel('Reference or email address').fill('ann@example.org');
  await page.keyboard.press('Enter');
  await order.focus();
  await page.keyboard.press('Enter');
  expect(await barriers(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Confirm payment' }).click();
  await expect(question(page)).toContainText('Has $4.99 arrived?');
  await question(page).getByRole('button', { name: 'Confirm payment' }).click();
  await expect(order).toContainText('Paid');
  await ann.reload();
  await expect(ann.getByText('Thank you.')).toBeVisible();

  await order.click();
  await expect(dialog(page)).toContainText('Bank transfer');
  await dialog(page).getByRole('button', { name: 'Refund…' }).click();
  await expect(question(page)).toContainText('You have to return the money yourself.');
  expect(await barriers(page)).toEqual([]);
  await question(page).getByRole('button', { name: 'Refund' }).click();
  await expect(order).toContainText('Refunded');

  await link(page, 'Activation codes').click();
  await expect(page.getByText('There are no codes yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create codes…' }).click();
  await dialog(page).getByLabel('Number of codes').fill('none');
  await dialog(page).getByLabel('Note').fill('Spring fair');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByText('Enter a whole number from 1 to 10,000')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await dialog(page).getByLabel('Number of codes').fill('3');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  const batch = page.getByRole('listitem').filter({ hasText: 'Spring fair' });
  await expect(batch).toContainText('3 codes · 0 of 3 redeemed');
  await toast(page, '3 codes created').getByRole('button').last().click();
  await expect(toast(page, '3 codes created')).toBeHidden();
  await expectSound(page);
  await batch.getByRole('button').click();
  const arriving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
  const rows = readFileSync(await (await arriving).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(rows).toHaveLength(4);
  await batch.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'End codes…' }).click();
  await question(page).getByRole('button', { name: 'End codes' }).click();
  await expect(batch).toContainText('Ended');

  await link(page, 'People').click();
  const row = page.getByRole('listitem').filter({ hasText: 'ann@example.org' });
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Give a plan…' }).click();
  expect(await barriers(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Give plan' }).click();
  await expect(row).toContainText('VIP until');
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'End plan' }).click();
  await question(page).getByRole('button', { name: 'End plan' }).click();
  await expect(row).not.toContainText('VIP until');
  await expect(toast(page, 'Ann now has the free plan')).toBeVisible();
  expectNoComplaints(page);
  expectNoComplaints(ann);
});

test('the reward for the first upload is claimed with the keyboard, once it is uploaded', async ({
  browser,
}) => {
  const page = await signedIn(
    browser,
    { email: 'bob@example.org', name: 'Bob', path: '/check-in' },
    { screen: 'phone' },
  );
  const task = page.getByRole('listitem').filter({ hasText: 'Upload your first file' });
  await expect(task).toContainText('3 days of VIP');
  await task.getByRole('link', { name: 'Go to your drive' }).click();
  await page.waitForURL('**/drive/all');
  await pick(page, [{ name: 'egg.txt', mimeType: 'text/plain', buffer: Buffer.from('an egg') }]);
  await uploadsDone(page, 1);
  await open(page, `${server.origin}/check-in`);
  const claim = task.getByRole('button', { name: 'Get reward' });
  expect(await barriers(page)).toEqual([]);
  await claim.focus();
  await page.keyboard.press('Enter');
  await expect(task).toContainText('Received');
  await expect(claim).toBeHidden();
  await expectSound(page);
  expectNoComplaints(page);
});
