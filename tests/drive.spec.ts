import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type APIRequestContext } from '@playwright/test';
import { dragUntilOpen, dropFromDesktop } from './support/dragging.ts';
import {
  bar,
  entry,
  folder,
  goTo,
  open,
  pick,
  ready,
  select,
  toast,
  uploadsDone,
} from './support/files-page.ts';
import { names } from './support/drive-names.ts';
import { expectNoComplaints, get, member, post } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
// Pages of the last journey that are still open would load data while the next one runs.
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

async function total(request: APIRequestContext, parent: string): Promise<number> {
  const filters = encodeURIComponent('{"trashed":{"eq":false}}');
  const path = `/drive/v1/files?parent_id=${parent}&limit=1&with_total=true&filters=${filters}`;
  return Number((await get<{ total: string }>(request, path)).total);
}

test('a rename acts on the entry whose menu was opened, rejects a taken name and can be undone', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  for (const name of ['Alpha', 'Beta', 'Gamma']) await folder(context.request, name);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Actions for Beta' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.getByLabel('New name for Beta');
  await field.fill('Gamma');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await field.fill('Delta');
  await field.press('Enter');
  await expect(toast(page, 'Renamed to “Delta”')).toBeVisible();
  await expect(entry(page, 'Delta')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(entry(page, 'Beta')).toBeVisible();
  expect(await names(context.request)).toEqual(['Alpha', 'Beta', 'Gamma']);

  await entry(page, 'Beta').click();
  await page.keyboard.press('F2');
  await page.getByLabel('New name for Beta').fill('Never');
  await page.keyboard.press('Escape');
  await expect(entry(page, 'Beta')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Beta' })).toBeFocused();
});

test('a new folder appears selected; items are moved by picker and by drag, also onto breadcrumbs and the trash', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  for (const name of ['One', 'Two', 'Three']) await folder(request, name);
  await open(page, '/drive/all');

  await page.keyboard.press('n');
  await page.getByRole('dialog').getByLabel('Name').fill('Keep');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { selected: true, name: 'Keep' })).toBeVisible();

  await select(page, 'One');
  await bar(page, 'Move to');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, 'Moved 1 item')).toBeVisible();
  await expect(entry(page, 'One')).toBeHidden();

  await entry(page, 'Two').dragTo(entry(page, 'Keep'));
  await expect(entry(page, 'Two')).toBeHidden();
  await expect.poll(() => names(request).then((all) => all.includes('Two'))).toBe(false);

  await entry(page, 'Keep').dblclick();
  await expect(entry(page, 'One')).toBeVisible();
  await entry(page, 'One').dragTo(
    page.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'Files' }),
  );
  await expect.poll(() => names(request)).toContain('One');
  await expect(toast(page, 'Moved 1 item').first()).toBeVisible();

  await entry(page, 'Two').dragTo(
    page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Trash' }),
  );
  await expect(toast(page, 'Moved 1 item to the trash')).toBeVisible();
  expect(await names(request, '', true)).toEqual(['Two']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(entry(page, 'Two')).toBeVisible();
  await expect(toast(page, 'Undone: Moved 1 item to the trash')).toBeVisible();
  expectNoComplaints(page);
});

test('items dropped into a folder that opened under the pointer, and files from the desktop, go into that folder', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const [full, empty] = [await folder(request, 'Full'), await folder(request, 'Empty')];
  await folder(request, 'Inside', full);
  for (const name of ['One', 'Two']) await folder(request, name);
  const area = page.locator('[data-listing]');

  for (const [what, into, id] of [
    ['One', 'Full', full],
    ['Two', 'Empty', empty],
  ] as const) {
    await open(page, '/drive/all');
    await dragUntilOpen(page, entry(page, what), into);
    await area.hover({ position: { x: 500, y: 560 } });
    await page.mouse.up();
    await expect(entry(page, what)).toBeVisible();
    await expect.poll(() => names(request, id)).toContain(what);
  }

  await open(page, '/drive/all');
  const desktop = join(import.meta.dirname, '..');
  await dropFromDesktop(page, [join(desktop, 'LICENSE')], entry(page, 'Full'));
  await expect.poll(() => names(request, full)).toContain('LICENSE');
  await expect(page.getByText('Drop to upload')).toBeHidden();
  await dropFromDesktop(page, [join(desktop, 'README.md')], area, { x: 500, y: 560 });
  await expect(entry(page, 'README.md')).toBeVisible();
  const places = page.getByRole('navigation', { name: 'Navigation' });
  await open(page, `/drive/all/${full}`);
  await dropFromDesktop(page, [join(desktop, 'package.json')], places.getByRole('link', { name: 'Files' }));
  await expect.poll(() => names(request)).toEqual(['Empty', 'Full', 'package.json', 'README.md']);
  await dropFromDesktop(page, [join(desktop, 'LICENSE')], places.getByRole('link', { name: 'Shares' }));
  await expect(page).toHaveURL(new RegExp(full));
  expectNoComplaints(page);
});

test('cut and copied items are pasted elsewhere; pictures from the clipboard are uploaded', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const target = await folder(request, 'Target');
  for (const name of ['Cut', 'Copied']) await folder(request, name);
  await open(page, '/drive/all');
  await select(page, 'Cut');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(toast(page, '1 item cut')).toBeVisible();
  await entry(page, 'Target').dblclick();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(entry(page, 'Cut')).toBeVisible();
  await page.goBack();
  await select(page, 'Copied');
  await page.keyboard.press('ControlOrMeta+c');
  await entry(page, 'Target').dblclick();
  await expect(entry(page, 'Cut')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(entry(page, 'Copied')).toBeVisible();
  expect(await names(request)).toEqual(['Copied', 'Target']);
  expect(await names(request, target)).toEqual(['Copied', 'Cut']);

  await page.reload();
  await expect(entry(page, 'Cut')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const carried = new DataTransfer();
    carried.items.add(new File(['picture'], 'image.png', { type: 'image/png' }));
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }),
    );
  });
  await uploadsDone(page, 1);
  expect((await names(request, target)).filter((name) => /^Pasted .*\.png$/.test(name))).toHaveLength(1);
});

test('the trash restores and permanently deletes, and Shift+Delete asks first', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { request } = context;
  for (const name of ['Back', 'Gone', 'Third']) await folder(request, name);
  await open(page, '/drive/all');
  await select(page, 'Back', 'Gone');
  await page.keyboard.press('Delete');
  await expect(toast(page, 'Moved 2 items to the trash')).toBeVisible();
  await select(page, 'Third');
  await page.keyboard.press('Shift+Delete');
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row', { name: 'Third' })).toBeFocused();
  expect(await names(request)).toEqual(['Third']);

  await goTo(page, 'Trash');
  await expect(page.getByText('in 30 days').first()).toBeVisible();
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
  await expect(rows.filter({ hasText: 'Back' }).getByText('Files', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(rows.nth(1)).toContainText('Back');
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(rows.nth(1)).toContainText('Gone');
  await select(page, 'Back');
  await bar(page, 'Restore');
  await expect(toast(page, 'Restored 1 item')).toBeVisible();
  await expect.poll(() => names(request)).toEqual(['Back', 'Third']);
  await select(page, 'Gone');
  await bar(page, 'Delete forever');
  await question.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await expect.poll(() => names(request, '', true)).toEqual([]);
  expectNoComplaints(page);
});

test('stars are set by keyboard and listed; undoing a move from the starred list restores each place', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const deep = await folder(request, 'Deep');
  await folder(request, 'Target');
  const other = await folder(request, 'Other');
  await folder(request, 'Inner', deep);
  const outer = await folder(request, 'Outer', other);
  await post(request, '/drive/v1/files:star', { ids: [outer] });
  await open(page, `/drive/all/${deep}`);
  await select(page, 'Inner');
  await page.keyboard.press('s');
  await expect(toast(page, 'Starred 1 item')).toBeVisible();
  await goTo(page, 'Starred');
  await select(page, 'Inner', 'Outer');
  await bar(page, 'Move to');
  await page.getByRole('dialog').getByRole('button', { name: 'Target' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await expect(toast(page, 'Moved 2 items')).toBeVisible();
  expect(await names(request, deep)).toEqual([]);
  expect(await names(request, other)).toEqual([]);
  await toast(page, 'Moved 2 items').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'Undone: Moved 2 items')).toBeVisible();
  expect(await names(request, deep)).toEqual(['Inner']);
  expect(await names(request, other)).toEqual(['Outer']);
});

test('all but one of more than a thousand items are moved and trashed', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const many = await folder(request, 'Many');
  await folder(request, 'Target');
  for (let n = 0; n < 36; n++) await folder(request, `thing ${n}`, many);
  for (let count = 36; count < 1100; count *= 2) {
    await post(request, '/drive/v1/files:batchCopy', { all_in: many, to: { parent_id: many } });
    await expect.poll(() => total(request, many), { timeout: 60_000 }).toBe(count * 2);
  }
  await open(page, `/drive/all/${many}?order=name_asc`);
  await entry(page, 'thing 0').click();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('toolbar').getByText('1,152 selected')).toBeVisible();
  await entry(page, 'thing 0').click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByRole('toolbar').getByText('1,151 selected')).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(toast(page, 'Moved 1,151 items to the trash')).toBeVisible({ timeout: 60_000 });
  expect(await names(request, many)).toEqual(['thing 0']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => total(request, many), { timeout: 60_000 }).toBe(1152);
});

test('a keyboard is enough to browse, open, go up, select and use menus, and the focus returns', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const alpha = await folder(request, 'Alpha');
  for (const name of ['Beta', 'Gamma']) await folder(request, name);
  await folder(request, 'Inside', alpha);
  await open(page, '/drive/all');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the files' })).toBeFocused();

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row', { name: 'Gamma' })).toBeFocused();
  for (const letter of 'alp') await page.keyboard.press(letter);
  await expect(page.getByRole('row', { name: 'Alpha', selected: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Inside')).toBeVisible();
  await expect(page.getByRole('row', { name: 'Inside' })).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('row', { name: 'Alpha' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('row', { name: 'Beta', selected: true })).toBeVisible();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: 'Beta' })).toBeFocused();
  await page.keyboard.press('d');
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await page.keyboard.press('d');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText('3 selected', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar')).toBeHidden();

  // The newest comes first: Gamma, Beta, Alpha.
  const selected = () => page.getByRole('row', { selected: true });
  await entry(page, 'Gamma').click();
  await entry(page, 'Beta').click({ modifiers: ['Shift'] });
  await expect(selected()).toHaveText(['Gamma', 'Beta']);
  await entry(page, 'Alpha').click();
  await entry(page, 'Gamma').click({ modifiers: ['Shift'] });
  await expect(selected()).toHaveText(['Gamma', 'Beta', 'Alpha']);
  await entry(page, 'Beta').click({ modifiers: ['Shift'] });
  await expect(selected()).toHaveText(['Beta', 'Alpha']);
  await entry(page, 'Gamma').click();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selected()).toHaveText(['Gamma', 'Beta']);
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selected()).toHaveText(['Gamma', 'Beta', 'Alpha']);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(selected()).toHaveText(['Gamma', 'Beta']);
  expectNoComplaints(page);
});

test('opening folders loads no route manifests from the server', async ({ browser }) => {
  const { page, context } = await member(browser);
  const outer = await folder(context.request, 'Outer');
  const inner = await folder(context.request, 'Inner', outer);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open(page, '/drive/all');
  await entry(page, 'Outer').dblclick();
  await entry(page, 'Inner').dblclick();
  await expect(page).toHaveURL(new RegExp(`/drive/all/${inner}$`));
  await expect(page.getByText('This folder is empty')).toBeVisible();
  expect(asked).toContain('/drive/v1/files');
  expect(asked).not.toContain('/__manifest');
});

test('a date is shown in full on hover, in the details and for screen readers, in the reader’s time zone', async ({
  browser,
}) => {
  const { page, context } = await member(browser, { zone: 'Asia/Tokyo' });
  const body = { kind: 'drive#folder', parent_id: '', name: 'Dated' };
  const { file } = await post<{ file: { modified_time: string } }>(context.request, '/drive/v1/files', body);
  const full = new Intl.DateTimeFormat('en-US', {
    timeZone: 'Asia/Tokyo',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(file.modified_time));
  await open(page, '/drive/all?view=list');
  const date = page
    .getByRole('row')
    .filter({ hasText: 'Dated' })
    .getByRole('gridcell')
    .locator('time:visible');
  await expect(date).toHaveAttribute('datetime', file.modified_time);
  await expect(date.locator('[aria-hidden]')).toHaveText(/^\d\d-\d\d-\d\d \d\d:\d\d$/);
  await expect(date.locator('.sr-only')).toHaveText(`${full} GMT+9`);
  await date.hover();
  await expect(page.locator('[popover=manual]').getByText(`${full} GMT+9`)).toBeVisible();
  await entry(page, 'Dated').click();
  await page.keyboard.press('d');
  await expect(page.getByRole('complementary').getByText(`${full} GMT+9`)).toHaveCount(2);
  expectNoComplaints(page);
});

test('an uploaded file shows its own date, and a rename does not move it in a list sorted by date', async ({
  browser,
}, info) => {
  const { page } = await member(browser);
  const dated = (name: string, date: string): string => {
    const path = info.outputPath(name);
    writeFileSync(path, name);
    utimesSync(path, new Date(date), new Date(date));
    return path;
  };
  await open(page, '/drive/all?view=list');
  await pick(page, [
    dated('First.txt', '2020-05-01T10:00:00Z'),
    dated('Second.txt', '2021-06-02T11:30:00Z'),
    dated('Third.txt', '2022-07-03T12:45:00Z'),
  ]);
  await uploadsDone(page, 3);
  const rows = page.getByRole('row').filter({ hasText: '.txt' });
  await page.getByRole('button', { name: 'Modified', exact: true }).last().click();
  const oldestFirst = ['20-05-01 10:00', '21-06-02 11:30', '22-07-03 12:45'];
  const dates = rows.locator('time:visible > [aria-hidden]');
  await expect(dates).toHaveText(oldestFirst);
  await entry(page, 'Second.txt').click();
  await page.keyboard.press('F2');
  await page.getByLabel('New name for Second.txt').fill('Renamed.txt');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Renamed')).toBeVisible();
  await expect(rows.nth(1)).toContainText('Renamed.txt');
  await page.reload();
  await ready(page);
  await expect(rows.nth(1)).toContainText('Renamed.txt');
  await expect(dates).toHaveText(oldestFirst);
});

test('changes in one tab appear in another', async ({ browser }) => {
  const { page, context } = await member(browser);
  await folder(context.request, 'Before');
  const other = await context.newPage();
  await open(page, '/drive/all');
  await open(other, '/drive/all');
  await entry(page, 'Before').click();
  await page.keyboard.press('F2');
  await page.getByLabel('New name for Before').fill('After');
  await page.keyboard.press('Enter');
  await expect(entry(other, 'After')).toBeVisible();
});

test('an action in the address moves or highlights items or shows the storage, once', async ({ browser }) => {
  const { page, context } = await member(browser);
  const id = await folder(context.request, 'Wanted');
  await folder(context.request, 'Target');
  await open(page, `/drive/all?action=highlight_files&file_ids=${id}`);
  await expect(page.getByRole('row', { name: 'Wanted', selected: true })).toBeVisible();
  await expect(page).toHaveURL(/\/drive\/all$/);
  await open(page, `/drive/all?action=move_files&file_ids=${id}`);
  await expect(page.getByRole('dialog', { name: 'Move 1 item' })).toBeVisible();
  await page.keyboard.press('Escape');
  await open(page, '/drive/all?action=show_storage_dialog');
  await expect(page.getByRole('dialog', { name: 'Storage' })).toBeVisible();
  await page.reload();
  await expect(entry(page, 'Target')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a share link is created, changed, paused and stopped', async ({ browser }) => {
  const { page, context } = await member(browser);
  await folder(context.request, 'Shared');
  await open(page, '/drive/all');
  await select(page, 'Shared');
  await bar(page, 'Share');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await goTo(page, 'Shares');
  const menu = page.getByRole('button', { name: 'More actions for Shared' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Title').fill('Better');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('link', { name: 'Better' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('link', { name: 'Shared' })).toBeVisible();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await toast(page, 'The link is paused').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
});

test('on a phone, a button starts selecting, items have menus, and going back keeps the scroll position', async ({
  browser,
}) => {
  const { page, context } = await member(browser, { screen: 'phone' });
  const { request } = context;
  for (let n = 10; n < 50; n++) await folder(request, `Folder ${n}`);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Select', exact: true }).tap();
  await entry(page, 'Folder 49').tap();
  await entry(page, 'Folder 48').tap();
  await expect(page.getByText('2 selected', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).tap();
  await page.getByRole('button', { name: 'Actions for Folder 48' }).tap();
  await page.getByRole('menuitem', { name: 'Details' }).tap();
  await expect(
    page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Folder 48' }),
  ).toBeVisible();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: 'Close' }).tap();
  await expect(page.getByRole('toolbar')).toBeHidden();

  const scrolled = (): Promise<number> =>
    page.getByRole('grid').evaluate((grid) => grid.parentElement!.scrollTop);
  await page.getByRole('grid').evaluate((grid) => (grid.parentElement!.scrollTop = 1400));
  await expect.poll(scrolled).toBe(1400);
  await page.touchscreen.tap(90, 400);
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('grid')).toBeVisible();
  await expect.poll(scrolled).toBe(1400);
});
