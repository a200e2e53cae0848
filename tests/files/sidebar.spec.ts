import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { names } from '../support/drive-names.ts';
import { entry, folder, open } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('folders are pinned, colored, reached by the tree and found by their notes', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const home = await folder(request, 'home');
  const bills = await folder(request, 'bills', home);
  await folder(request, '2026', bills);
  await folder(request, 'loose');
  await open(page, '/drive/all');

  // Pins: by the menu, reordered by keyboard.
  for (const name of ['home', 'loose']) {
    await entry(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Pin to sidebar' }).click();
    await expect(page.getByText(`“${name}” is pinned to the sidebar`).first()).toBeVisible();
  }
  const pins = page.getByRole('region', { name: 'Pinned' }).getByRole('link');
  await expect(pins).toHaveText(['home', 'loose']);
  await pins.nth(1).press('Alt+ArrowUp');
  await expect(pins).toHaveText(['loose', 'home']);
  await expect(pins.nth(0)).toBeFocused();

  // Color and icon.
  await entry(page, 'home').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Color and icon' }).click();
  const look = page.getByRole('dialog');
  await look.getByRole('radio', { name: 'Green' }).check();
  await look.getByRole('radio', { name: '🏠' }).check();
  expect(await barriers(page)).toEqual([]);
  await look.getByRole('button', { name: 'Save' }).click();
  await expect(entry(page, 'home').getByText('🏠')).toBeVisible();
  await expect(pins.nth(1).getByText('🏠')).toBeVisible();

  // The tree: by keyboard, and as a place to drop things.
  await page.getByRole('button', { name: 'Folders', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'Folders' });
  await tree.getByRole('treeitem', { name: 'home' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: 'bills' })).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'bills', level: 1 })).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: 'bills' })).toHaveAttribute('aria-selected', 'true');
  expect(await barriers(page)).toEqual([]);
  await entry(page, '2026').click();
  await entry(page, '2026').dragTo(tree.getByRole('treeitem', { name: 'loose' }));
  await expect(entry(page, '2026')).toBeHidden();
  await expect.poll(async () => (await names(request, bills)).length).toBe(0);

  // Opening a folder deep inside shows it in the tree, also after a reload.
  await page.reload();
  await expect(tree.getByRole('treeitem', { name: 'bills' })).toBeVisible();

  // A note, which is saved while it is written.
  await open(page, '/drive/all');
  await entry(page, 'loose').click();
  await page.keyboard.press('d');
  await page.getByLabel('Note', { exact: true }).fill('Ask the Landlord about these');
  await expect(page.getByRole('status').getByText('Saved')).toBeVisible();
  await expect(entry(page, 'loose').getByRole('img', { name: 'Has a note' })).toBeVisible();
  await open(page, '/drive/search?q=landlord');
  await expect(entry(page, 'loose')).toBeVisible();
  await page.keyboard.press('v');
  expectNoComplaints(page);
});
