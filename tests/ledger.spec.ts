import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open, pick, uploadsDone } from './support/files-page.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor } from './support/people.ts';

let server: MailingServer;
test.beforeAll(async () => {
  server = await mailingServer();
});
test.afterAll(() => server[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const file = (name: string, size: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, name),
});

/** Signs a new member in who has a plan and some files. */
async function storing(page: Page, name: string): Promise<void> {
  const email = `${name}@example.org`;
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  await server.command('user', 'plan', email, 'vip', '30');
  await open(page, `${server.origin}/drive/login?continue=%2Fdrive%2Fall`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/drive/all');
  await pick(page, [file('Sea.txt', 300_000), file('Song.mp3', 100_000), file('=Sum.csv', 40)]);
  await uploadsDone(page, 3);
}

/** Width by which the page is wider than the screen. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('a member reads where the storage comes from, what uses it, and every change of it', async ({
  browser,
}) => {
  const { page } = await visitor(browser);
  await storing(page, 'ann');
  await page.getByRole('button', { name: /^Storage/ }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Why is my storage 2 TB?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Why is my storage 2 TB?' })).toBeVisible();

  const limit = page.getByRole('region', { name: 'Where it comes from' });
  await expect(limit.getByRole('listitem')).toHaveCount(2);
  await expect(limit.getByRole('listitem').first()).toHaveText(/Basic storage.*Since.*10 GB/);
  await expect(limit.getByRole('listitem').last()).toHaveText(/VIP plan.*From.*until.*1.99 TB/);

  const usage = page.getByRole('region', { name: 'What uses it' });
  await expect(usage.getByRole('listitem').first()).toHaveText(/Documents.*293 KB.*2 files/);
  await expect(usage.getByRole('listitem').nth(1)).toHaveText(/Audio.*97.7 KB.*1 file/);

  const history = page.getByRole('region', { name: 'All changes' });
  await expect(history.getByRole('listitem')).toHaveCount(5);
  await history.getByLabel('Show', { exact: true }).selectOption('Limit');
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await history.getByLabel('Show', { exact: true }).selectOption('Limit and usage');
  await history.getByLabel('Cause').selectOption('Upload');
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await history.getByLabel('Period').selectOption('Last 7 days');
  await expect(page).toHaveURL(/cause=upload.*period=7/);
  await expect(history.getByRole('listitem')).toHaveCount(3);

  const saving = page.waitForEvent('download');
  await history.getByRole('link', { name: 'Export as CSV' }).click();
  const csv = await readFile(await (await saving).path(), 'utf8');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(4);
  expect(csv).toContain(`'=Sum.csv`);

  await history.getByRole('link', { name: 'Sea.txt' }).click();
  await expect(page).toHaveURL(/\/drive\/all\?open_file=/);
  await expect(page.getByRole('dialog', { name: 'Sea.txt' })).toBeVisible();
  expectNoComplaints(page);
});

test('the page fits phones and screens in other languages, without barriers, and works by keyboard', async ({
  browser,
}) => {
  const { page } = await visitor(browser);
  await storing(page, 'eve');
  for (const locale of ['en-US', 'ja', 'ru'])
    for (const width of [360, 1440])
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await open(page, `${server.origin}/${locale}/drive/storage`);
        await expect(page.locator('main li').nth(4)).toBeVisible();
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        if (process.env['SHOTS'] !== undefined) {
          await page.locator('main').evaluate((main) => main.scrollTo(0, 0));
          await page.screenshot({ path: `${process.env['SHOTS']}/ledger-${locale}-${width}-${scheme}.png` });
        }
      }
  await open(page, `${server.origin}/en-US/drive/storage`);
  await page.getByLabel('Cause').focus();
  await page.keyboard.type('Upload');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/cause=upload/);
  await expect(page.getByLabel('Cause')).toBeFocused();
  await expect(page.getByLabel('Cause')).toHaveValue('upload');
  expectNoComplaints(page);
});
