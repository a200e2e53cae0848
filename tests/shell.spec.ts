import { expect, test, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open } from './support/files-page.ts';
import { expectNoComplaints, member, PASSWORD, post, visitor } from './support/people.ts';

test('a new visitor is asked for analytics consent once', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/site/v1/happenings')) sent.push(request.postData() ?? '');
  });
  await page.goto('/');
  const notice = page.getByRole('region', { name: 'Cookies' });
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Necessary only' }).click();
  await expect(notice).toBeHidden();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es$/);
  await expect(page.getByRole('button', { name: 'Idioma' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Cookies' })).toBeHidden();
  expect(sent.join()).toContain('cookie_tips_shown');
  expect(sent.join()).toContain('cookie_tips_clicked');
  expect(sent.join()).not.toContain('language_switched');
  expectNoComplaints(page);
  await context.close();
});

test('a language switch is counted with consent', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await page.goto('/');
  await page.getByRole('button', { name: 'Allow analytics' }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  const counted = page.waitForRequest(
    (request) => request.postData()?.includes('language_switched') === true,
  );
  await page.getByRole('menuitemradio', { name: 'Русский' }).click();
  expect((await counted).postData()).toContain('ru');
  await context.close();
});

test('a blocked region shows a notice instead of every page, and requests nothing more', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  for (const path of ['/', '/drive/login', '/faq', '/s/whatever']) {
    const asked = page.waitForResponse(/area_accessible/);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('heading', { name: 'Not available in your region' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeHidden();
  }
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
  await context.setExtraHTTPHeaders({});
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { name: 'Not available in your region' })).toBeHidden();
  const letIn = (await context.cookies()).find(({ name }) => name === 'pp_access_to_visit');
  const seconds = (letIn?.expires ?? 0) - Date.now() / 1000;
  expect(seconds).toBeGreaterThan(560);
  expect(seconds).toBeLessThanOrEqual(601);
  await context.close();
});

test('leaving before the region check responds grants no access', async ({ browser }) => {
  const { page, context } = await visitor(browser);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  await page.route(/area_accessible/, () => undefined);
  for (const path of ['/', '/faq', '/drive/login']) {
    const asked = page.waitForRequest(/area_accessible/);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('heading', { name: 'Not available in your region' })).toBeVisible();
  }
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('pp_access_to_visit');
  await context.close();
});

test('the referrer and campaign are kept for half a day, once analytics are allowed', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await page.goto('/?__source=letter&__campaign=spring', { referer: 'https://forum.example/thread/9' });
  const cookies = async () =>
    Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]));
  const agree = page.getByRole('button', { name: 'Allow analytics' });
  await expect(agree).toBeVisible();
  expect(await cookies()).not.toHaveProperty('pp_source');
  expect(await page.evaluate(() => localStorage.getItem('pp_referer_list'))).toBeNull();
  await agree.click();
  await expect.poll(cookies).toMatchObject({ pp_source: 'letter', pp_campaign: 'spring' });
  for (const { name, expires } of await context.cookies()) {
    if (name !== 'pp_source' && name !== 'pp_campaign') continue;
    const hours = (expires - Date.now() / 1000) / 3600;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12.01);
  }
  const kept = await page.evaluate(() => localStorage.getItem('pp_referer_list'));
  expect(kept).toContain('https://forum.example');
  expect(kept).not.toContain('thread');
  await context.close();
});

test('a chosen theme applies to the whole window, from the first byte and after a change', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  await page.goto('/faq');
  await context.addCookies([{ name: 'pp_theme', value: 'dark', url: page.url() }]);
  const first = await (await context.request.get('/faq')).text();
  expect(first).toContain('data-theme="dark"');
  expect(first.match(/<meta[^>]*theme-color[^>]*>/g)).toEqual([
    expect.stringContaining('#0f1116'),
    expect.stringContaining('#0f1116'),
  ]);
  await page.reload();
  const colours = page.locator('meta[name=theme-color]');
  const contents = () => colours.evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')));
  expect(await contents()).toEqual(['#0f1116', '#0f1116']);
  for (const [name, wanted] of [
    ['Light', ['#fbfaf9', '#fbfaf9']],
    ['Dark', ['#0f1116', '#0f1116']],
    ['System', ['#fbfaf9', '#0f1116']],
  ] as const) {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await expect.poll(contents).toEqual(wanted);
  }
  expectNoComplaints(page);
});

test('on a phone the theme is chosen in the menu, which opens at its first page', async ({ browser }) => {
  const { page } = await visitor(browser, { screen: 'phone' });
  await page.goto('/faq');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.getByRole('group', { name: 'Theme' }).getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await barriers(page)).toEqual([]);
  expectNoComplaints(page);
});

/** The events that the pages have sent to the collector. */
function countedBy(page: Page): string[] {
  const counted: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/site/v1/happenings')) return;
    const { happenings } = JSON.parse(request.postData() ?? '') as {
      happenings: { name: string; detail: string }[];
    };
    counted.push(...happenings.map(({ name, detail }) => `${name} ${detail}`));
  });
  return counted;
}

test('a visitor who consents on a later page and signs up is counted with their first referrer', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser, { isNew: true });
  const counted = countedBy(page);
  await page.goto('/?__source=letter&__medium=mail&__campaign=spring', {
    referer: 'https://forum.example/thread/9',
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Check a link' }).click();
  await expect(page).toHaveURL(/\/url-checker$/);
  await page.getByRole('button', { name: 'Allow analytics' }).click();
  await open(page, '/sign-up');
  await page.getByLabel('Email').fill(`eve-${Date.now()}@example.org`);
  await page.getByLabel('Name').fill('Eve Nest');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my drive' }).click();
  await expect(page).toHaveURL(/\/drive\/all$/, { timeout: 30_000 });
  await expect
    .poll(() => counted)
    .toEqual(
      expect.arrayContaining([
        'signed_up_source letter',
        'signed_up_medium mail',
        'signed_up_campaign spring',
        'signed_up_referrer https://forum.example',
      ]),
    );
  await context.close();
});

test('the cookie choice is changed in the footer, with the keyboard alone', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  const notice = page.getByRole('region', { name: 'Cookies' });
  const settings = page.getByRole('button', { name: 'Cookie settings' });
  const all = notice.getByRole('button', { name: 'Allow analytics' });
  const necessary = notice.getByRole('button', { name: 'Necessary only' });
  await open(page, '/?__source=letter');
  await all.click();
  await expect(notice).toBeHidden();

  await settings.focus();
  await page.keyboard.press('Enter');
  await expect(notice).toBeFocused();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await expect(necessary).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
  await expect(settings).toBeFocused();

  await page.keyboard.press('Enter');
  await necessary.focus();
  await page.keyboard.press('Enter');
  await expect(notice).toBeHidden();
  await expect(settings).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('allow_analysis'))).toBe('0');
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('pp_source');

  await page.keyboard.press('Enter');
  await expect(necessary).toHaveAttribute('aria-pressed', 'true');
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toBeHidden();
  expectNoComplaints(page);
  await context.close();
});

test('a browser with Global Privacy Control is offered no cookie choice', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
  );
  await open(page, '/faq');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cookie settings' })).toBeHidden();
  await context.close();
});

test('a language chosen in the footer is stored and counted, and the position on the page is kept', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser, { isNew: true });
  const counted = countedBy(page);
  await open(page, '/faq?topic=x#account');
  await page.getByRole('button', { name: 'Allow analytics' }).click();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es\/faq\?topic=x#account$/);
  expect(counted).toContain('language_switched es');
  expect((await context.cookies()).find(({ name }) => name === 'pp_locale')?.value).toBe('es');
  await context.close();
});

test('feedback and visits to shares are counted, but not which share it was', async ({ browser }) => {
  const ann = await member(browser);
  const { file } = await post<{ file: { id: string } }>(ann.context.request, '/drive/v1/files', {
    kind: 'drive#folder',
    name: 'Trip',
  });
  const { share_id: share } = await post<{ share_id: string }>(ann.context.request, '/drive/v1/share', {
    file_ids: [file.id],
    pass_code_option: 'NOT_REQUIRED',
    expiration_days: -1,
  });
  const { page, context } = await visitor(browser, { isNew: true });
  const counted = countedBy(page);
  await open(page, '/contact-us?topic=feedback');
  await page.getByRole('button', { name: 'Allow analytics' }).click();
  await open(page, '/contact-us?topic=feedback');
  await expect.poll(() => counted).toContain('review_panel feedback');
  await page.goto(`/s/${share}`);
  await expect.poll(() => counted).toContain('spread_page share');
  await context.close();
});

test('on a phone, one button opens a menu of all public pages', async ({ browser }) => {
  const { page, context } = await visitor(browser, { screen: 'phone' });
  await open(page, '/');
  const button = page.getByRole('button', { name: 'Menu', exact: true });
  await button.click();
  for (const name of [
    'Check a link',
    'Help center',
    'FAQ',
    'Blog',
    'On your phone',
    'Contact',
    'Sign in',
    'Create account',
  ])
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await page.getByRole('menuitem', { name: 'Blog' }).click();
  await expect(page).toHaveURL(/\/blog$/);
  expectNoComplaints(page);
  await context.close();
});

test('an unknown page of the drive is a 404 inside the drive for a member, and outside of it for a visitor', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  for (const path of ['/drive/dashboard', '/ru/drive/some/where', '/drive/account/nothing']) {
    const reply = await page.goto(path);
    expect(reply?.status(), path).toBe(404);
    await expect(page.getByRole('navigation').first()).toBeVisible();
    // The words of the router’s own error page.
    await expect(page.getByText('Page Not Found', { exact: true })).toBeHidden();
  }
  await page.goto('/drive/dashboard');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to my files' }).click();
  await expect(page).toHaveURL(/\/drive\/all$/);
  await page.goto('/faq/no-such-page');
  await expect(page.getByRole('link', { name: 'Back to my files' })).toBeVisible();
  await context.close();
  const elsewhere = await browser.newContext();
  const visitor = await elsewhere.newPage();
  const reply = await visitor.goto('/drive/dashboard');
  expect(reply?.status()).toBe(404);
  await expect(visitor).toHaveURL(/\/drive\/dashboard$/);
  await expect(visitor.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Back to my files' })).toBeHidden();
  await elsewhere.close();
});

test('without a mail server the notifications page says only that', async ({ browser }) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/account/notifications');
  await expect(page.getByText('This service does not send email')).toBeVisible();
  await expect(page.getByRole('main').getByRole('switch')).toBeHidden();
  await expect(page.getByText('Always sent')).toBeHidden();
  await page.getByRole('link', { name: 'Recent sign-ins' }).click();
  await expect(page.getByRole('heading', { name: 'Sign-ins of the last 30 days' })).toBeVisible();
  expectNoComplaints(page);
  await context.close();
});
