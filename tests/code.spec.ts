import { expect, test, type Browser, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open } from './support/files-page.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor, type Look } from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Creates a batch and returns its id and its codes. */
async function batch(
  server: MailingServer,
  ...args: string[]
): Promise<{ id: string; codes: readonly string[] }> {
  const said = await server.command('code', 'create', ...args);
  const [, id = ''] = /code export (\w+)/.exec(said)!;
  const csv = await server.command('code', 'export', id);
  const codes = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',')[0]!);
  return { id, codes };
}

const EMAIL = 'ann@example.org';

/** Opens a page of the drive as a visitor, who signs in first. */
async function signedIn(server: MailingServer, browser: Browser, path: string, look?: Look): Promise<Page> {
  await server.command('user', 'add', EMAIL, '--password', PASSWORD, '--name', 'Ann Bower');
  const { page } = await visitor(browser, look);
  await open(page, server.origin + path);
  await page.getByLabel('Email', { exact: true }).fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  return page;
}

test('a member redeems codes on a phone, and sees what they granted', async ({ browser }) => {
  await using server = await mailingServer();
  const { codes } = await batch(server, '2', '--plan', 'vip', '--days', '30');
  const more = await batch(server, '1', '--storage', '5 GB', '--days', '7');
  const page = await signedIn(server, browser, '/inapp/shop', { screen: 'phone' });
  await expect(page.getByText('Free', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Redeem a code' }).click();
  const box = dialog(page, 'Redeem a code');
  await expect(box.getByLabel('Code')).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await box.getByLabel('Code').fill(codes[0]!.toLowerCase().replaceAll('-', ' '));
  await box.getByRole('button', { name: 'Redeem' }).click();
  const done = dialog(page, 'Code redeemed');
  await expect(done.getByText('VIP for 30 days')).toBeVisible();
  await expect(done.getByText(/^Until \d/)).toBeVisible();
  expect(await barriers(page)).toEqual([]);

  await done.getByRole('button', { name: 'Redeem another code' }).click();
  await box.getByLabel('Code').fill(more.codes[0]!);
  await box.getByRole('button', { name: 'Redeem' }).click();
  await expect(done.getByText('5 GB of additional storage for 7 days')).toBeVisible();
  await done.getByRole('button', { name: 'Close' }).last().click();
  await expect(done).toBeHidden();
  await expect(page.getByText('VIP', { exact: true })).toBeVisible();
  await expect(page.getByText('of 2 TB used').last()).toBeVisible();
  expectNoComplaints(page);
});

test('a visitor with a link signs in first, and redeems its code over the page by keyboard', async ({
  browser,
}) => {
  await using server = await mailingServer();
  const { codes } = await batch(server, '1', '--plan', 'vip', '--days', '1');
  const page = await signedIn(
    server,
    browser,
    `/drive/starred?action=open_redeem_box&code=${codes[0]!.replaceAll('-', '')}`,
  );
  const box = dialog(page, 'Redeem a code');
  await expect(box.getByLabel('Code')).toHaveValue(codes[0]!.replaceAll('-', ''));
  await expect(page).toHaveURL(/\/drive\/starred$/);
  await expect(box.getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Code redeemed').getByText('VIP for 1 day')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Code redeemed')).toBeHidden();

  await page.getByRole('button', { name: 'Ann Bower’s account' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Redeem a code' }).press('Enter');
  await expect(box.getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
  expectNoComplaints(page);
});

test('codes that are mistyped, redeemed already, used up or expired are explained', async ({ browser }) => {
  await using server = await mailingServer();
  const { codes } = await batch(server, '1', '--plan', 'vip', '--days', '30');
  const other = await batch(server, '1', '--plan', 'vip', '--days', '30');
  const later = await batch(server, '1', '--plan', 'vip', '--days', '30', '--start', '2090-01-01');
  await server.command('code', 'end', other.id);
  const page = await signedIn(server, browser, '/faq?action=open_redeem_box');
  await expect(page).toHaveURL(/\/faq$/);
  const box = dialog(page, 'Redeem a code');
  const attempt = async (code: string, answer: RegExp): Promise<void> => {
    await box.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await expect(box.getByText(answer)).toBeVisible();
    await expect(box.getByLabel('Code')).toBeFocused();
  };
  await attempt('', /^Enter the code\.$/);
  await attempt(codes[0]!.slice(0, -1), /^This code isn’t valid\. Check it for typos and try again\.$/);
  await attempt(other.codes[0]!, /^This code has expired\./);
  await attempt(later.codes[0]!, /^This code isn’t valid yet\. Try again in /);
  expect(await barriers(page)).toEqual([]);
  await box.getByLabel('Code').fill(codes[0]!);
  await page.keyboard.press('Enter');
  await dialog(page, 'Code redeemed').getByRole('button', { name: 'Redeem another code' }).click();
  await attempt(codes[0]!, /^You’ve already redeemed this code\./);
  expect((await server.command('code', 'list')).split('\n')[0]).toContain('1 redeemed');
});

test('without codes, nothing about them appears, and the action leads to the plan', async ({ browser }) => {
  await using server = await mailingServer();
  const page = await signedIn(server, browser, '/drive/trash?action=open_redeem_box&code=1');
  await expect(page).toHaveURL(/\/inapp\/shop$/);
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
  await expect(page.getByText('Redeem')).toHaveCount(0);
  await page.getByRole('button', { name: 'Ann Bower’s account' }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Redeem/ })).toHaveCount(0);
  expectNoComplaints(page);
});
