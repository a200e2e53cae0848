import { expect, test } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { entry, folder, open, pick, toast, uploadsDone } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('a member is invited to a folder, accepts, reads it, and leaves', async ({ browser }) => {
  const ann = await member(browser);
  const ben = await member(browser);
  const trips = await folder(ann.context.request, 'Trips');
  await open(ann.page, `/drive/all/${trips}`);
  await pick(ann.page, [{ name: 'diary.txt', mimeType: 'text/plain', buffer: Buffer.from('dear diary') }]);
  await uploadsDone(ann.page, 1);

  await open(ann.page, '/drive/all');
  await ann.page.getByRole('button', { name: 'Actions for Trips' }).click();
  await ann.page.getByRole('menuitem', { name: 'Share', exact: true }).click();
  const dialog = ann.page.getByRole('dialog', { name: 'Share' });
  await dialog.getByRole('tab', { name: 'People' }).click();
  await dialog.getByLabel('Email address or phone number').fill(ben.email);
  await dialog.getByLabel('Email address or phone number').press('Enter');
  await expect(dialog.getByRole('list', { name: 'People' })).toContainText('Invited');
  expect(await barriers(ann.page)).toEqual([]);

  await open(ben.page, '/drive/shared');
  await expect(ben.page.getByRole('main')).toContainText('Trips');
  expect(await barriers(ben.page)).toEqual([]);
  await ben.page.getByRole('button', { name: 'Accept' }).click();
  await ben.page.getByRole('link', { name: 'Trips' }).click();
  await expect(entry(ben.page, 'diary.txt')).toBeVisible();
  await expect(ben.page.getByRole('navigation', { name: 'Folder path' })).toContainText('Shared with me');
  await expect(ben.page.getByRole('button', { name: 'New', exact: true })).toBeHidden();
  await ben.page.getByRole('button', { name: 'Actions for diary.txt' }).click();
  await expect(ben.page.getByRole('menuitem')).toHaveText([/Open/, /Download/, /Details/]);
  await ben.page.keyboard.press('Escape');
  expect(await barriers(ben.page)).toEqual([]);

  await open(ben.page, '/drive/shared');
  await ben.page.getByRole('button', { name: 'More actions for Trips' }).click();
  await ben.page.getByRole('menuitem', { name: 'Leave' }).click();
  await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(toast(ben.page, 'You left “Trips”')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'People' })).not.toContainText('Can view');
  expectNoComplaints(ann.page);
  expectNoComplaints(ben.page);
});
