import { expect, test, type APIRequestContext, type Page } from '@playwright/test';
import { bar, entry, folder, open, pick, select, toast, uploadsDone } from './support/files-page.ts';
import { expectNoComplaints, get, member } from './support/people.ts';

// Feedback of the drive about its work, and stability of the page meanwhile.

test.describe.configure({ mode: 'parallel' });
test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

async function trashed(request: APIRequestContext): Promise<number> {
  const filters = encodeURIComponent('{"trashed":{"eq":true}}');
  const path = `/drive/v1/files?parent_id=*&limit=100&filters=${filters}`;
  return (await get<{ files: unknown[] }>(request, path)).files.length;
}

const text = (name: string, size: number) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(size, 'x'),
});

/** Holds back every response of an address until they are released. */
async function hold(page: Page, path: string | RegExp): Promise<{ letGo: () => void }> {
  const gate = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return { letGo: () => gate.resolve() };
}

/** Holds back the bodies of uploads until they are released. */
async function holdBodies(page: Page): Promise<{ letGo: () => void }> {
  const gate = Promise.withResolvers<void>();
  await page.route('**', async (route) => {
    if (route.request().method() === 'PUT') await gate.promise;
    await route.continue();
  });
  return { letGo: () => gate.resolve() };
}

test('the dialog for sharing several items names them, and titles the share with their number', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  for (const name of ['One', 'Two']) await folder(context.request, name);
  await open(page, '/drive/all');
  await select(page, 'One', 'Two');
  await bar(page, 'Share');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('2 items', { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^(?:One, Two|Two, One)$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByRole('dialog', { name: 'Your link is ready' })).toBeVisible();
  const { data } = await get<{ data: { title: string }[] }>(context.request, '/drive/v1/share/list?limit=10');
  expect(data.map(({ title }) => title)).toEqual(['2 items']);
});

test('a selection of files and folders shows their size, and what the folders contain', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const id = await folder(context.request, 'Folder');
  await open(page, `/drive/all/${id}`);
  await pick(page, [text('three.txt', 3)]);
  await uploadsDone(page, 1);
  await open(page, '/drive/all');
  await pick(page, [text('five.txt', 5), text('seven.txt', 7)]);
  await uploadsDone(page, 2);
  await select(page, 'Folder', 'five.txt', 'seven.txt');
  await expect(page.getByRole('toolbar').getByText(/3 selected · 15 B/)).toBeVisible();
  await page.keyboard.press('d');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('15 B');
  await expect(details).toContainText('3 files and 1 folder');
});

test('rows and header stay in place while the order of a list changes', async ({ browser }) => {
  const { page, context } = await member(browser);
  for (const name of ['Alpha', 'Beta', 'Gamma']) await folder(context.request, name);
  await open(page, '/drive/all?view=list&order=name_asc');
  await expect(page.getByRole('row', { name: 'Alpha' })).toBeVisible();
  const held = await hold(page, /\/drive\/v1\/files\?.*order=NAME_DESC/i);
  await page.getByRole('button', { name: 'Name', exact: true }).last().click();
  await page.waitForTimeout(500);
  for (const name of ['Alpha', 'Beta', 'Gamma']) await expect(page.getByRole('row', { name })).toBeVisible();
  held.letGo();
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /Alpha|Beta|Gamma/ })
      .first(),
  ).toContainText('Gamma');
});

test('a slow operation is announced before it is done', async ({ browser }) => {
  const { page, context } = await member(browser);
  for (const name of ['One', 'Two']) await folder(context.request, name);
  await open(page, '/drive/all');
  const held = await hold(page, '**/drive/v1/files:batchTrash*');
  await select(page, 'One', 'Two');
  await page.keyboard.press('Delete');
  await expect(toast(page, 'Processing 2 items…')).toBeVisible();
  // The shadow of a toast extends beyond the box around all toasts.
  await expect(page.locator('[popover=manual]', { hasText: 'Processing' })).toHaveCSS('overflow', 'visible');
  held.letGo();
  await expect(toast(page, 'Moved 2 items to the trash')).toBeVisible();
  await expect(toast(page, 'Processing 2 items…')).toBeHidden();
});

test('undoing a copy right away leaves nothing in the trash', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { request } = context;
  await folder(request, 'Target');
  await folder(request, 'Copied');
  await open(page, '/drive/all');
  await select(page, 'Copied');
  await page.keyboard.press('ControlOrMeta+c');
  await entry(page, 'Target').dblclick();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(entry(page, 'Copied')).toBeVisible();
  await toast(page, 'Copied 1 item').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('This folder is empty')).toBeVisible();
  expect(await trashed(request)).toBe(0);
});

test('buttons of the toolbar stay where they are when an upload begins and ends', async ({ browser }) => {
  const { page, context } = await member(browser);
  await folder(context.request, 'Folder');
  await open(page, '/drive/all');
  const button = page.getByRole('button', { name: 'New', exact: true }).first();
  const left = async (): Promise<number> => (await button.boundingBox())!.x;
  const before = await left();
  const held = await holdBodies(page);
  await pick(page, [text('slow.txt', 10)]);
  await expect(page.getByText('slow.txt').first()).toBeVisible();
  expect(await left()).toBe(before);
  held.letGo();
  await uploadsDone(page, 1);
  expect(await left()).toBe(before);
});

test('a running upload is named, and finished ones can be cleared meanwhile', async ({ browser }) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [text('first.txt', 10)]);
  await uploadsDone(page, 1);
  const held = await holdBodies(page);
  await pick(page, [text('second.txt', 10)]);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray.getByText('Uploading second.txt', { exact: true })).toBeVisible();
  await expect(tray.getByRole('listitem')).toHaveCount(2);
  await tray.getByRole('button', { name: 'Clear finished' }).click();
  await expect(tray.getByRole('listitem')).toHaveCount(1);
  await expect(tray.getByRole('listitem')).toContainText('second.txt');
  await expect(tray.getByText('Uploading second.txt', { exact: true })).toBeVisible();
  held.letGo();
  await uploadsDone(page, 1);
  await expect(entry(page, 'first.txt')).toBeVisible();
  await expect(entry(page, 'second.txt')).toBeVisible();
});

for (const screen of ['desktop', 'phone'] as const)
  test(`the last row of a long list is not hidden behind the selection bar on a ${screen}`, async ({
    browser,
  }) => {
    const { page, context } = await member(browser, { screen });
    for (let n = 10; n < 40; n++) await folder(context.request, `Folder ${n}`);
    await open(page, '/drive/all?view=list&order=name_asc');
    if (screen === 'phone') await page.getByRole('button', { name: 'Select', exact: true }).tap();
    const last = entry(page, 'Folder 39');
    await last.scrollIntoViewIfNeeded();
    await (screen === 'phone' ? last.tap() : last.click());
    const toolbar = page.getByRole('toolbar');
    await expect(toolbar).toBeVisible();
    await expect
      .poll(async () => {
        const [row, over] = [(await last.boundingBox())!, (await toolbar.boundingBox())!];
        return row.y + row.height <= over.y + 1;
      })
      .toBe(true);
  });

test('the name of a file is no longer announced once its preview is closed', async ({ browser }) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [text('story.txt', 20)]);
  await uploadsDone(page, 1);
  await entry(page, 'story.txt').dblclick();
  await expect(page.getByText('x'.repeat(20))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: 'story.txt' })).toBeFocused();
  await expect
    .poll(async () => (await page.locator('[aria-live]').allTextContents()).join(' '))
    .not.toContain('story.txt');
  expectNoComplaints(page);
});
