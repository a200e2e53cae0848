import { expect, test } from '@playwright/test';
import { LOCALES } from '@bowerbird/contract';
import { ask, cookiesOf, isPage } from './support/answers.ts';
import { goTo, open, pick, uploadsDone } from './support/files-page.ts';
import { messagesIn } from './support/messages.ts';
import { expectNoComplaints, member, visitor } from './support/people.ts';
import { PLACES } from './support/routes.ts';

// The language and time zone that a reader gets, and what counts as the reader's choice.

test.describe.configure({ mode: 'parallel' });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test.describe('the language', () => {
  test('of the address is used at once, and remembered', async ({ playwright, baseURL }) => {
    for (const [asked, locale] of [
      ['ja', 'ja'],
      ['ru-RU', 'ru'],
      ['zh-MO', 'zh-TW'],
      ['zh-Hans-HK', 'zh-CN'],
    ] as const) {
      const request = await playwright.request.newContext({ baseURL: baseURL! });
      const reply = await ask(request, `/?locale=${asked}`);
      expect(reply.status()).toBe(200);
      expect(cookiesOf(reply)).toContain('pp_locale');
      expect(await reply.text()).toContain(`<html lang="${locale}"`);
      expect(await (await ask(request, '/faq')).text()).toContain(`<html lang="${locale}"`);
      await request.dispose();
    }
  });

  test('before a share’s path is removed from it and remembered', async ({ playwright, baseURL }) => {
    const request = await playwright.request.newContext({ baseURL: baseURL! });
    const reply = await ask(request, '/ru/s/V0nothing?s_code=k7pm');
    expect(`${reply.status()} ${reply.headers()['location']}`).toBe('302 /s/V0nothing?s_code=k7pm');
    expect(cookiesOf(reply)).toContain('pp_locale');
    expect(await (await ask(request, '/s/V0nothing')).text()).toContain('<html lang="ru"');
    await request.dispose();
  });

  test('is not changed by requests of programs, and no public response sets a cookie', async ({
    playwright,
    baseURL,
  }) => {
    const resources: string[] = [];
    for (const { path, hasLocale } of PLACES)
      for (const prefix of hasLocale ? ['', '/ru'] : ['']) {
        const request = await playwright.request.newContext({ baseURL: baseURL! });
        const reply = await request.get(`${prefix}${path || '/'}?locale=ja`);
        const isPublic = /\bpublic\b/.test(reply.headers()['cache-control'] ?? '');
        const isResource = !isPage(reply) || path === '/offline';
        if (isResource) resources.push(prefix + path);
        const { cookies } = await request.storageState();
        if (isResource || isPublic) expect(cookies, prefix + path).toEqual([]);
        await request.dispose();
      }
    expect(resources).toEqual(expect.arrayContaining(['/sitemap.xml', '/offline', '/ru/blog/feed.xml']));
  });

  test('of a page’s data is that of the page, whatever its reader chose', async ({ request }) => {
    const headers = { cookie: 'pp_locale=ja', 'accept-language': 'ko' };
    for (const path of [
      '/ru.data',
      '/ru/faq.data',
      '/ru/help-center/start/sign-in.data',
      '/faq.data?locale=ru',
    ]) {
      const data = await (await request.get(path, { headers })).text();
      expect(data).toMatch(/\p{Script=Cyrillic}{4}/u);
      expect(data).not.toMatch(/[\p{Script=Hiragana}\p{Script=Hangul}]/u);
    }
    const first = await (await request.get('/_.data', { headers })).text();
    expect(first).toMatch(/\p{Script=Hiragana}/u);
  });
});

test.describe('the language of a document', () => {
  test('is not chosen by following a link in that language, also in the installed app', async ({
    browser,
  }) => {
    const { page, context } = await visitor(browser, { isInstalled: true });
    await page.goto('/ja/faq');
    await expect
      .poll(() => page.evaluate(async () => (await (await caches.open('offline-page')).keys()).length))
      .toBe(1);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('pp_locale');
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  });

  test('changes with the next page after it was chosen in another tab', async ({ browser }) => {
    const { page: first, context } = await visitor(browser);
    await first.goto('/contact-us');
    await first.getByLabel('Message').fill('Half a letter');
    const second = await context.newPage();
    await second.goto('/');
    await second.getByRole('button', { name: 'Language' }).click();
    await second.getByRole('menuitemradio', { name: 'Русский' }).click();
    await expect(second).toHaveURL(/\/ru$/);

    await expect(first.getByLabel('Message')).toHaveValue('Half a letter');
    await expect(first.locator('html')).toHaveAttribute('lang', 'en-US');
    await first.getByRole('link', { name: 'Blog' }).first().click();
    await expect(first).toHaveURL(/\/blog$/);
    await expect(first.locator('html')).toHaveAttribute('lang', 'ru');
    const blog = messagesIn('ru')['blog.title']!;
    await expect(first.getByRole('heading', { level: 1 })).toHaveText(blog);

    // After the change of language, pages are navigated to as usual.
    await first.evaluate(() => Object.assign(window, { isSame: true }));
    await first.getByRole('article').first().getByRole('link').first().click();
    await expect(first).toHaveURL(/\/blog\/.+/);
    expect(await first.evaluate(() => 'isSame' in window)).toBe(true);
    await first.goBack();
    await expect(first.getByRole('heading', { level: 1 })).toHaveText(blog);
    expect(await first.evaluate(() => 'isSame' in window)).toBe(true);
    expectNoComplaints(first);
  });

  test('is the new one when going back to a page in the old one', async ({ browser }) => {
    const { page, context } = await visitor(browser);
    await page.goto('/faq');
    await page.getByRole('link', { name: 'Blog' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
    await context.addCookies([{ name: 'pp_locale', value: 'es', url: page.url() }]);
    await page.goBack();
    await expect(page).toHaveURL(/\/faq$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(messagesIn('es')['faq.title']!);
    expectNoComplaints(page);
  });

  test('does not change while uploads run, and follows another tab afterwards', async ({
    browser,
    baseURL,
  }) => {
    const { page, context } = await member(browser);
    const sent = Promise.withResolvers<void>();
    const mayGo = Promise.withResolvers<void>();
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'PUT') {
        sent.resolve();
        await mayGo.promise;
      }
      await route.continue();
    });
    await open(page, '/drive/all');
    await pick(page, [{ name: 'Song.txt', mimeType: 'text/plain', buffer: Buffer.from('la') }]);
    await sent.promise;
    await context.addCookies([{ name: 'pp_locale', value: 'es', url: baseURL! }]);
    await goTo(page, 'Starred');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    mayGo.resolve();
    await uploadsDone(page, 1);
    await page.getByRole('link', { name: 'Trash' }).first().click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    expectNoComplaints(page);
  });

  test('is changed by the language menu, which keeps the page, its query and the position', async ({
    browser,
  }) => {
    const { page } = await visitor(browser);
    await page.goto('/help?from=letter&locale=en-US#system-share');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    await expect(page).toHaveURL(/\/es\/help\?from=letter#system-share$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.locator('h2#system-share')).toBeInViewport();
  });
});

/** Pages that contain dates and times, with a date that must be the same everywhere. */
const DATED = [
  ['/policy/privacy-policy', '23-11-06'],
  ['/blog', ''],
  ['/check-in', ''],
  ['/drive/account/security', ''],
  ['/drive/all', ''],
] as const;

for (const [zone, kept] of [
  ['Asia/Tokyo', 'America/Sao_Paulo'],
  ['America/Sao_Paulo', 'Asia/Tokyo'],
  ['Pacific/Kiritimati', 'nonsense/zone'],
] as const)
  test(`the first render uses the browser’s time zone ${zone}, even if its cookie says ${kept}`, async ({
    browser,
    baseURL,
  }) => {
    const { page, context } = await member(browser, { zone });
    const name = 'pp_time_zone';
    for (const [at, locale] of LOCALES.entries()) {
      const [path, day] = DATED[at % DATED.length]!;
      await context.addCookies([{ name, value: encodeURIComponent(kept), url: baseURL! }]);
      await page.goto(`/${locale}${path}`, { waitUntil: 'networkidle' });
      await expect(page.locator('main')).toContainText(day);
      await expect
        .poll(async () => (await context.cookies()).find((cookie) => cookie.name === name)?.value)
        .toBe(encodeURIComponent(zone));
      expectNoComplaints(page);
    }
  });
