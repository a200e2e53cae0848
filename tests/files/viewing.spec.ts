import { expect, test, type Page } from '@playwright/test';
import sharp from 'sharp';
import { barriers } from '../support/accessibility.ts';
import { entry, folder, open, pick, ready, uploadsDone } from '../support/files-page.ts';
import { expectNoComplaints, member } from '../support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const headers = (page: Page) => page.getByRole('columnheader').filter({ visible: true });
const fileOf = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

test('a list has the columns, rows and order that its reader chose; separators of its path open the folders beside', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const { request } = context;
  const music = await folder(request, 'Music');
  await folder(request, 'Letters');
  const jazz = await folder(request, 'Jazz', music);
  await folder(request, 'Blues', music);
  await folder(request, 'Live', jazz);
  await open(page, `/drive/all/${jazz}`);
  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('menuitemradio', { name: 'List' }).click();
  await expect(headers(page)).toHaveText(['', 'Name', 'Modified', 'Size', 'Actions']);
  const row = page.getByRole('row').filter({ hasText: 'Live' });
  const height = (await row.boundingBox())!.height;

  await page.getByRole('columnheader').getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  expect(await barriers(page)).toEqual([]);
  await dialog.getByText('Type', { exact: true }).click();
  await dialog.getByText('Modified', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Move Type up' }).focus();
  await page.keyboard.press('Enter');
  // The button that was used is at its end now.
  await expect(dialog.getByRole('button', { name: 'Move Type down' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(headers(page)).toHaveText(['', 'Name', 'Type', 'Size', 'Actions']);
  await expect(row).toContainText('Folder');
  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
  await expect.poll(async () => (await row.boundingBox())!.height).toBeLessThan(height);
  await page.reload();
  await ready(page);
  await expect(headers(page)).toHaveText(['', 'Name', 'Type', 'Size', 'Actions']);
  expect((await row.boundingBox())!.height).toBeLessThan(height);

  // Printing replaces the page with a plain table.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table').getByRole('row')).toHaveText(['NameTypeSize', /^LiveFolder/]);
  await expect(page.getByRole('main')).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });

  const path = page.getByRole('navigation', { name: 'Folder path' });
  await path.getByRole('button', { name: 'Folders in Music' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem')).toHaveText(['Blues', 'Jazz']);
  await expect(page.getByRole('menuitem', { name: 'Jazz' })).toHaveAttribute('aria-current', 'true');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Blues' })).toBeVisible();
  await path.getByRole('button', { name: 'Folders in Files' }).click();
  await page.getByRole('menuitem', { name: 'Letters' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Letters' })).toBeVisible();
  expectNoComplaints(page);
});

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="document.title='run'">
  <script>top.document.title = 'run'</script><rect width="90" height="60" fill="teal"/></svg>`;
const CSV = `name;sum\n"Ann; ""A""";1,5\n<img src=x onerror=alert(1)>;2,25\n${'x;1\n'.repeat(5000)}`;

/** A photo that says when, where and with which camera it was taken. */
const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .withExif({
      IFD0: { Make: 'NIKON CORPORATION', Model: 'NIKON Z 6' },
      IFD2: { DateTimeOriginal: '2026:07:14 10:20:30', ExposureTime: '1/250', FNumber: '28/10' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 51/1 30/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '2/1 17/1 40/1',
      },
    })
    .jpeg()
    .toBuffer();

test('programs have colors, tables are tables, drawings are pictures, and other files say why not', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await pick(page, [
    fileOf('a.ts', '// twice\nexport const a = "<b>" + 1;\n'),
    fileOf('b.csv', CSV),
    fileOf('c.svg', DRAWING),
    fileOf('d.docx', 'PK'),
    fileOf('e.glb', 'glTF'),
    { name: 'f.jpg', mimeType: 'image/jpeg', buffer: await photo() },
  ]);
  await uploadsDone(page, 6);
  const preview = page.getByRole('dialog');
  await entry(page, 'a.ts').dblclick();
  await expect(preview.locator('.code-comment')).toHaveText('// twice');
  await expect(preview.locator('.code-string')).toHaveText('"<b>"');
  expect(await barriers(page)).toEqual([]);

  await page.goto('/drive/all');
  await entry(page, 'b.csv').dblclick();
  const table = preview.getByRole('table', { name: 'b.csv' });
  await expect(table.getByRole('columnheader')).toHaveText(['Row', 'name', 'sum']);
  await expect(table.getByRole('cell')).toContainText([
    'Ann; "A"',
    '1,5',
    '<img src=x onerror=alert(1)>',
    '2,25',
  ]);
  await expect(table).toHaveAttribute('aria-rowcount', '5003');
  expect(await table.getByRole('row').count()).toBeLessThan(100);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('End');
  await expect(table.getByRole('rowheader', { name: '5002' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'sum' })).toBeInViewport();

  await page.goto('/drive/all');
  await entry(page, 'c.svg').dblclick();
  const picture = preview.getByRole('img', { name: 'c.svg' });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([90, 60]);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  // Its thumbnail is a picture, too.
  await expect
    .poll(() =>
      page
        .locator('[role=row] img, [role=gridcell] img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  await expect(page).not.toHaveTitle('run');

  await entry(page, 'd.docx').dblclick();
  await expect(preview.getByText('Office documents can’t be shown in the browser')).toBeVisible();
  await page.keyboard.press('Escape');
  await entry(page, 'e.glb').dblclick();
  await expect(preview.getByText('3D models can’t be shown in the browser')).toBeVisible();
  await expect(preview.getByRole('link', { name: 'Download' }).last()).toBeVisible();

  await page.keyboard.press('Escape');
  await entry(page, 'f.jpg').dblclick();
  await expect(preview.getByRole('img', { name: 'f.jpg' })).toBeVisible();
  await page.keyboard.press('d');
  const details = preview.getByRole('complementary');
  await expect(details).toContainText(/Dimensions60 × 40Taken.*26-07-14 10:20/);
  await expect(details).toContainText('CameraNIKON Z 6');
  await expect(details).toContainText('1/250 s · ƒ/2.8');
  await expect(details.getByRole('link', { name: '48.85833, 2.29444' })).toHaveAttribute(
    'href',
    /^https:\/\/www\.openstreetmap\.org\//,
  );
  expect(await barriers(page)).toEqual([]);
  expectNoComplaints(page);
});
