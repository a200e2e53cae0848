import { randomBytes } from 'node:crypto';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { choose, entry, goTo, open, ready, toast, uploadsDone } from './support/files-page.ts';
import { startOrigin, torrentFile, type Origin } from './support/origin.ts';
import { expectNoComplaints, get, member, PASSWORD, post, visitor } from './support/people.ts';

test.use({ actionTimeout: 20_000 });

let origin: Origin;
test.beforeAll(async () => {
  origin = await startOrigin();
});
test.afterAll(() => origin[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Add links' });
const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Links, one per line' });
const card = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) });
const tab = (page: Page, name: 'Running' | 'Finished' | 'Failed'): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) });

async function addLinks(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Add links' }).click();
  await box(page).fill(text);
}

/** Drops a file from outside the browser on an element. */
async function dropFile(target: Locator, name: string, text: string): Promise<void> {
  await target.evaluate(
    (element, [fileName, content]) => {
      const carried = new DataTransfer();
      carried.items.add(new File([content!], fileName!, { type: 'text/plain' }));
      for (const type of ['dragenter', 'dragover', 'drop'])
        element.dispatchEvent(
          new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }),
        );
    },
    [name, text],
  );
}

const folders = async (page: Page, parent = ''): Promise<Record<string, string>> => {
  const { files } = await get<{ files: { id: string; name: string }[] }>(
    page.context().request,
    `/drive/v1/files?parent_id=${parent}&limit=100&filters=${encodeURIComponent('{"trashed":{"eq":false}}')}`,
  );
  return Object.fromEntries(files.map(({ id, name }) => [name, id]));
};

test('links in running text are counted, inspected, downloaded, and opened in their folder', async ({
  browser,
}) => {
  const { page } = await member(browser);
  origin.serve('/Letter.txt', Buffer.from('Dear reader of letters'));
  origin.serve('/Song of the bower.flac', randomBytes(200_000));
  await open(page, '/drive/all');
  await addLinks(
    page,
    `Have a look at ${origin.url}/Letter.txt, and\n${origin.url}/Song%20of%20the%20bower.flac\n${origin.url}/Letter.txt#top\nnothing here`,
  );
  await expect(dialog(page).getByText('2 links · 1 duplicate · 1 line without a link')).toBeVisible();
  const found = dialog(page).getByRole('list', { name: 'Links found' });
  await expect(found.getByText('22 B · text/plain')).toBeVisible();
  await expect(found.getByText('195 KB · audio/flac')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Start 2 downloads' }).click();

  await expect(page).toHaveURL(/\/drive\/transfers/);
  await tab(page, 'Finished').click();
  await expect(card(page, 'Letter.txt')).toBeVisible({ timeout: 30_000 });
  await expect(card(page, 'Song of the bower.flac')).toContainText('195 KB', { timeout: 30_000 });
  await expect(tab(page, 'Finished')).toHaveText(/2/);
  await expect(page).not.toHaveURL(/action=/);

  await card(page, 'Letter.txt').getByRole('link', { name: 'Show Letter.txt in its folder' }).click();
  await expect(
    page.getByRole('heading', { name: 'My Pack' }).or(page.getByText('My Pack')).first(),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: 'Letter.txt', selected: true })).toBeVisible();
  await entry(page, 'Letter.txt').dblclick();
  await expect(page.getByText('Dear reader of letters')).toBeVisible();
  expectNoComplaints(page);
});

test('finished downloads are announced on every page of the drive', async ({ browser }) => {
  const { page } = await member(browser);
  const { promise: until, resolve: finish } = Promise.withResolvers<void>();
  origin.serve('/slow-map.pdf', randomBytes(3_000_000), { until });
  await open(page, '/drive/starred');
  await post(page.context().request, '/drive/v1/files', {
    kind: 'drive#file',
    upload_type: 'UPLOAD_TYPE_URL',
    parent_id: '',
    folder_type: 'DOWNLOAD',
    url: { url: `${origin.url}/slow-map.pdf` },
  });
  await page.reload();
  await expect(page).toHaveTitle(/^\(1\) Starred/);
  await expect(page.getByRole('link', { name: /^Transfers/ })).toContainText('1');
  finish();
  await toast(page, '“slow-map.pdf” is in your drive')
    .getByRole('button', { name: 'Show in folder' })
    .click({ timeout: 40_000 });
  await expect(page.getByRole('row', { name: 'slow-map.pdf', selected: true })).toBeVisible();
  await expect(page).toHaveTitle(/^My Pack/);
});

test('a failed link shows a readable reason, and works after the site is fixed', async ({ browser }) => {
  const { page } = await member(browser);
  origin.refuse('/lost.zip', 404);
  origin.refuse('/members only.zip', 403);
  for (const name of ['lost.zip', 'members%20only.zip'])
    await post(page.context().request, '/drive/v1/files', {
      kind: 'drive#file',
      upload_type: 'UPLOAD_TYPE_URL',
      parent_id: '',
      folder_type: 'DOWNLOAD',
      url: { url: `${origin.url}/${name}` },
    });
  await open(page, '/drive/transfers');
  await tab(page, 'Failed').click();
  await expect(card(page, 'lost.zip')).toContainText('The file is no longer there. Try another link.', {
    timeout: 30_000,
  });
  await expect(card(page, 'members only.zip')).toContainText('add its cookie');

  origin.serve('/lost.zip', randomBytes(5000));
  await card(page, 'lost.zip').getByRole('button', { name: 'Retry lost.zip' }).click();
  await tab(page, 'Finished').click();
  await expect(card(page, 'lost.zip')).toBeVisible({ timeout: 30_000 });

  await tab(page, 'Failed').click();
  origin.serve('/members only.zip', randomBytes(6000));
  await card(page, 'members only.zip').getByRole('button', { name: 'members only.zip', exact: true }).click();
  await page.getByRole('button', { name: 'Add cookie…' }).click();
  await dialog(page).getByLabel('Cookie').fill('session=1');
  await dialog(page).getByRole('button', { name: 'Start download' }).click();
  await tab(page, 'Finished').click();
  await expect(card(page, 'members only.zip')).toBeVisible({ timeout: 30_000 });
  await expect(tab(page, 'Failed')).toHaveText(/0/);
});

test('only available links are started, and the others stay with their errors', async ({ browser }) => {
  const { page } = await member(browser);
  origin.refuse('/gone.zip', 404);
  origin.refuse('/private.zip', 403);
  origin.serve('/small.txt', Buffer.from('done at once'));
  origin.serve('/long.iso', randomBytes(30_000_000), { bytesPerSecond: 300_000 });
  await open(page, '/drive/all');
  await addLinks(
    page,
    ['small.txt', 'gone.zip', 'long.iso', 'private.zip']
      .map((name) => `${origin.url}/${name}`)
      .concat('ftp://old.example/a.zip', 'only words')
      .join('\n'),
  );
  const unread = dialog(page).getByRole('list', { name: 'Lines without a usable link' });
  await expect(unread.getByRole('listitem')).toHaveText([
    'Line 5ftp://old.example/a.zipftp links are not supported',
    'Line 6only wordsno link',
  ]);
  await unread.getByRole('button', { name: 'only words' }).click();
  expect(
    await box(page).evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    ),
  ).toBe('only words');

  await expect(dialog(page).getByText('2 links can’t be downloaded and stay here')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Start 2 downloads' }).click();
  await expect(box(page)).toHaveValue(
    `${origin.url}/gone.zip\n${origin.url}/private.zip\nftp://old.example/a.zip\nonly words`,
  );
  await expect(dialog(page).getByRole('button', { name: 'Start', exact: true })).toBeDisabled();
  await dialog(page).getByText('Options').click();
  await dialog(page).getByLabel('Cookie').fill('session=1');
  await expect(dialog(page).getByRole('button', { name: 'Start download' })).toBeEnabled();

  origin.serve('/gone.zip', randomBytes(100));
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(tab(page, 'Running')).toHaveAttribute('aria-selected', 'true');
  await expect(card(page, 'long.iso')).toBeVisible();
  await expect(tab(page, 'Failed')).toHaveText(/0/);
  expectNoComplaints(page);
});

test('a pending download has a moving progress bar, or a striped one with reduced motion', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await post(page.context().request, '/drive/v1/files', {
    kind: 'drive#file',
    upload_type: 'UPLOAD_TYPE_URL',
    parent_id: '',
    folder_type: 'DOWNLOAD',
    url: { url: `magnet:?xt=urn:btih:${randomBytes(20).toString('hex')}&dn=nobody-has-it` },
  });
  await open(page, '/drive/transfers');
  const bar = card(page, 'nobody-has-it').getByRole('progressbar');
  await expect(bar).toBeVisible();
  expect(await bar.getAttribute('aria-valuenow')).toBeNull();
  const left = (): Promise<number> =>
    bar.locator('div').evaluate((piece) => piece.getBoundingClientRect().left);
  const before = await left();
  await expect.poll(left).not.toBe(before);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  const widths = await bar.evaluate((track) => [
    track.getBoundingClientRect().width,
    track.firstElementChild!.getBoundingClientRect().width,
  ]);
  expect(widths[1]).toBe(widths[0]);
  expect(await bar.evaluate((track) => track.getAnimations({ subtree: true }).length)).toBe(0);
});

test('a download is paused, resumes where it stopped, and is canceled', async ({ browser }) => {
  const { page } = await member(browser);
  const film = randomBytes(12_000_000);
  const { promise: until, resolve: finish } = Promise.withResolvers<void>();
  origin.serve('/film.mkv', film, { until });
  origin.serve('/endless.iso', randomBytes(40_000_000), { bytesPerSecond: 500_000 });
  await open(page, '/drive/transfers');
  await box(page).fill(`${origin.url}/film.mkv\n${origin.url}/endless.iso`);
  await dialog(page).getByRole('button', { name: 'Start 2 downloads' }).click();
  await expect(card(page, 'film.mkv').getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/, {
    timeout: 30_000,
  });
  await card(page, 'film.mkv').getByRole('button', { name: 'Pause film.mkv' }).click();
  await expect(card(page, 'film.mkv')).toContainText('Paused');
  await page.reload();
  await ready(page);
  await expect(card(page, 'film.mkv')).toContainText('Paused');
  await card(page, 'film.mkv').getByRole('button', { name: 'Resume film.mkv' }).click();
  finish();

  await expect(card(page, 'endless.iso')).toContainText('of 38.1 MB', { timeout: 30_000 });
  await card(page, 'endless.iso').getByRole('button', { name: 'Cancel endless.iso' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel download' }).click();
  await expect(card(page, 'endless.iso')).toBeHidden({ timeout: 2000 });

  await tab(page, 'Finished').click();
  await expect(card(page, 'film.mkv')).toContainText('11.4 MB', { timeout: 40_000 });
  await tab(page, 'Running').click();
  await expect(page.getByRole('heading', { name: 'No active downloads' })).toBeVisible();
  const pack = (await folders(page))['My Pack']!;
  expect(Object.keys(await folders(page, pack))).toEqual(['film.mkv']);
});

test('a tab selected while a started download is looked up stays selected', async ({ browser }) => {
  const { page } = await member(browser);
  origin.serve('/soon.txt', Buffer.from('soon'));
  await open(page, '/drive/transfers');
  await box(page).fill(`${origin.url}/soon.txt`);
  // The status of a new download is requested by its id, and the response is delayed.
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/drive\/v1\/tasks\/[^/?]+$/, async (route) => {
    ask();
    await answered;
    await route.continue();
  });
  await dialog(page).getByRole('button', { name: 'Start download' }).click();
  await asked;
  await tab(page, 'Finished').click();
  const late = page.waitForResponse(/\/drive\/v1\/tasks\/[^/?]+$/);
  answer();
  await late;
  await expect(card(page, 'soon.txt')).toBeVisible({ timeout: 30_000 });
  await expect(tab(page, 'Finished')).toHaveAttribute('aria-selected', 'true');
});

test('finished downloads are removed from the list together, with or without their files', async ({
  browser,
}) => {
  const { page } = await member(browser);
  for (const name of ['one', 'two', 'three']) origin.serve(`/${name}.txt`, Buffer.from(name));
  await open(page, '/drive/transfers');
  await box(page).fill(['one', 'two', 'three'].map((name) => `${origin.url}/${name}.txt`).join('\n'));
  await dialog(page).getByRole('button', { name: 'Start 3 downloads' }).click();
  await tab(page, 'Finished').click();
  await expect(tab(page, 'Finished')).toHaveText(/3/, { timeout: 30_000 });
  await page.getByRole('checkbox', { name: 'Select one.txt' }).check({ force: true });
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete with files' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete with files' }).click();
  await expect(card(page, 'one.txt')).toBeHidden();
  await page.getByRole('button', { name: 'Clear finished' }).click();
  await expect(page.getByRole('heading', { name: 'No finished downloads yet' })).toBeVisible();
  const pack = (await folders(page))['My Pack']!;
  await expect
    .poll(async () => Object.keys(await folders(page, pack)).toSorted())
    .toEqual(['three.txt', 'two.txt']);
  await goTo(page, 'Trash');
  await expect(entry(page, 'one.txt')).toBeVisible();
});

test('a few of a torrent’s twenty thousand files are selected by keyboard, by kind and by name', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all?action=create_task');
  const files = Array.from({ length: 20_000 }, (_, n) => ({
    path: `Folder ${n % 100}/thing ${n}.${n % 1000 === 7 ? 'mkv' : 'txt'}`,
    size: 1000 + n,
  }));
  await choose(page, dialog(page).getByRole('button', { name: 'Torrent file' }), [
    { name: 'things.torrent', mimeType: 'application/x-bittorrent', buffer: torrentFile('Things', files) },
  ]);
  await expect(dialog(page).getByText('20,000 of 20,000 files')).toBeVisible({ timeout: 30_000 });
  const select = dialog(page).getByRole('button', { name: 'Select', exact: true });
  await select.click();
  await page.getByRole('menuitem', { name: 'Select none' }).click();
  await expect(dialog(page).getByText('0 of 20,000 files')).toBeVisible();
  await select.click();
  await page.getByRole('menuitemcheckbox', { name: /^Video · 20/ }).click();
  await expect(dialog(page).getByText('20 of 20,000 files')).toBeVisible();
  await dialog(page).getByRole('searchbox', { name: 'Filter by name' }).fill('thing 1999');
  const tree = dialog(page).getByRole('tree', { name: 'Files of Things' });
  await tree.focus();
  await page.keyboard.press('Space');
  await expect(dialog(page).getByText('21 of 20,000 files')).toBeVisible();
  await dialog(page).getByRole('searchbox', { name: 'Filter by name' }).fill('');
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(tree.getByRole('treeitem', { name: /Folder 0/ }).first()).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: /thing 0\.txt/ })).toBeChecked();
  await page.keyboard.press('Space');
  await expect(dialog(page).getByText(/^(0|20|21|22\d) of 20,000 files/)).toBeVisible();
  expectNoComplaints(page);
});

test('a visitor inspects a link and signs up, and the download starts by itself', async ({ browser }) => {
  const { page } = await visitor(browser);
  origin.serve('/poster.jpg', randomBytes(64_000));
  await open(page, '/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check a link' }).click();
  await page.getByRole('textbox', { name: 'Link to check' }).fill(`${origin.url}/poster.jpg`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('62.5 KB · image/jpeg')).toBeVisible();
  await expect(page).toHaveURL(/url-checker\?url=/);
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Create your drive' })).toBeVisible();
  await ready(page);
  await page.getByLabel('Email').fill(`eve-${randomBytes(6).toString('hex')}@example.org`);
  await page.getByLabel('Name').fill('Eve Nest');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my drive' }).click();
  await expect(dialog(page)).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(/\/drive\/all$/);
  await expect(dialog(page).getByText('62.5 KB · image/jpeg')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Start download' }).click();
  await tab(page, 'Finished').click();
  await expect(card(page, 'poster.jpg')).toBeVisible({ timeout: 30_000 });
});

test('the home page inspects a link in place, and offers to save it', async ({ browser }) => {
  const { page } = await visitor(browser);
  origin.serve('/nest.jpg', randomBytes(64_000));
  await open(page, '/ru');
  const box = page.getByRole('main').getByRole('textbox').first();
  await box.fill('hello');
  await box.press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await box.fill(`${origin.url}/nest.jpg`);
  await box.press('Enter');
  await expect(page.getByText('image/jpeg')).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  await expect(page).toHaveURL(/\/ru$/);
  await page.locator('main a[href*="create_task"]').click();
  await expect(page).toHaveURL(/\/ru\/drive\/login\?continue=%2Fru%2Fdrive.*create_task.*nest\.jpg/);
  expectNoComplaints(page);

  const { page: own } = await member(browser, { locale: 'ru' });
  await open(own, '/ru');
  await own.getByRole('main').getByRole('textbox').first().fill(`${origin.url}/nest.jpg`);
  await own.keyboard.press('Enter');
  await own.locator('main a[href*="create_task"]').click();
  await expect(own.getByRole('dialog').getByText('image/jpeg')).toBeVisible();
  await expect(own).toHaveURL(/\/ru\/drive\/all$/);
});

test('without scripts the home page opens the link checker', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  const box = page.getByRole('main').getByRole('textbox').first();
  await box.fill('https://example.org/a');
  await box.press('Enter');
  await expect(page).toHaveURL(/\/url-checker\?url=https%3A%2F%2Fexample\.org%2Fa$/);
  await context.close();
});

test('a line without a link is reported, and a private address is rejected with a readable reason', async ({
  browser,
}) => {
  const { page } = await visitor(browser);
  await open(page, '/url-checker?url=hello');
  await expect(page.getByRole('alert')).toContainText(
    'This link isn’t supported. Use a web address, a magnet link or a .torrent file.',
  );
  await open(page, `/url-checker?url=${encodeURIComponent('http://10.0.0.1/router')}`);
  await expect(page.getByText('This address isn’t on the public internet')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Save to my drive' })).toBeHidden();
});

test('a file dropped on the page is uploaded; dropped on the link field, it is read for links', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all');
  await dropFile(page.getByText('Drop files or folders here').first(), 'kept.txt', 'a blue feather');
  await uploadsDone(page, 1);
  await expect(entry(page, 'kept.txt')).toBeVisible();
  await addLinks(page, '');
  await dropFile(box(page), 'links.txt', 'https://example.org/one.zip\nhttps://example.org/two.zip');
  await expect(page.getByRole('dialog').getByText('2 links')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(Object.keys(await folders(page))).toEqual(['kept.txt']);
});
