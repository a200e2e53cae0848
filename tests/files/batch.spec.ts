import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { folder, open, toast } from '../support/files-page.ts';
import { expectNoComplaints, get, member, post } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('a folder of thousands is selected by pattern, renamed and restored by keyboard alone', async ({
  browser,
}) => {
  test.setTimeout(90_000);
  const { page, context } = await member(browser);
  const { request } = context;
  const album = await folder(request, 'Album');
  for (const name of ['IMG', 'IMG b', 'img c', 'Notes']) await folder(request, name, album);
  // Each copy doubles the number of items.
  for (let count = 4; count < 4096; count *= 2) {
    const body = { all_in: album, to: { parent_id: album }, conflict: 'rename' };
    const { task_id } = await post<{ task_id: string }>(request, '/drive/v1/files:batchCopy', body);
    await expect
      .poll(async () => (await get<{ phase: string }>(request, `/drive/v1/tasks/${task_id}`)).phase)
      .toBe('PHASE_TYPE_COMPLETE');
  }
  const found = async (name: string): Promise<number> => {
    const body = { parent_id: album, where: { name } };
    return (await post<{ items: unknown[] }>(request, '/drive/v1/files:select', body)).items.length;
  };
  await open(page, `/drive/all/${album}`);
  const cells = page.getByRole('gridcell');
  await cells.first().click();
  await page.keyboard.press('+');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('img*');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('3,072 selected')).toBeVisible();

  await page.keyboard.press('F2');
  await expect(dialog.getByLabel('Find')).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.type('img');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Notes');
  // “IMG” would become “Notes”, which another item has.
  await expect(dialog.getByRole('status').filter({ hasText: 'can’t be used' })).toBeVisible();
  await expect(dialog.getByRole('listitem').first()).toContainText('Already taken');
  await expect(dialog.getByRole('button', { name: /^Rename/ })).toBeDisabled();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Photo');
  await expect(dialog.getByText('3,072 names change')).toBeVisible();
  // Names are computed while somebody types; until they are there, Enter does nothing.
  await expect(dialog.getByRole('listitem').first()).toContainText('Photo');
  await expect(dialog.getByRole('button', { name: /^Rename/ })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(toast(page, 'Renamed 3,072 items')).toBeVisible({ timeout: 30_000 });
  expect([await found('img*'), await found('photo*')]).toEqual([0, 3072]);

  await page.keyboard.press('ControlOrMeta+z');
  await expect(toast(page, 'Undone')).toBeVisible({ timeout: 30_000 });
  expect([await found('img*'), await found('photo*')]).toEqual([3072, 0]);
  expectNoComplaints(page);
});
