import { expect, test } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open } from './support/files-page.ts';
import { mailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor } from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('a member who was given plans sees their names, their ends and the storage', async ({ browser }) => {
  await using server = await mailingServer();
  const email = 'ann@example.org';
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  const { page } = await visitor(browser, { screen: 'phone' });
  await open(page, `${server.origin}/drive/login?continue=%2Finapp%2Fshop`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/inapp/shop');
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
  await expect(page.getByText('of 10 GB used').last()).toBeVisible();

  const said = await server.command('user', 'plan', email, 'vip', '30');
  const [, end] = /until 20(\S+)\./.exec(said)!;
  await page.reload();
  await expect(page.getByText('VIP', { exact: true })).toBeVisible();
  await expect(page.getByText(`Until ${end}`)).toBeVisible();
  await expect(page.getByText('of 2 TB used').last()).toBeVisible();
  expect(await barriers(page)).toEqual([]);

  await server.command('user', 'plan-off', email);
  await page.reload();
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
  expectNoComplaints(page);
});
