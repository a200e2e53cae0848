import { expect, test } from '@playwright/test';
import { rawZip } from '../server/testing/archives/raw-zip.ts';
import { LOCKED_ZIP } from './support/locked-zip.ts';
import { entry, open, pick, toast, uploadsDone } from './support/files-page.ts';
import { complaints, expectNoComplaints, member } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });

test('an archive is listed and extracted to a folder beside it, which one click removes again', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [
    zip(
      'bower.zip',
      rawZip([
        { name: 'nest/egg.txt', content: 'an egg' },
        { name: 'list.txt', content: 'blue' },
      ]),
    ),
  ]);
  await uploadsDone(page, 1);
  await entry(page, 'bower.zip').dblclick();
  const inside = page.getByRole('dialog', { name: 'bower.zip' });
  await inside.getByRole('button', { name: 'nest' }).click();
  await expect(inside.getByRole('checkbox', { name: 'Select egg.txt' })).toBeVisible();
  await inside.getByRole('button', { name: 'bower.zip', exact: true }).click();
  await inside.getByRole('checkbox', { name: 'Select list.txt' }).check();
  await expect(inside.getByRole('button', { name: 'Extract 1 item' })).toBeVisible();
  await inside.getByRole('button', { name: 'Extract here' }).click();
  await expect(toast(page, 'Extracted bower.zip')).toBeVisible();
  const folder = page.getByRole('checkbox', { name: 'Select bower', exact: true });
  await expect(folder).toBeAttached();
  await page.getByRole('gridcell').filter({ has: folder }).dblclick();
  await expect(entry(page, 'nest')).toBeVisible();
  await expect(entry(page, 'list.txt')).toBeVisible();
  await page.goBack();
  await toast(page, 'Extracted bower.zip').getByRole('button', { name: 'Undo' }).click();
  await expect(folder).not.toBeAttached();
  await expect(entry(page, 'bower.zip')).toBeVisible();
  expectNoComplaints(page);
});

test('a locked archive asks for its password, works with the keyboard alone, and rejects a wrong password', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [zip('locked.zip', LOCKED_ZIP)]);
  await uploadsDone(page, 1);
  await entry(page, 'locked.zip').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Extract here' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'locked.zip is password-protected' });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type('twigs');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Wrong archive password.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('berries');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(toast(page, 'Extracted locked.zip')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select locked', exact: true })).toBeAttached();
  expectNoComplaints(page);
});

test('a file that is not an archive is reported as such, and a text file has no extract action', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [
    zip('broken.zip', Buffer.from('no archive at all')),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ]);
  await uploadsDone(page, 2);
  await entry(page, 'broken.zip').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Extract here' }).click();
  await expect(toast(page, 'This file isn’t an archive, or it’s damaged.')).toBeVisible();
  await entry(page, 'notes.txt').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Extract here' })).toBeHidden();
  // The browser logs the rejection.
  expect(complaints.get(page)?.filter((line) => !line.includes('status of 400'))).toEqual([]);
});
