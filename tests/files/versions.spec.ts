import { expect, test, type Page } from '@playwright/test';
import { barriers } from '../support/accessibility.ts';
import { entry, open, pick, toast, uploadsDone } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const note = (text: string) => [{ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from(text) }];

async function menu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for note.txt' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('a replaced file is edited, its versions are read, and one is restored', async ({ browser }) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, note('first'));
  await uploadsDone(page, 1);
  await pick(page, note('second\r\n'));
  const conflict = page.getByRole('dialog', { name: 'Name already exists' });
  await expect(conflict).toContainText('the old content stays in its version history');
  await conflict.getByRole('button', { name: 'Replace' }).click();
  await uploadsDone(page, 2);

  // Editing: Tab indents, and after Esc it leaves the text.
  await entry(page, 'note.txt').dblclick();
  const preview = page.getByRole('dialog', { name: 'note.txt', exact: true });
  await expect(preview.getByRole('button', { name: 'Edit' })).toBeVisible();
  await page.keyboard.press('e');
  const editor = page.getByRole('dialog', { name: 'Edit note.txt' });
  const text = editor.getByRole('textbox', { name: 'note.txt' });
  await expect(text).toHaveValue('second\n');
  await text.press('ControlOrMeta+End');
  await text.press('Tab');
  await page.keyboard.type('third');
  await expect(editor.getByRole('status')).toHaveText('Unsaved changes');
  expect(await barriers(page)).toEqual([]);
  await text.press('ControlOrMeta+s');
  await expect(editor.getByRole('status')).toHaveText('Saved');
  await text.press('Escape');
  await text.press('Tab');
  await expect(text).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();

  await menu(page, 'Version history');
  const history = page.getByRole('dialog', { name: 'Version history' });
  await expect(history.getByRole('listitem')).toContainText(['Current version', '8 B', '5 B']);
  expect(await barriers(page)).toEqual([]);
  await history
    .getByRole('button', { name: /^Restore the version/ })
    .last()
    .click();
  await expect(history).toBeHidden();
  await toast(page, 'Version restored').getByRole('button', { name: 'Undo' }).click();
  await menu(page, 'Version history');
  await expect(history.getByRole('listitem')).toContainText(['15 B', '5 B', '8 B']);

  await history
    .getByRole('button', { name: /^Actions for the version/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Name this version' }).click();
  const naming = page.getByRole('dialog', { name: 'Name this version' });
  await naming.getByRole('textbox', { name: 'Name' }).fill(' Draft ');
  await page.keyboard.press('Enter');
  await expect(naming).toBeHidden();
  await expect(history.getByRole('listitem').last()).toContainText('Draft');
  expectNoComplaints(page);
});

test('a text that was saved elsewhere in the meantime is compared, and kept as a copy', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'New text file' }).click();
  await page.getByLabel('Name').fill('note.txt');
  await page.getByRole('button', { name: 'Create' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit note.txt' });
  await editor.getByRole('textbox').fill('mine\n');
  const { files } = (await (await context.request.get('/drive/v1/files')).json()) as {
    files: { id: string }[];
  };
  const elsewhere = await context.request.post(`/drive/v1/files/${files[0]!.id}/content`, {
    headers: { 'content-type': 'application/octet-stream', 'sec-fetch-site': 'same-origin' },
    data: Buffer.from('{"base":"*"}\ntheirs\n'),
  });
  expect(elsewhere.status()).toBe(200);
  await editor.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('alertdialog', { name: 'Someone saved this file in the meantime' });
  await question.getByRole('button', { name: 'Compare' }).click();
  await expect(question).toContainText('− theirs');
  await expect(question).toContainText('+ mine');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // However often somebody tries to leave, the changes aren't lost without an answer.
  const leaving = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  for (let tries = 0; tries < 3; tries += 1) {
    for (let keys = 0; keys < 3 && !(await leaving.isVisible()); keys += 1)
      await page.keyboard.press('Escape');
    await expect(leaving).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(leaving).toBeHidden();
  }
  expect(
    await page.evaluate(() => document.querySelector('dialog textarea')?.closest(':modal') !== null),
  ).toBe(true);
  await editor.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Save as a copy' }).click();
  await expect(entry(page, 'note(1).txt')).toBeVisible();
  await expect(editor).toBeHidden();
});
