import { expect, test, type Page } from '@playwright/test';
import { entry, open, uploadsDone } from './support/files-page.ts';
import { mailingServer } from './support/mailing-server.ts';
import { get, member, visitor } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** Waits until the service worker is active and has cached its offline page. */
async function installed(page: Page): Promise<void> {
  const isAtHand = () =>
    page.evaluate(async () => {
      const store = await caches.open('offline-page');
      return navigator.serviceWorker.controller !== null && (await store.keys()).length > 0;
    });
  await expect.poll(isAtHand).toBe(true);
}

/** Shares content to the app like the system does: as a form, sent to the address in the manifest. */
async function share(
  page: Page,
  fields: Record<string, string>,
  files: [string, string][] = [],
): Promise<void> {
  await page.evaluate(
    ({ fields, files }) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: '/share-target', enctype: 'multipart/form-data' });
      for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement('input');
        Object.assign(field, { name, value });
        form.append(field);
      }
      const picker = document.createElement('input');
      Object.assign(picker, { type: 'file', name: 'files', multiple: true });
      const held = new DataTransfer();
      for (const [name, text] of files) held.items.add(new File([text], name, { type: 'text/plain' }));
      picker.files = held.files;
      if (files.length > 0) form.append(picker);
      document.body.append(form);
      form.submit();
    },
    { fields, files },
  );
}

test('the browser offers to install the site, in the reader’s language', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isInstalled: true, locale: 'ru' });
  await page.goto('/ru');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await get<{ lang: string; share_target: { action: string }; icons: { src: string }[] }>(
    context.request,
    address!,
  );
  expect(manifest).toMatchObject({ lang: 'ru', id: '/', display: 'standalone' });
  // Browsers request the last one for responses that name no icon.
  const icons = [...manifest.icons.map(({ src }) => src), '/favicon.ico'];
  for (const icon of icons) {
    const answer = await context.request.get(icon);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([
      200,
      expect.stringContaining('image/'),
    ]);
  }
});

test('an offline page appears in the reader’s language, and the site returns once it is reachable', async ({
  browser,
}) => {
  const { page } = await visitor(browser, { isInstalled: true, screen: 'phone', locale: 'ru' });
  const offline = page.getByRole('heading', { name: 'Нет подключения к сети' });
  let origin: string;
  {
    await using site = await mailingServer();
    origin = site.origin;
    // Waits until everything on the page has loaded: otherwise it would reload itself because of missing parts.
    await page.goto(`${origin}/ru/faq`, { waitUntil: 'networkidle' });
    await installed(page);
  }
  // A page with missing parts reloads by itself, possibly before the test does.
  await expect(async () => {
    await page.goto(`${origin}/ru/url-checker`).catch(() => undefined);
    await expect(offline).toBeVisible({ timeout: 2000 });
  }).toPass();
  await using _ = await mailingServer({ port: Number(new URL(origin).port) });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(offline).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeVisible();
});

test('content shared by another app is saved: files to the drive, a link after an inspection', async ({
  browser,
}) => {
  const { page } = await member(browser, { isInstalled: true, screen: 'phone' });
  await open(page, '/drive/all');
  await installed(page);
  await share(page, { title: 'Two notes' }, [
    ['First.txt', 'one'],
    ['Second.txt', 'two'],
  ]);
  await uploadsDone(page, 2);
  await expect(entry(page, 'First.txt')).toBeVisible();
  await expect(entry(page, 'Second.txt')).toBeVisible();
  expect(page.url()).not.toContain('receive_files');
  await share(page, { text: 'Have a look: https://example.org/film.mkv' });
  await page.waitForURL(/\/url-checker\?url=https%3A%2F%2Fexample\.org%2Ffilm\.mkv/);
});

test('all content shared by another app is kept: text becomes a file, and links beside files are offered', async ({
  browser,
}) => {
  const { page } = await member(browser, { isInstalled: true, screen: 'phone' });
  await open(page, '/drive/all');
  await installed(page);
  await share(page, { title: '', text: 'Milk and eggs' });
  await uploadsDone(page, 1);
  await expect(entry(page, 'Milk and eggs.txt')).toBeVisible();
  await share(page, { text: 'From (https://example.org/a)' }, [['Third.txt', 'three']]);
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(/^https:\/\/example\.org\/a$/);
  await page.keyboard.press('Escape');
  await expect(entry(page, 'Third.txt')).toBeVisible();
});
