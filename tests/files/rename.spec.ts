import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { names } from '../support/drive-names.ts';
import { bar, entry, folder, open } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('an expression that never ends is stopped, and items that fail are listed until they are dismissed', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const ids: string[] = [];
  for (const name of ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', 'b', 'c'])
    ids.push(await folder(request, name));
  await open(page, '/drive/all');
  await page.keyboard.press('ControlOrMeta+a');
  await bar(page, 'Rename');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Regular expression').click();
  await dialog.getByLabel('Find').fill('^(a+)+$');
  await expect(dialog.getByText('This expression takes too long')).toBeVisible();
  await dialog.getByLabel('Find').fill('^(b|c)$');
  await dialog.getByLabel('Replace with').fill('$1$1');
  await expect(dialog.getByText('2 names change')).toBeVisible();

  // Somebody else renames one in the meantime.
  await request.patch(`/drive/v1/files/${ids[2]}`, {
    data: { name: 'mine' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  await dialog.getByRole('button', { name: 'Rename 2 items' }).click();
  await expect(page.getByText('1 item couldn’t be renamed')).toBeVisible();
  await expect(entry(page, 'bb')).toBeVisible();
  await page.getByRole('button', { name: 'Show details' }).click();
  await expect(dialog.getByText('This item was renamed in the meantime.')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('1 item couldn’t be renamed')).toBeHidden();
  expect((await names(request)).toSorted()).toContain('mine');
  expectNoComplaints(page);
});

test('a slow connection is not taken for a slow expression', async ({ browser }) => {
  const { page, context } = await member(browser);
  for (const name of ['a', 'b']) await folder(context.request, name);
  await page.route(/rename-worker/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3500));
    await route.continue();
  });
  await open(page, '/drive/all');
  await page.keyboard.press('ControlOrMeta+a');
  await bar(page, 'Rename');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Find').fill('b');
  await dialog.getByLabel('Replace with').fill('c');
  await expect(dialog.getByText('1 name changes')).toBeVisible({ timeout: 20_000 });
  expectNoComplaints(page);
});
