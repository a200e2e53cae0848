import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, type Page } from '@playwright/test';
import { barriers, overflow } from './support/accessibility.ts';
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

/** Signs a new member in, on the page at a path. */
async function signedIn(page: Page, name: string, path: string, at = server): Promise<void> {
  const email = `${name}@example.org`;
  await at.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  await open(page, `${at.origin}/drive/login?continue=${encodeURIComponent(path)}`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
}

/** Signs a new member in who has a plan and some files. */
async function storing(page: Page, name: string): Promise<void> {
  await signedIn(page, name, '/drive/all');
  await server.command('user', 'plan', `${name}@example.org`, 'vip', '30');
  await pick(page, [file('Sea.txt', 300_000), file('Song.mp3', 100_000), file('=Sum.csv', 40)]);
  await uploadsDone(page, 3);
}

/** Takes a picture for a person to look at, if they name a folder for them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

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
  // Colors don't depend on the language, so not every language is looked at in both schemes.
  for (const [locale, width, schemes] of [
    ['en-US', 360, ['light', 'dark']],
    ['en-US', 1440, ['light', 'dark']],
    ['ja', 360, ['dark']],
    ['ja', 1440, ['light']],
    ['ru', 360, ['light']],
    ['ru', 1440, ['dark']],
  ] as const)
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await open(page, `${server.origin}/${locale}/drive/storage`);
      await expect(page.locator('main li').nth(4)).toBeVisible();
      expect(await overflow(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await shoot(page, `ledger-${locale}-${width}-${scheme}`);
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

test('a notice says until when the storage of an ended plan stays, and can be closed', async ({
  browser,
}) => {
  const { page } = await visitor(browser, { screen: 'phone' });
  await storing(page, 'ida');
  const database = new DatabaseSync(join(server.folder, 'bowerbird.sqlite'), { timeout: 5000 });
  const month = 31 * 24 * 3600 * 1000;
  database
    .prepare(
      'update benefit set granted_at = granted_at - ?, starts_at = starts_at - ?, ends_at = ends_at - ? where account = (select id from account where email = ?)',
    )
    .run(month, month, month, 'ida@example.org');
  database.close();
  await open(page, `${server.origin}/drive/all`);
  const notice = page.getByRole('status').filter({ hasText: 'Your VIP plan ended' });
  await expect(notice).toHaveText(/stays as it is until .*nothing is deleted/);
  expect(await barriers(page)).toEqual([]);
  await shoot(page, 'grace');
  await notice.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByRole('region', { name: 'Where it comes from' })).toHaveText(/Ended on/);
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toBeHidden();
  expectNoComplaints(page);
});

/** Document of an installation that rewards check-ins. */
const REWARDING = {
  external_products: {
    check_in: {
      rewards: [
        { streak: 1, days: 1 },
        { streak: 3, days: 2 },
        { streak: 7, days: 5 },
      ],
    },
  },
};

test('a member sees what check-ins earn, earns it, and reads it in the explanation of the storage', async ({
  browser,
}) => {
  await using rewarding = await mailingServer({ documents: REWARDING });
  const { page } = await visitor(browser);
  await signedIn(page, 'uma', '/check-in', rewarding);
  const list = page.getByRole('region', { name: 'Rewards' }).getByRole('listitem');
  await expect(list).toHaveText([
    /1 day.*1 day of VIP/,
    /3 days in a row.*2 days of VIP/,
    /7 days in a row.*5 days of VIP/,
  ]);
  const again = page.getByText(/^You can check in again from /);
  await expect(again).toHaveCount(0);
  await page.getByRole('button', { name: 'Check in for today' }).click();
  await expect(page.getByText('You’ve checked in today.')).toBeVisible();
  await expect(again).toBeVisible();
  await expect(page.getByText('Earned').locator('..')).toHaveText(/1 day/);
  for (const [locale, width, scheme] of [
    ['en-US', 1440, 'light'],
    ['ja', 360, 'dark'],
    ['ru', 360, 'light'],
    ['ru', 768, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 1000 });
    await open(page, `${rewarding.origin}/${locale}/check-in`);
    expect(await overflow(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await shoot(page, `check-in-${locale}-${width}-${scheme}`);
  }
  await open(page, `${rewarding.origin}/en-US/drive/storage`);
  await expect(page.getByRole('region', { name: 'Where it comes from' })).toHaveText(
    /VIP plan.*Check-in reward/,
  );
  expectNoComplaints(page);
});
