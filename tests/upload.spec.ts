import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page, type TestInfo } from '@playwright/test';
import { choose, entry, folder, open, pick, toast, uploadBy, uploadsDone } from './support/files-page.ts';
import { idOf, names } from './support/drive-names.ts';
import { member } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
// Pages of the last journey that are still open would load while the next one runs.
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const note = (name: string, text = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** A file that is uploaded in several parts. */
function largeFile(info: TestInfo, megabytes = 34): string {
  const path = info.outputPath('Recording.bin');
  writeFileSync(path, randomBytes(megabytes * 2 ** 20));
  return path;
}

/** Requests that carry the bytes of parts; those after the first `free` ones wait until they are released. */
async function holdParts(
  page: Page,
  free: number,
): Promise<{ sent: () => number; letGo: () => Promise<void> }> {
  let sent = 0;
  const isPart = (url: URL): boolean => url.searchParams.has('partNumber');
  await page.route(isPart, (route) => {
    sent += 1;
    // A request that is neither answered nor rejected hangs, as if the network were gone.
    return sent <= free ? route.continue() : undefined;
  });
  return { sent: () => sent, letGo: () => page.unrouteAll({ behavior: 'ignoreErrors' }) };
}

test('a name conflict can keep both items, replace the old one or skip the new one', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { request } = context;
  await open(page, '/drive/all');
  await pick(page, [note('a.txt', 'first')]);
  await uploadsDone(page, 1);
  const dialog = page.getByRole('dialog', { name: 'Name already exists' });

  await pick(page, [note('a.txt', 'second')]);
  await expect(dialog.getByRole('definition')).toHaveText([/^5 B · \S/, /^6 B · \S/]);
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await uploadsDone(page, 2);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray.getByRole('listitem').first().getByText('a(1).txt')).toBeVisible();
  expect(await names(request)).toEqual(['a(1).txt', 'a.txt']);

  await pick(page, [note('a.txt', 'third'), note('a(1).txt', 'third')]);
  await dialog.getByText('Apply to 1 more').click();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await uploadsDone(page, 4);
  expect(await names(request)).toEqual(['a(1).txt', 'a.txt']);
  // The old contents are in the version history, not in the trash.
  expect(await names(request, '', true)).toEqual([]);

  await pick(page, [note('a.txt', 'fourth')]);
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(page.getByText('Skipped')).toBeVisible();
  expect(await names(request, '', true)).toEqual([]);

  await tray.getByRole('button', { name: 'Close uploads' }).click();
  await expect(tray).toBeHidden();
  await pick(page, [note('b.txt')]);
  await uploadsDone(page, 1);
  await expect(tray.getByRole('listitem')).toHaveCount(1);
});

test('an upload can be paused, resumed and, after a failure, retried', async ({ browser }, info) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/all');
  const parts = await holdParts(page, 1);
  await uploadBy(page, 'Upload files', largeFile(info));
  await expect.poll(parts.sent).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Pause Recording.bin' }).click();
  await expect(page.getByText('1 upload is paused')).toBeVisible();
  await parts.letGo();
  await page.getByRole('button', { name: 'Resume Recording.bin' }).click();
  await uploadsDone(page, 1);

  await page.route(
    (url) => url.searchParams.size === 0 && url.pathname.split('/').length === 3,
    (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 403, body: '' }) : route.continue(),
  );
  await pick(page, [note('later.txt')]);
  await expect(page.getByText('1 upload failed')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry later.txt' }).click();
  await uploadsDone(page, 2);
  expect(await names(context.request)).toEqual(['later.txt', 'Recording.bin']);
});

test('an upload resumes after a reload with the same file, and another file is rejected', async ({
  browser,
}, info) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/all');
  const path = largeFile(info, 66);
  const parts = await holdParts(page, 2);
  await uploadBy(page, 'Upload files', path);
  await expect.poll(parts.sent, { timeout: 30_000 }).toBeGreaterThan(4);
  await page.close({ runBeforeUnload: false });

  const again = await context.newPage();
  await open(again, '/drive/all');
  const later = await holdParts(again, 100);
  await expect(again.getByText('Choose the same file to continue')).toBeVisible();
  await expect(again.getByText(/^\d[\d.]* MB of 66 MB/)).toBeVisible();
  await choose(again, again.getByRole('button', { name: 'Choose Recording.bin again to continue' }), [
    note('Recording.bin'),
  ]);
  await expect(toast(again, 'That’s a different file')).toBeVisible();
  await choose(again, again.getByRole('button', { name: 'Choose Recording.bin again to continue' }), path);
  await uploadsDone(again, 1);
  // 66 MB are five parts, of which at least two had arrived: requests that were held back may go through when their
  // page closes.
  expect(later.sent()).toBeLessThanOrEqual(3);
  await expect(entry(again, 'Recording.bin')).toBeVisible();
});

test('without a network a banner says so, a folder reports that it can’t be loaded, and uploads wait', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  await folder(context.request, 'Within', await folder(context.request, 'Unseen'));
  await open(page, '/drive/all');
  await context.setOffline(true);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await entry(page, 'Unseen').dblclick();
  await expect(page.getByRole('heading', { name: 'Couldn’t load this' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toBeVisible();
  await context.setOffline(false);
  await expect(entry(page, 'Within')).toBeVisible();
  await expect(page.getByText('You’re offline.')).toBeHidden();
  await pick(page, [note('a.txt')]);
  await uploadsDone(page, 1);
});

test('a folder of several hundred small files is uploaded in a few requests, also over a bad network', async ({
  browser,
}, info) => {
  const { page, context } = await member(browser);
  const folders = ['', 'Inner', 'Inner/Innermost'];
  const wanted = folders.map((path) => Array.from({ length: 150 }, (_, at) => `${path.length}-${at}.txt`));
  for (const [at, path] of folders.entries()) {
    const place = info.outputPath('Many', path);
    mkdirSync(place, { recursive: true });
    for (const name of wanted[at]!) writeFileSync(join(place, name), `content of ${name}`);
  }
  let batches = 0;
  let others = 0;
  await page.route('**/drive/v1/files:batchUpload', async (route) => {
    batches += 1;
    // The server gets the first request, but its reply is lost; the third one never arrives.
    if (batches === 1) await route.fetch();
    if (batches === 1 || batches === 3) await route.abort('connectionreset');
    else await route.continue();
  });
  page.on('request', (request) => void (others += Number(request.method() === 'PUT')));
  await open(page, '/drive/all');
  await uploadBy(page, 'Upload folder', info.outputPath('Many'));
  await expect.poll(() => batches).toBeGreaterThan(4);
  await context.setOffline(true);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await context.setOffline(false);
  await uploadsDone(page, 450);
  expect(batches).toBeLessThan(40);
  expect(others).toBeLessThan(20);

  let parent = '';
  for (const [at, path] of folders.entries()) {
    const name = path.split('/').at(-1) || 'Many';
    parent = await idOf(context.request, name, parent);
    const inside = (await names(context.request, parent)).filter((one) => one.endsWith('.txt'));
    expect(inside.toSorted()).toEqual(wanted[at]!.toSorted());
  }
});
