import { expect, test, type APIResponse, type BrowserContext, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { bar, entry, toast } from './support/files-page.ts';
import { expectNoComplaints, get, member, PASSWORD, post, visitor } from './support/people.ts';
import { answers, openShare, share, sharer, type Sharer } from './support/shares.ts';

test.use({ actionTimeout: 20_000 });

let ann: Sharer;
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  ann = await sharer(browser);
});

const open: BrowserContext[] = [];
test.afterEach(() => Promise.all(open.splice(0).map((context) => context.close())));

async function someone(
  ...look: Parameters<typeof visitor>
): Promise<{ context: BrowserContext; page: Page }> {
  const person = await visitor(...look);
  open.push(person.context);
  return person;
}

const LOCKED = { pass_code_option: 'REQUIRED', custom_pass_code: 'blue27', title: 'Secret finds' };

test('a locked share reveals only that it exists, and its owner’s masked name', async ({ browser }) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], LOCKED);
  const { page, context } = await someone(browser);
  const reply = await context.request.get(path);
  expect(reply.status()).toBe(200);
  const html = await reply.text();
  for (const secret of [
    'Secret finds',
    'Autumn trip',
    'Letter',
    ann.ids['Letter.txt']!,
    'Ann Bower',
    ann.email,
  ])
    expect(html, secret).not.toContain(secret);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('property="og:title" content="Files shared with you"');
  expect(reply.headers()['cache-control']).toBe('private, no-store');
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'An**er shared files with you' })).toBeVisible();
  expectNoComplaints(page);
});

test('a visitor reports a share to the administrator from the share itself; its owner can’t', async ({
  browser,
}) => {
  const { path, id } = await share(ann, ['Autumn trip', 'Letter.txt']);
  const { page } = await someone(browser);
  await openShare(page, path);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await expect(page.getByLabel('What is it about?')).toHaveValue('abuse');
  await expect(page.getByLabel(/^Related link/)).toHaveValue(new URL(`/s/${id}`, page.url()).href);
  await page.goto('/contact-us?topic=abuse&link=https://evil.example/s/V1');
  await expect(page.getByLabel(/^Related link/)).toHaveValue('');
  expectNoComplaints(page);

  await ann.page.goto(path);
  const more = ann.page.getByRole('button', { name: 'More', exact: true });
  await answers(more);
  await more.click();
  await expect(ann.page.getByRole('menuitem', { name: 'QR code' })).toBeVisible();
  await expect(ann.page.getByRole('menuitem', { name: 'Report' })).toHaveCount(0);
});

test('the gate rejects a wrong passcode, opens with the right one and remembers it for twelve hours', async ({
  browser,
}) => {
  const { id, path } = await share(ann, ['Autumn trip', 'Letter.txt'], LOCKED);
  const { page, context } = await someone(browser);
  await page.goto(path);
  await answers(page.getByRole('button', { name: 'Open' }));
  await page.getByLabel('Passcode').fill('green1');
  await page.getByLabel('Passcode').press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Wrong passcode. Check it and try again.');
  await page.getByLabel('Passcode').fill('blue27');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Secret finds' })).toBeVisible();
  const cookies = await context.cookies();
  const token = cookies.find(({ name }) => name === `pp_share_passcode_token_${id}`)!;
  expect(token).toMatchObject({ sameSite: 'Lax', secure: false, path: '/' });
  expect(token.expires - Date.now() / 1000).toBeGreaterThan(43_200 - 120);
  expect(token.expires - Date.now() / 1000).toBeLessThanOrEqual(43_200);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Secret finds' })).toBeVisible();
});

test('a link with the passcode opens at once; a wrong one shows the gate, and repeated guesses need a check', async ({
  browser,
}) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], LOCKED);
  const { page, context } = await someone(browser);
  await page.goto(`${path}?s_code=blue27`);
  await expect(page.getByRole('heading', { name: 'Secret finds' })).toBeVisible();

  const stranger = await someone(browser);
  const wrong = await stranger.context.request.get(`${path}?s_code=nope`);
  expect(wrong.status()).toBe(403);
  expect(await wrong.text()).not.toContain('Secret finds');
  let reply: APIResponse = wrong;
  for (let guess = 0; guess < 8 && reply.status() === 403; guess += 1)
    reply = await stranger.context.request.get(`${path}?s_code=nope${guess}`);
  expect(reply.status()).toBe(400);
  expect(await reply.text()).not.toContain('Secret finds');
  // Visitors who have already been let in are not affected by strangers' attempts.
  expect((await context.request.get(path)).status()).toBe(200);
});

test('three shares stay open, and opening a fourth closes the oldest', async ({ browser }) => {
  const { page, context } = await someone(browser);
  const opened: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    const { id, path } = await share(ann, ['Letter.txt'], { title: `Letter ${at}` });
    opened.push(`pp_share_passcode_token_${id}`);
    await page.goto(path);
  }
  const kept = (await context.cookies())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('pp_share_passcode'));
  expect(kept.toSorted()).toEqual(opened.slice(1).toSorted());
});

test('every closed share states its reason in one sentence, with a matching status, and none of its contents', async ({
  browser,
}) => {
  const { request } = ann.context;
  const cancelled = await share(ann, ['Letter.txt'], { title: 'Secret finds' });
  await request.delete(`/drive/v1/share/${cancelled.id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  const paused = await share(ann, ['Letter.txt'], { title: 'Secret finds' });
  await request.patch('/drive/v1/share', {
    data: { share_id: paused.id, paused: true },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const saved = await share(ann, ['Letter.txt'], { title: 'Secret finds', restore_limit: 1 });
  const ben = await member(browser);
  open.push(ben.context);
  await post(ben.context.request, '/drive/v1/share/restore', { share_id: saved.id, file_ids: [] });

  const { page } = await someone(browser);
  for (const [path, status, words] of [
    ['/s/VNOTHINGHERE00000000000000', 404, 'Share not found'],
    [cancelled.path, 410, 'This share has ended'],
    [paused.path, 403, 'This share is not available'],
    [saved.path, 410, 'This share has reached its save limit'],
  ] as const) {
    const reply = await page.goto(path);
    expect(reply!.status(), path).toBe(status);
    const html = await reply!.text();
    expect(html).not.toContain('Secret finds');
    expect(html).not.toContain('Letter');
    expect(html).toContain('content="noindex"');
    await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to home page' })).toBeVisible();
  }
  await page.goto(paused.path);
  await expect(page.getByText('The owner has paused this share.')).toBeVisible();
});

test('a share of one folder opens inside it, can be browsed from there, and shows its README', async ({
  browser,
}) => {
  const { path } = await share(ann, ['Autumn trip'], { expiration_days: 7 });
  const { page } = await someone(browser);
  await openShare(page, path);
  await expect(page.getByRole('heading', { level: 1, name: 'Autumn trip' })).toBeVisible();
  await expect(page.getByText('expires in 7 days')).toBeVisible();
  await expect(page.getByText('3 items')).toBeVisible();
  await expect(page.getByRole('region', { name: 'README.md' }).getByText('collect')).toBeVisible();
  await entry(page, 'Camp').dblclick();
  await expect(entry(page, 'Night.txt')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`${path}/${ann.ids['Camp']}`);
  await page.reload();
  await answers(page.getByRole('grid'));
  await page
    .getByRole('navigation', { name: 'Folder path' })
    .getByRole('link', { name: 'Autumn trip' })
    .click();
  await expect(entry(page, 'List.txt')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(path);
  expect((await page.request.get(`${path}/${ann.ids['Blue.jpg']}`)).status()).toBe(404);
  expectNoComplaints(page);
});

test('a share of one file shows it at once, and downloads it', async ({ browser }) => {
  const { path } = await share(ann, ['Blue.jpg']);
  const { page } = await someone(browser);
  await openShare(page, path);
  await expect(page.getByRole('img', { name: 'Blue.jpg' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe('Blue.jpg');
  expectNoComplaints(page);
});

test('without scripts the gate opens, folders are browsed, and single files and the whole share are downloaded', async ({
  browser,
}) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], LOCKED);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    acceptDownloads: true,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.99' },
  });
  open.push(context);
  const page = await context.newPage();
  await page.goto(path);
  await page.getByLabel('Passcode').fill('nope');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Passcode').fill('blue27');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Secret finds' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save to my drive' })).toBeHidden();

  const link = (name: string) => page.locator('[role=gridcell] a').filter({ hasText: name }).first();
  await link('Autumn trip').click();
  await link('Camp').click();
  await expect(link('Night')).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Folder path' })
    .getByRole('link', { name: 'Secret finds' })
    .click();
  await link('Letter').click();
  const one = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Letter.txt' }).click();
  expect((await one).suggestedFilename()).toBe('Letter.txt');
  const all = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await all).suggestedFilename()).toBe('Secret finds.zip');
});

test('a member saves selected files into a folder of their choice', async ({ browser }) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], { title: 'Finds' });
  const ben = await member(browser);
  open.push(ben.context);
  const { page } = ben;
  const { file } = await post<{ file: { id: string } }>(ben.context.request, '/drive/v1/files', {
    kind: 'drive#folder',
    name: 'From Ann',
  });
  await openShare(page, path);
  await entry(page, 'Letter.txt').click();
  await bar(page, 'Save to my drive');
  const dialog = page.getByRole('dialog', { name: 'Save 1 item to…' });
  await dialog.getByRole('button', { name: 'From Ann' }).click();
  await dialog.getByRole('button', { name: 'Save here' }).click();
  await toast(page, 'Saved 1 item').getByRole('button', { name: 'Open folder' }).click();
  await page.waitForURL(`**/drive/all/${file.id}`);
  await expect(entry(page, 'Letter.txt')).toBeVisible();
  expectNoComplaints(page);
});

test('saving continues by itself after a visitor signs up', async ({ browser }) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], { title: 'Finds' });
  const { page, context } = await someone(browser, { screen: 'phone' });
  await openShare(page, path);
  await page.getByRole('button', { name: 'Save to my drive' }).tap();
  await expect(page.getByRole('dialog').getByText('Sign in to save 2 items to your drive.')).toBeVisible();
  await page.getByRole('dialog').getByRole('link', { name: 'Create account' }).tap();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByLabel('Email').fill(`ben-${Date.now()}@example.org`);
  await page.getByLabel('Name').fill('Ben');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my drive' }).tap();
  await page.waitForURL(`**${path}`);
  await expect(toast(page, 'Saved 2 items')).toBeVisible();
  await page.getByRole('link', { name: 'Open folder' }).tap();
  await page.waitForURL('**/drive/all/*');
  await expect(entry(page, 'Letter.txt')).toBeVisible();
  const { files } = await get<{ files: { id: string; name: string }[] }>(
    context.request,
    '/drive/v1/files?parent_id=&limit=10',
  );
  expect(files.map(({ name }) => name)).toEqual(['Pack From Shared']);
  expect(new URL(page.url()).pathname).toBe(`/drive/all/${files[0]!.id}`);
  expectNoComplaints(page);
});

test('a save can be undone', async ({ browser }) => {
  const { path } = await share(ann, ['Letter.txt'], { title: 'Finds' });
  const ben = await member(browser);
  open.push(ben.context);
  const { page, context } = ben;
  await openShare(page, path);
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save here' }).click();
  await toast(page, 'Saved 1 item').getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => {
      const found = await get<{ files: { name: string }[] }>(
        context.request,
        `/drive/v1/files?parent_id=&limit=10&filters=${encodeURIComponent('{"trashed":{"eq":false}}')}`,
      );
      return found.files.map(({ name }) => name);
    })
    .not.toContain('Letter.txt');
  expectNoComplaints(page);
});

test('a save link asks a member for the folder at once, and does nothing for an owner or in a page snapshot', async ({
  browser,
}) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], { title: 'Finds' });
  const ben = await member(browser);
  open.push(ben.context);
  await ben.page.goto(`${path}?speed_save=1`);
  await ben.page.getByRole('dialog', { name: 'Save 2 items to…' }).getByText('Save here').click();
  await expect(toast(ben.page, 'Saved 2 items')).toBeVisible();
  expectNoComplaints(ben.page);

  const { page } = await someone(browser);
  await page.goto(`${path}?speed_save=1`);
  const form = page.getByRole('dialog');
  await form.getByLabel('Email').fill(ben.email);
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await expect(toast(page, 'Saved 2 items')).toBeVisible();

  const own = await ann.context.newPage();
  await own.goto(`${path}?speed_save=1&snapshot=1`);
  await expect(own.getByRole('heading', { name: 'Finds' })).toBeVisible();
  await expect(own.getByRole('banner')).toBeHidden();
  await expect(own.getByRole('dialog')).toHaveCount(0);
  await own.close();
});

test('an owner who signs in to save is told that the share is theirs, and manages it instead', async ({
  browser,
}) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], { title: 'Finds' });
  const { page } = await someone(browser);
  await openShare(page, path);
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(ann.email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(toast(page, 'This share is yours')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save to my drive' })).toBeHidden();
  await page.getByRole('link', { name: 'Manage share' }).click();
  await expect(page.getByRole('link', { name: 'Finds' })).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'More actions for Finds' }).click();
  await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByRole('heading', { name: 'Sharing stopped' })).toBeVisible();
  await page.getByRole('link', { name: 'All shares' }).click();
  await page.waitForURL('**/drive/shares');
  expectNoComplaints(page);
});

test('a visitor opens, browses, downloads and saves with the keyboard alone', async ({ browser }) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt', 'Blue.jpg'], { title: 'Finds' });
  const { page } = await someone(browser);
  await openShare(page, path);
  await page.getByRole('row').filter({ hasText: 'Autumn trip' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Camp')).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Camp' }).first().focus();
  await page.keyboard.press('Backspace');
  await expect(entry(page, 'Letter.txt')).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Autumn trip' }).first().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('toolbar')).toContainText('3 selected');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('toolbar')).toBeHidden();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(page.url()).toContain('open_file=');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(page.url()).not.toContain('open_file=');
  await expect(page.locator(':focus')).toHaveAttribute('role', 'row');
});

test('clicking Save before the list has loaded does not move the page', async ({ browser }) => {
  const { path } = await share(ann, ['Autumn trip', 'Letter.txt'], { title: 'Finds' });
  const { page } = await someone(browser);
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/\/assets\/(?:list|share-files)-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path);
  await answers(page.getByRole('button', { name: 'Save to my drive' }));
  const before = await entry(page, 'Letter.txt').boundingBox();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await entry(page, 'Letter.txt').boundingBox()).toEqual(before);
  letGo();
  await answers(page.getByRole('grid'));
  expect(await entry(page, 'Letter.txt').boundingBox()).toEqual(before);
  expectNoComplaints(page);
});

for (const dark of [false, true]) {
  test(`a share has no accessibility barriers, ${dark ? 'dark' : 'light'}, and fits the narrowest screen`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const several = await share(ann, ['Autumn trip', 'Letter.txt', 'Blue.jpg'], {
      title: 'Finds '.repeat(12).trim(),
    });
    const paths = [
      several.path,
      `${several.path}/${ann.ids['Autumn trip']}/${ann.ids['Camp']}`,
      (await share(ann, ['Empty box'])).path,
      (await share(ann, ['Blue.jpg'])).path,
      (await share(ann, ['Letter.txt'], LOCKED)).path,
      '/s/VNOTHINGHERE00000000000000',
    ];
    const { page, context } = await someone(browser, { dark });
    for (const view of ['grid', 'list']) {
      await context.addCookies([
        {
          name: 'pp_shared_display_mode',
          value: encodeURIComponent(
            JSON.stringify({ orderType: 'NAME_ASC', pinFoldersTop: true, viewType: view }),
          ),
          url: test.info().project.use.baseURL!,
        },
      ]);
      for (const path of view === 'grid' ? paths : paths.slice(0, 1)) {
        await page.setViewportSize({ width: 320, height: 700 });
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(wider, path).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width: 1280, height: 800 });
        expect(await barriers(page), path).toEqual([]);
      }
    }
  });
}
