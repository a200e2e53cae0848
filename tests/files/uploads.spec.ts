import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { barriers, overflow } from '../support/accessibility.ts';
import { names } from '../support/drive-names.ts';
import { choose, entry, open, pick, uploadBy, uploadsDone } from '../support/files-page.ts';
import { expectNoComplaints, member, visitor } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** Small files with such names fail until this is released. */
async function refuseNames(page: Page, refused: RegExp): Promise<() => Promise<void>> {
  const address = '**/drive/v1/files:batchUpload';
  await page.route(address, async (route) => {
    const { files } = JSON.parse(route.request().postDataBuffer()!.toString('utf8').split('\n')[0]!) as {
      files: { name: string }[];
    };
    const reply = await route.fetch();
    const { results } = (await reply.json()) as { results: object[] };
    const error = { id: '', error: 'disk_full', error_description: 'The disk is full.' };
    await route.fulfill({
      json: {
        results: results.map((result, at) =>
          refused.test(files[at]!.name) ? { ...result, ...error } : result,
        ),
      },
    });
  });
  return () => page.unroute(address);
}

test('a folder shows where uploads failed and why, and each of its folders is retried', async ({
  browser,
}, info) => {
  const { page } = await member(browser);
  const folder = info.outputPath('Photos');
  for (const [year, count] of [
    ['2023', 5],
    ['2024', 9],
  ] as const) {
    mkdirSync(join(folder, year, 'Trip'), { recursive: true });
    for (let at = 0; at < count; at++)
      writeFileSync(join(folder, year, 'Trip', `${year}-${at}.txt`), `${at}`);
    writeFileSync(join(folder, year, 'index.txt'), year);
  }
  await open(page, '/drive/all');
  const release = await refuseNames(page, /^2024-[13]/);
  await uploadBy(page, 'Upload folder', folder);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect(tray.getByText('2 uploads failed')).toBeVisible();
  await expect(tray.getByRole('listitem')).toHaveCount(1);
  await expect(tray.getByText('2 of 16 failed: The disk is full.')).toBeVisible();

  await tray.getByRole('button', { name: /^Photos/ }).click();
  await expect(tray.getByText('2 of 10 failed: The disk is full.')).toBeVisible();
  // The folder with failures is first, and the other one says nothing of them.
  await expect(tray.getByRole('listitem')).toContainText(['Photos', '2024', '2023']);
  await tray.getByRole('button', { name: /^2024/ }).click();
  await tray.getByRole('button', { name: /^Trip/ }).click();
  await expect(tray.getByRole('listitem').nth(3)).toContainText('2024-1.txt');
  expect(await barriers(page)).toEqual([]);

  await release();
  await tray.getByRole('button', { name: 'Retry Trip' }).click();
  await uploadsDone(page, 16);
  expectNoComplaints(page);
});

test('a proxy that limits bodies delays an upload, and a phone takes a photo and gets a file by a code', async ({
  browser,
}) => {
  const { page, context } = await member(browser, { screen: 'phone' });
  // Intercepted requests don't show the bodies of files.
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof Blob) this.setRequestHeader('x-size', String(body.size));
      send.call(this, body);
    };
  });
  await open(page, '/drive/all');
  const bytes = randomBytes(5 * 2 ** 20 + 3);
  const sizes: number[] = [];
  await page.route(
    (url) => url.pathname.startsWith('/bowerbird-upload/'),
    async (route) => {
      const request = route.request();
      if (request.method() !== 'PUT') return route.continue();
      const size = Number(request.headers()['x-size']);
      if (size > 2 * 2 ** 20) return route.fulfill({ status: 413, body: 'Request Entity Too Large' });
      sizes.push(size);
      return route.continue();
    },
  );
  await pick(page, [{ name: 'film.bin', mimeType: 'application/octet-stream', buffer: bytes }]);
  await expect(entry(page, 'film.bin')).toBeVisible();
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes.length);
  await page.unrouteAll({ behavior: 'wait' });

  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  const photo = [{ name: 'image.jpg', mimeType: 'image/jpeg', buffer: randomBytes(500) }];
  await choose(page, page.getByRole('menuitem', { name: 'Take a photo or video' }), photo);
  const taken = expect.stringMatching(/^Photo \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg$/) as unknown as string;
  await expect.poll(() => names(context.request)).toEqual(['film.bin', taken]);

  await page.getByRole('button', { name: 'Actions for film.bin' }).click();
  await page.getByRole('menuitem', { name: 'Send to another device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to another device' });
  await expect(dialog.getByRole('img', { name: 'QR code to download film.bin' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await visitor(browser);
  const reply = await other.context.request.get(link);
  expect((await reply.body()).equals(bytes)).toBe(true);
});
