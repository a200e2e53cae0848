import { expect, test } from '@playwright/test';
import { barriers, overflow } from '../support/accessibility.ts';
import { entry, folder, open, pick, uploadsDone } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

const file = (name: string, size: number, filling = name) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, filling),
});

test('a member finds out what uses the space, folder by folder, and tidies up', async ({ browser }) => {
  const { page, context } = await member(browser);
  const photos = await folder(context.request, 'Photos');
  const autumn = await folder(context.request, 'Autumn', photos);
  await folder(context.request, 'Nothing here yet', autumn);
  await open(page, `/drive/all/${autumn}`);
  await pick(page, [file('Leaves.bin', 3_000_000), file('Rain.bin', 1_000_000, 'twice')]);
  await uploadsDone(page, 2);
  await open(page, '/drive/all');
  await pick(page, [file('Rain again.bin', 1_000_000, 'twice')]);
  await uploadsDone(page, 1);

  await open(page, '/drive/space');
  await expect(page.getByRole('heading', { level: 1, name: 'What uses your space' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '2 files and 2 folders' })).toContainText('3.81 MB');
  await entry(page, 'Photos').dblclick();
  await expect(page).toHaveURL(new RegExp(`folder=${photos}`));
  await expect(page.getByText('2 files and 2 folders')).toBeVisible();

  await page.getByRole('tab', { name: 'Empty folders' }).click();
  await expect(entry(page, 'Nothing here yet')).toBeVisible();
  await page.getByRole('tab', { name: 'Largest files' }).click();
  await expect(entry(page, 'Leaves.bin')).toBeVisible();
  await page.getByRole('tab', { name: 'Duplicates' }).click();
  await expect(page.getByText(/1 file exists more than once.*frees 977 KB/)).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText('2 copies, 977 KB each');
  for (const [view, width] of [
    ['folders', 360],
    ['duplicates', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `/drive/space?show=${view}`);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await barriers(page)).toEqual([]);
  }

  await open(page, '/drive/space?show=duplicates');
  await page.getByRole('button', { name: 'Select extra copies' }).click();
  await expect(page.getByRole('toolbar')).toContainText('1 selected');
  await page.keyboard.press('Delete');
  await expect(page.getByText('No duplicates')).toBeVisible();
  expectNoComplaints(page);
});
