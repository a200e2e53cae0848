import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { entry, folder, open, select, toast } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('items are tagged by keyboard, found by their tag, and the tag is renamed and deleted', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const other = await context.newPage();
  for (const name of ['rent', 'taxes', 'zoo']) await folder(context.request, name);
  await open(page, '/drive/all');
  await open(other, '/drive/all');
  await select(page, 'rent', 'taxes');
  await page.keyboard.press('t');
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 items' });
  await expect(dialog.getByLabel('Find or create a tag')).toBeFocused();
  await page.keyboard.type('To pay');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'To pay' })).toBeChecked();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(entry(page, 'rent').getByText('To pay')).toBeVisible();
  await expect(entry(other, 'taxes').getByText('To pay')).toBeVisible();
  await expect(entry(page, 'zoo').getByText('To pay')).toBeHidden();

  const tags = page.getByRole('region', { name: 'Tags' });
  await tags.getByRole('link', { name: 'To pay' }).click();
  await expect(entry(page, 'taxes')).toBeVisible();
  await expect(entry(page, 'zoo')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Tags: To pay' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);

  await tags.getByRole('button', { name: 'Options for the tag To pay' }).click();
  await page.getByRole('menuitem', { name: 'Edit tag' }).click();
  const form = page.getByRole('dialog', { name: 'Edit tag' });
  await form.getByLabel('Name').fill('Paid');
  await form.getByRole('radio', { name: 'Green' }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await tags.getByRole('link', { name: 'Paid' }).click();
  await entry(page, 'taxes').click();
  await page.keyboard.press('t');
  await page.getByRole('checkbox', { name: 'Paid' }).press('Space');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(entry(page, 'taxes')).toBeHidden();
  await toast(page, 'Tags of 1 item changed').getByRole('button', { name: 'Undo' }).click();
  await expect(entry(page, 'taxes')).toBeVisible();

  await tags.getByRole('button', { name: 'Options for the tag Paid' }).click();
  await page.getByRole('menuitem', { name: 'Delete tag' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete tag' }).click();
  await expect(tags.getByRole('link', { name: 'Paid' })).toBeHidden();
  await expect(other.getByText('Paid')).toHaveCount(0);
  expectNoComplaints(page);
});
