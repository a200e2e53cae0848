import { expect, test, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { entry, folder, open } from './support/files-page.ts';
import { expectNoComplaints, member, post } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const RIGHT_TO_LEFT = 'חופשה beach 2026';

/** A drive in which "beach" is found in three folders, and in the trash. */
async function drive(page: Page): Promise<{ photos: string }> {
  const { request } = page.context();
  const photos = await folder(request, 'Photos');
  const trips = await folder(request, 'Trips', photos);
  await folder(request, 'Sunny beach', trips);
  await folder(request, RIGHT_TO_LEFT, photos);
  await folder(request, 'Beach house');
  const old = await folder(request, 'Old beach');
  await post(request, '/drive/v1/files:batchTrash', { ids: [old] });
  return { photos };
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search your drive' });
const found = (page: Page) => page.getByRole('grid', { name: 'Search results' });
const row = (page: Page, name: string) => found(page).getByRole('row').filter({ hasText: name });

test('a search is made with the keyboard alone, kept in the address, filtered, and left again', async ({
  browser,
}) => {
  const { page } = await member(browser);
  const { photos } = await drive(page);
  await open(page, '/drive/all');

  // The first results appear while typing; keys move through them and open one.
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('sunny');
  const first = page
    .getByRole('grid', { name: 'Search' })
    .getByRole('row')
    .filter({ hasText: 'Sunny beach' });
  await expect(first.locator('mark').first()).toHaveText('Sunny');
  await expect(first).toContainText('Files / Photos / Trips');
  await page.keyboard.press('ArrowDown');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sunny beach', level: 1 })).toBeVisible();

  // Escape closes it and returns the focus.
  await open(page, `/drive/all/${photos}`);
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('[role=row]:focus');
  const before = await focused.getAttribute('data-row');
  await page.keyboard.press('/');
  await expect(page.getByRole('grid', { name: 'Recent searches' })).toContainText('sunny');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid', { name: 'Recent searches' })).toBeHidden();
  expect(await focused.getAttribute('data-row')).toBe(before);

  // Only below the open folder.
  await page.keyboard.press('/');
  await page.keyboard.type('beach');
  await page.getByRole('button', { name: 'In “Photos”' }).click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/drive/search\\?q=beach&folder=${photos}$`));
  await expect(row(page, 'Sunny beach')).toBeVisible();
  await expect(row(page, RIGHT_TO_LEFT)).toBeVisible();
  await expect(row(page, 'Beach house')).toBeHidden();

  // Filters are text of the search, and going back undoes them.
  await page.getByRole('button', { name: 'Remove filter: In “Photos”' }).click();
  await expect(page.getByRole('button', { name: 'Location', exact: true })).toBeFocused();
  await expect(row(page, 'Beach house')).toBeVisible();
  await expect(row(page, 'Old beach')).toBeHidden();
  await page.getByRole('button', { name: 'Type', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Videos' }).click();
  await expect(page).toHaveURL(/q=beach\+type%3Avideo$/);
  await expect(page.getByRole('heading', { name: 'Nothing found for “beach type:video”' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.goBack();
  await expect(page).toHaveURL(/\?q=beach$/);
  await expect(row(page, 'Beach house')).toBeVisible();
  const live = page.getByRole('textbox', { name: 'Search your drive' });
  await expect(live).toHaveValue('beach');
  expect(await barriers(page)).toEqual([]);

  // Typing on changes the list; the arrow enters it, and a result is shown in its folder.
  await page.keyboard.press('/');
  await page.keyboard.press('End');
  await page.keyboard.type(' type:folder sunny');
  await expect(row(page, 'Beach house')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Type: Folders' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 'Sunny beach')).toBeFocused();
  await page.keyboard.press('v');
  await expect(page.getByRole('columnheader', { name: 'Location' })).toBeVisible();
  await row(page, 'Sunny beach').getByRole('link', { name: 'Files / Photos / Trips' }).click();
  await expect(page.getByRole('row', { name: 'Sunny beach', selected: true })).toBeVisible();

  // The trash is searched on its own.
  await open(page, '/drive/trash');
  await page.keyboard.press('/');
  await page.keyboard.type('beach');
  await expect(page).toHaveURL(/\/drive\/trash\?q=beach$/);
  await expect(entry(page, 'Old beach')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/drive\/trash$/);
  expectNoComplaints(page);
});

test('on a phone, the search fills the screen and is closed by going back', async ({ browser }) => {
  const { page } = await member(browser, { screen: 'phone', dark: true });
  await drive(page);
  await open(page, '/drive/search?q=beach%20type:folder');
  await expect(row(page, 'Sunny beach')).toContainText('Files / Photos / Trips');
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await open(page, '/drive/search');
  await page.getByRole('button', { name: 'Search tips' }).tap();
  await expect(page.getByRole('dialog', { name: 'Search tips' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);

  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  await expect(field(page)).toBeFocused();
  await field(page).fill('sunny');
  const first = page.getByRole('grid', { name: 'Search' }).getByRole('link', { name: /Sunny beach/ });
  await expect(first).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close search' }).tap();
  await expect(field(page)).toBeHidden();
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  await field(page).fill('sunny');
  await first.tap();
  await expect(page.getByRole('heading', { name: 'Sunny beach', level: 1 })).toBeVisible();
  expectNoComplaints(page);
});
