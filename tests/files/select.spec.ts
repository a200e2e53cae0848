import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { folder, open, select } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('items are selected by a pattern; canceling while it is looked up keeps the selection', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  for (const name of ['beach one', 'beach two', 'forest']) await folder(request, name);
  await open(page, '/drive/all');
  const selected = page.getByRole('row', { selected: true });
  await select(page, 'forest');
  await page.keyboard.press('+');
  const dialog = page.getByRole('dialog', { name: 'Select items' });
  await dialog.getByLabel('Name').fill('beach*');
  expect(await barriers(page)).toEqual([]);

  const gate = Promise.withResolvers<void>();
  await page.route('**/files:select*', async (route) => {
    await gate.promise;
    await route.continue();
  });
  const answered = page.waitForResponse('**/files:select*');
  await dialog.getByRole('button', { name: 'Select', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  gate.resolve();
  await (await answered).finished();
  await expect(selected).toHaveCount(1);
  await expect(selected).toContainText('forest');

  await page.keyboard.press('+');
  await dialog.getByLabel('Name').fill('beach*');
  await dialog.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('toolbar').getByText('2 selected')).toBeVisible();
  expectNoComplaints(page);
});
