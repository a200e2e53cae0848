import { expect, test, type APIRequestContext, type Page } from '@playwright/test';
import { LOCALES } from '@bowerbird/contract';
import { barriers } from './support/accessibility.ts';
import { choose, entry, open, pick, select, uploadsDone } from './support/files-page.ts';
import { messagesIn } from './support/messages.ts';
import { startOrigin, torrentFile } from './support/origin.ts';
import { expectNoComplaints, get, member, PASSWORD, post, visitor, type Screen } from './support/people.ts';

// These take long, so they run in parallel and no core is idle at the end.
test.describe.configure({ mode: 'parallel' });
test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** A state of a page: its address, and the steps that lead to it. */
interface Look {
  readonly at: string;
  readonly come?: (page: Page, isPhone: boolean) => Promise<void>;
}

const OF_VISITORS: Readonly<Record<string, Look>> = {
  'the home page': { at: '/' },
  'signing in': { at: '/drive/login' },
  'signing up': { at: '/sign-up' },
  'a forgotten password': { at: '/forgot-password' },
  'a new password': { at: `/reset-password?token=${'a'.repeat(52)}` },
  'setting the service up': { at: `/setup/${'a'.repeat(43)}` },
  'checking a link': { at: '/url-checker' },
  'a link that is none': { at: '/url-checker?url=hello' },
  'a link that was checked': {
    at: `/url-checker?url=${encodeURIComponent(`magnet:?xt=urn:btih:${'a1'.repeat(20)}&dn=Songs`)}`,
  },
  'a link that was looked at on the home page': {
    at: '/',
    async come(page) {
      const box = page.getByRole('textbox', { name: 'Link' });
      await box.fill(`magnet:?xt=urn:btih:${'a1'.repeat(20)}&dn=Songs`);
      await box.press('Enter');
      await expect(page.getByText('Songs')).toBeVisible();
    },
  },
  'help that was searched': { at: '/help-center?q=password' },
  'a phone without an app': { at: '/mobile-app' },
  'a computer without an app': { at: '/desktop-app' },
  'a browser without an extension': { at: '/browser-extension' },
  'a television without an app': { at: '/tv' },
  'a text of its own': { at: '/help' },
  'links, none yet': { at: '/favorite-links-hub' },
  'checking in without an account': { at: '/check-in' },
  'something that is over': { at: '/activity-end' },
  'mails to be ended, without a link': { at: '/unsubscribe' },
  'writing to the operator': { at: '/contact-us' },
  'a message that nobody could answer': {
    at: '/contact-us',
    async come(page) {
      await page.getByRole('button', { name: 'Send message' }).click();
      await expect(page.getByText('Enter an email address like ann@example.org.')).toBeVisible();
    },
  },
  'a check that is over': { at: '/captcha/challenge?captcha_token=old' },
  'the way back from a check': { at: '/loading' },
  'a page that is not there': { at: '/no/such/page' },
};

const OF_MEMBERS: Readonly<Record<string, Look>> = {
  'the files as a grid': { at: '/drive/all' },
  'the files as a list, two of them selected': {
    at: '/drive/all',
    async come(page, isPhone) {
      await page.getByRole('button', { name: 'View: Grid' }).click();
      await page.getByRole('menuitemradio', { name: 'List' }).click();
      if (isPhone) await page.getByRole('button', { name: 'Select', exact: true }).tap();
      if (isPhone) for (const name of ['Photos', 'Notes']) await entry(page, name).tap();
      else await select(page, 'Photos', 'Notes');
      await expect(page.getByRole('toolbar')).toBeVisible();
    },
  },
  'the menu of an entry': { at: '/drive/all', come: (page) => menuOf(page, 'Notes') },
  'the details of an entry': { at: '/drive/all', come: (page) => menuOf(page, 'Notes', 'Details') },
  'a name that is edited': { at: '/drive/all', come: (page) => menuOf(page, 'Notes', 'Rename') },
  'the picker of folders': { at: '/drive/all', come: (page) => menuOf(page, 'Notes', 'Move to') },
  'the form of a share': { at: '/drive/all', come: (page) => menuOf(page, 'Notes', 'Share') },
  'a share that is ready': {
    at: '/drive/all',
    async come(page) {
      await menuOf(page, 'Notes', 'Share');
      await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
      await expect(page.getByRole('dialog', { name: 'Your link is ready' })).toBeVisible();
    },
  },
  'a question that can’t be undone': {
    at: '/drive/trash',
    come: (page) => page.getByRole('button', { name: 'Empty trash' }).click(),
  },
  'a text that is looked at': {
    at: '/drive/all',
    async come(page, isPhone) {
      if (isPhone) await entry(page, 'LICENSE').tap();
      else await entry(page, 'LICENSE').dblclick();
      await expect(page.getByText('Do what you like.')).toBeVisible();
    },
  },
  'an empty folder': { at: '/drive/all', come: (page) => openEmpty(page) },
  'the uploads': {
    at: '/drive/all',
    async come(page) {
      await pick(page, [{ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('more') }]);
      const keepBoth = page.getByRole('button', { name: 'Keep both' });
      await keepBoth.or(page.getByText('1 upload done')).first().waitFor();
      if (await keepBoth.isVisible()) await keepBoth.click();
      await uploadsDone(page, 1);
    },
  },
  'the keys': {
    at: '/drive/all',
    async come(page) {
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    },
  },
  'the places': {
    at: '/drive/all',
    come: async (page, isPhone) => {
      if (isPhone) await page.getByRole('button', { name: 'Navigation' }).click();
    },
  },
  'the member’s menu': {
    at: '/drive/all',
    come: (page) => page.getByRole('button', { name: /Ann Bower/ }).click(),
  },
  'the storage': { at: '/drive/all?action=show_storage_dialog' },
  'the dialog for links': { at: '/drive/all?action=create_task' },
  'links that were found, with their options': {
    at: `/drive/all?action=create_task&url=${encodeURIComponent(`http://127.0.0.1:9/a.zip no link\nhttp://10.0.0.1/b.zip`)}`,
    async come(page) {
      await expect(page.getByText('This address isn’t on the public internet')).toBeVisible();
      await page.getByText('Options', { exact: true }).click();
    },
  },
  'the files of a torrent': { at: '/drive/all?action=create_task', come: chooseTorrent },
  'no transfers': { at: '/drive/transfers?tab=finished' },
  'the box for links': { at: '/drive/transfers', come: cancelTransfers },
  'transfers that wait': { at: '/drive/transfers', come: (page) => transfers(page, 'Running') },
  'transfers that failed, one of them unfolded': {
    at: '/drive/transfers',
    async come(page) {
      await transfers(page, 'Failed');
      await page.getByRole('button', { name: 'b.zip', exact: true }).first().click();
      await expect(page.getByText('Find', { exact: true })).toBeVisible();
    },
  },
  'what happened lately': { at: '/drive/recent' },
  'the starred': { at: '/drive/starred' },
  'the shares': { at: '/drive/shares' },
  'the trash': { at: '/drive/trash' },
  'checking in': { at: '/check-in' },
  'the plan inside an app': { at: '/inapp/shop?hide_header=1' },
  'the drive at a glance': { at: '/inapp/widget' },
  'the profile': { at: '/drive/account' },
  'the change of an address': {
    at: '/drive/account',
    come: (page) => page.getByRole('button', { name: 'Change email' }).click(),
  },
  'the question before an account goes': {
    at: '/drive/account',
    async come(page) {
      await page.getByRole('button', { name: 'Delete account' }).click();
      await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
    },
  },
  'the choice of a picture': {
    at: '/drive/account',
    come: (page) => page.getByRole('button', { name: 'Add a picture' }).click(),
  },
  'the security of the account': { at: '/drive/account/security' },
  'the apps of the account': { at: '/drive/account/apps' },
  'the mails to a member': { at: '/drive/account/notifications' },
  'an app that asks to be let in': {
    at: `/drive/auth-center?client_id=bowerbird-desktop&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&response_type=code&scope=openid+user+pan+offline&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}`,
  },
  'the code of a device': { at: '/device' },
  'an app that is signed in': { at: '/auth-success' },
  'a new app password': {
    at: '/drive/account/apps',
    come: (page) => page.getByRole('button', { name: 'New app password' }).click(),
  },
  'the second step': {
    at: '/drive/account/security',
    async come(page) {
      await page.getByRole('button', { name: 'Set up two-step verification' }).click();
      await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
    },
  },
  'the change of a password': {
    at: '/drive/account/security',
    come: (page) => page.getByRole('button', { name: 'Change your password' }).click(),
  },
};

async function menuOf(page: Page, name: string, item?: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  if (item) await page.getByRole('menuitem', { name: item }).click();
}

async function chooseTorrent(page: Page): Promise<void> {
  const files = Array.from({ length: 40 }, (_, n) => ({
    path: `Season ${n % 3}/Part ${n}.mkv`,
    size: n * 9999 + 1,
  }));
  await choose(page, page.getByRole('dialog').getByRole('button', { name: 'Torrent file' }), [
    {
      name: 'a.torrent',
      mimeType: 'application/x-bittorrent',
      buffer: torrentFile('All of the series', [...files, { path: 'readme.txt', size: 5 }]),
    },
  ]);
  await page.getByRole('treeitem', { name: /Season 1/ }).click();
  await expect(page.getByText('28 of 41 files')).toBeVisible();
}

/** One download that is scheduled for tomorrow, and one that can't be downloaded. */
async function transfers(page: Page, tab: 'Running' | 'Failed'): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  for (const url of [
    { url: `https://example.org/${'a long name of a film '.repeat(5)}.mkv`, start_time: tomorrow },
    { url: 'http://10.0.0.1/b.zip' },
  ])
    await post(page.context().request, '/drive/v1/files', {
      kind: 'drive#file',
      upload_type: 'UPLOAD_TYPE_URL',
      folder_type: 'DOWNLOAD',
      url,
    });
  await page.getByRole('tab', { name: tab }).click();
  await expect(page.getByRole('listitem').first()).toBeVisible({ timeout: 30_000 });
}

/** Resets what earlier checks have left running. */
async function cancelTransfers(page: Page): Promise<void> {
  const { request } = page.context();
  const { tasks } = await get<{ tasks: { id: string }[] }>(request, '/drive/v1/tasks?type=offline&limit=100');
  if (tasks.length > 0)
    await request.delete(`/drive/v1/tasks?task_ids=${tasks.map(({ id }) => id).join(',')}`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No active downloads' })).toBeVisible();
}

/** Every check begins with the default view. */
async function forgetView(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /display_mode|view_type/ });
  await page.evaluate(() => void indexedDB.deleteDatabase('display_mode'));
}

async function openEmpty(page: Page): Promise<void> {
  await entry(page, 'Photos').click();
  await page.keyboard.press('Enter');
  await expect(page.getByText('This folder is empty')).toBeVisible();
}

type Theme = 'light' | 'dark';

/** Expects no axe violations in either theme, and nothing wider than the screen. */
async function expectSound(page: Page, what: string, themes: readonly Theme[]): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect.soft(await barriers(page), `${what}, ${colorScheme}`).toEqual([]);
  }
  expect.soft(await tooWide(page), `${what} is as wide as the screen`).toBe(0);
}

function tooWide(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** Returns the texts of controls that extend beyond the screen, except in areas that scroll sideways. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrollsSideways = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX);
    const isReachable = (element: Element | null): boolean =>
      element !== null && (scrollsSideways(element) || isReachable(element.parentElement));
    return [...document.querySelectorAll('button, a, input')]
      .filter((control) => {
        const { left, right, width, bottom } = control.getBoundingClientRect();
        const isShown = width > 1 && bottom > 0 && control.checkVisibility({ visibilityProperty: true });
        return isShown && (left < -1 || right > innerWidth + 1) && !isReachable(control);
      })
      .map((control) => control.textContent || (control.getAttribute('aria-label') ?? control.tagName));
  });
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  // Phone and desktop use the same colors, so each state is checked in one theme on the phone and in the other on the
  // desktop.
  const themesOf = (turn: number): readonly Theme[] => [
    (turn % 2 === 0) === (screen === 'phone') ? 'light' : 'dark',
  ];

  test(`pages for visitors have no layout or accessibility errors on a ${screen}`, async ({ browser }) => {
    const { page } = await visitor(browser, { screen });
    for (const [turn, [what, { at, come }]] of Object.entries(OF_VISITORS).entries()) {
      await open(page, at);
      await test.step(what, async () => {
        await come?.(page, screen === 'phone');
        await expectSound(page, what, themesOf(turn));
      });
    }
  });

  test(`pages of the drive have no layout or accessibility errors on a ${screen}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const { page } = await member(browser, { screen });
    await furnish(page);
    for (const [turn, [what, { at, come }]] of Object.entries(OF_MEMBERS).entries()) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await forgetView(page);
      await open(page, at);
      await test.step(what, async () => {
        await come?.(page, screen === 'phone');
        await expectSound(page, what, themesOf(turn));
      });
    }
    expectNoComplaints(page);
  });
}

test('on the narrowest phone nothing is cut off, whether words are short or long', async ({ browser }) => {
  for (const locale of ['en-US', 'ru', 'ja']) {
    const { page } = await member(browser, { screen: 'phone', locale });
    await fill(page.context().request);
    await page.setViewportSize({ width: 320, height: 640 });
    const prefix = locale === 'en-US' ? '' : `/${locale}`;
    for (const at of [
      '/',
      '/drive/all',
      '/drive/recent',
      '/drive/space',
      '/drive/starred',
      '/drive/shares',
      '/drive/transfers',
      '/drive/trash',
      '/url-checker',
    ]) {
      await open(page, prefix + at);
      expect.soft(await tooWide(page), `${at} in ${locale}`).toBe(0);
      expect.soft(await cutOff(page), `${at} in ${locale}`).toEqual([]);
    }
    expectNoComplaints(page);
  }
});

test('names of places are not cut off beside the number of running downloads, in any language', async ({
  browser,
}) => {
  await using origin = await startOrigin();
  origin.serve('/slow.bin', Buffer.alloc(1_000_000), { bytesPerSecond: 100 });
  const { page, context } = await member(browser);
  await post(context.request, '/drive/v1/files', {
    kind: 'drive#file',
    upload_type: 'UPLOAD_TYPE_URL',
    parent_id: '',
    folder_type: 'DOWNLOAD',
    url: { url: `${origin.url}/slow.bin` },
  });
  for (const locale of LOCALES) {
    await page.goto(`${locale === 'en-US' ? '' : `/${locale}`}/drive/all`);
    const messages = messagesIn(locale);
    const places = page.getByRole('navigation', { name: messages['drive.places']!, exact: true });
    await expect(places.getByText('1', { exact: true })).toBeVisible();
    for (const key of [
      'drive.files',
      'drive.recent',
      'drive.starred',
      'drive.shares',
      'drive.transfers',
      'drive.trash',
    ]) {
      const name = places.getByText(messages[key]!, { exact: true });
      const hidden = await name.evaluate((label) => ({
        width: label.scrollWidth - label.clientWidth,
        height: label.scrollHeight - label.closest('a')!.clientHeight,
      }));
      expect.soft(hidden.width, `${messages[key]} in ${locale}`).toBe(0);
      expect.soft(hidden.height, `${messages[key]} in ${locale}`).toBeLessThanOrEqual(0);
    }
  }
});

test('a collapsed sidebar is collapsed from the first paint', async ({ browser }) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  const unscripted = await browser.newContext({
    storageState: await context.storageState(),
    javaScriptEnabled: false,
    viewport: page.viewportSize(),
  });
  const painted = await unscripted.newPage();
  await painted.goto('/drive/all');
  expect((await painted.getByRole('complementary').first().boundingBox())!.width).toBeLessThan(80);
});

/** Adds folders to a drive: one starred, one shared, one in the trash. */
async function fill(request: APIRequestContext): Promise<void> {
  const make = (name: string) =>
    post<{ file: { id: string } }>(request, '/drive/v1/files', { kind: 'drive#folder', parent_id: '', name });
  const [photos, notes, old] = [await make('Photos'), await make('Notes'), await make('Old things')];
  await post(request, '/drive/v1/files:star', { ids: [photos.file.id] });
  await post(request, '/drive/v1/files:batchTrash', { ids: [old.file.id] });
  await post(request, '/drive/v1/share', { file_ids: [notes.file.id], title: 'Notes of the autumn' });
}

/** A drive in which every screen has something to show. */
async function furnish(page: Page): Promise<void> {
  await fill(page.context().request);
  await open(page, '/drive/all');
  await pick(page, [
    { name: 'LICENSE', mimeType: '', buffer: Buffer.from('Do what you like.\n') },
    { name: `${'A long name of a thing '.repeat(6)}.flac`, mimeType: 'audio/flac', buffer: Buffer.from('x') },
  ]);
  await uploadsDone(page, 2);
}

test('with reduced motion a theme change is not animated anywhere on the page', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await open(page, '/');
  await page.emulateMedia({ colorScheme: 'dark' });
  const moving = await page.evaluate(() => {
    for (const part of document.querySelectorAll('*')) void getComputedStyle(part).color;
    return document.getAnimations().length;
  });
  expect(moving).toBe(0);
});

test('the selected tab is fully visible on the narrowest phone, in long languages too', async ({
  browser,
}) => {
  const { page } = await member(browser, { screen: 'phone', locale: 'ru' });
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, '/ru/drive/transfers');
  // Downloads from private networks fail at once; a failed one adds a menu beside the tabs.
  await post(page.context().request, '/drive/v1/files', {
    kind: 'drive#file',
    upload_type: 'UPLOAD_TYPE_URL',
    url: { url: 'http://10.1.2.3/router.bin' },
  });
  const last = page.getByRole('tab').last();
  await expect(last).toHaveText(/1/, { timeout: 30_000 });
  await last.click();
  await expect(page.getByRole('button', { name: 'router.bin', exact: true })).toBeVisible();
  // Allows for rounding by a fraction of a pixel.
  await expect(last).toBeInViewport({ ratio: 0.99 });
});
