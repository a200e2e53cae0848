import { expect, test, type Page } from '@playwright/test';
import { expectNoComplaints, visitor } from './support/people.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('the address of a question opens it, in older forms too', async ({ browser }) => {
  const { page } = await visitor(browser);
  const answer = page.locator('#lost-phone').getByText('Use a recovery code');
  for (const hash of ['lost-phone', 'faq-lost-phone', 'q_lost-phone', 'question-lost%2Dphone']) {
    await page.goto('/robots.txt');
    await page.goto(`/ru/faq#${hash}`);
    await expect(page.locator('details[open]')).toHaveCount(1);
    await expect(page.locator('details#lost-phone')).toHaveAttribute('open', '');
    await expect(page.locator('details#lost-phone')).toBeInViewport();
    await expect(page).toHaveURL(/\/ru\/faq#lost-phone$/);
  }
  await page.goto('/faq');
  await expect(answer).toBeHidden();
  await page.getByText('I lost the phone').click();
  await expect(answer).toBeVisible();
  expectNoComplaints(page);
});

for (const path of ['/faq', '/help', '/help-center/account/passkeys', '/policy/privacy-policy', '/'])
  test(`malformed escapes in the query are harmless on ${path}`, async ({ browser }) => {
    const { page } = await visitor(browser);
    for (const broken of ['#100%', '#%E0%A4%A', '?q=100%#%', '?url=%E0%A4&s_code=%']) {
      await page.goto('/robots.txt');
      expect((await page.goto(path + broken))!.status()).toBe(200);
      // Effects have run once the page's menus work.
      await page.getByRole('button', { name: 'Theme' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
    }
    expectNoComplaints(page);
  });

test('a path with a malformed escape is a client error', async ({ request }) => {
  for (const path of ['/help-center/%E0%A4%A', '/blog/100%', '/policy/%', '/%']) {
    const reply = await request.get(path);
    expect([path, reply.status() >= 400 && reply.status() < 500]).toEqual([path, true]);
  }
});

test('a page that does not exist shows its address, and what to do', async ({ browser }) => {
  const { page } = await visitor(browser);
  expect((await page.goto('/help-center/no/such-article'))!.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText('Page Not Found: /help-center/no/such-article')).toBeVisible();
  await expect(page.getByText('Check the link, or go to the home page.')).toBeVisible();
  await page.goto('/ru/nowhere');
  await expect(page.getByText('Page Not Found: /ru/nowhere')).toBeVisible();
});

test('a folder of the help center opens with its first article, in the language of the address', async ({
  request,
}) => {
  for (const prefix of ['', '/ja']) {
    const reply = await request.get(`${prefix}/help-center/start`, { maxRedirects: 0 });
    expect(reply.status()).toBe(302);
    expect(reply.headers()['location']).toBe(`${prefix}/help-center/start/make-an-account`);
  }
});

test('the help center is searched while typing, and the address contains the query', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.goto('/help-center');
  const box = page.getByRole('searchbox', { name: 'Search the help center' });
  await box.pressSequentially('FINGERprint', { delay: 60 });
  const found = page.getByRole('main').getByRole('listitem');
  await expect(found.first()).toContainText('Sign in with a passkey');
  await expect(page).toHaveURL(/\/help-center\?q=FINGERprint$/);
  await box.fill('rclone crypt nothing');
  await expect(page.getByText('No results for “rclone crypt nothing”')).toBeVisible();
  await box.fill('mistake fake site');
  await expect(found.first().locator('mark').first()).toHaveText(/fake|site|mistake/);
  await found.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/help-center\/account\/passkeys$/);
  await page.goBack();
  await expect(box).toHaveValue('mistake fake site');
  await box.fill('');
  await expect(page.getByRole('link', { name: 'Sign in with a passkey' })).toBeVisible();
  await expect(page).toHaveURL(/\/help-center$/);
  expectNoComplaints(page);
});

test('without scripts a search is a page of its own', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/ru/help-center');
  await page.getByRole('searchbox').fill('отпечаток');
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(/\/ru\/help-center\?q=/);
  await expect(page.locator('main ol a').first()).toHaveAttribute('href', /^\/ru\/help-center\//);
});

test('each version of a policy has a page, and the current one is at the policy’s own address', async ({
  page,
}) => {
  await page.goto('/policy/membership-agreement');
  await expect(page.getByText('Version of 23-08-23')).toBeVisible();
  // Once the page's scripts have run, the link is called by the full date.
  await page.getByRole('link', { name: 'June 14, 2022' }).click();
  await expect(page).toHaveURL(/\/policy\/membership-agreement\/2022-06-14$/);
  await expect(page.getByText('This version is no longer in force')).toBeVisible();
  for (const name of ['user-agreement', 'anti-abuse']) {
    await page.goto(`/ru/policy/${name}/${name}`);
    await expect(page.getByText('23-11-06').first()).toBeVisible();
    expect((await page.request.get(`/policy/${name}/2001-01-01`)).status()).toBe(404);
  }
});

test('policy changes are listed, newest first, and shown word by word between two versions', async ({
  page,
}) => {
  await page.goto('/policy/update');
  const dates = await page
    .locator('main ol time')
    .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')!));
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(dates).toContain('2021-11-08');
  await expect(page.getByText('rules out renewals without notice')).toBeVisible();
  await page.goto('/policy/membership-agreement');
  await page.getByRole('link', { name: 'Compare versions' }).click();
  await expect(page.locator('ins', { hasText: 'Added:Where the law gives you a right' })).toBeVisible();
  await expect(page.locator('del', { hasText: 'Removed:If a payment fails, the plan ends' })).toBeVisible();
  await page.getByLabel('From').selectOption('2023-08-23');
  await page.getByLabel('To').selectOption('2022-06-14');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.locator('del', { hasText: 'Removed:Where the law gives you a right' })).toBeVisible();
});

test('on a phone the selected policy is fully visible in the row of tabs', async ({ browser }) => {
  const { page } = await visitor(browser, { screen: 'phone' });
  for (const path of ['/ru/policy/update', '/ru/policy/anti-abuse']) {
    await page.goto(path);
    await expect(page.locator('nav [aria-current=page]').first()).toBeInViewport({ ratio: 1 });
  }
  expectNoComplaints(page);
});

test('the blog is filtered by subject, and its feed has the full texts', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.goto('/blog');
  const posts = page.getByRole('main').getByRole('article');
  const all = await posts.count();
  await page.getByRole('link', { name: 'Guides', exact: true }).click();
  await expect(page).toHaveURL(/\/blog\?tag=guides$/);
  await expect(posts).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Guides', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await page.goto('/blog?tag=nothing');
  await expect(posts).toHaveCount(all);
  expectNoComplaints(page);

  const reply = await page.request.get('/ru/blog/feed.xml');
  expect(reply.headers()['content-type']).toContain('application/rss+xml');
  const feed = await page.evaluate(
    (xml) => {
      const { documentElement: rss } = new DOMParser().parseFromString(xml, 'text/xml');
      const text = (within: Element, name: string) => within.getElementsByTagName(name)[0]?.textContent ?? '';
      const channel = rss.getElementsByTagName('channel')[0]!;
      return {
        isRss: rss.nodeName === 'rss',
        title: text(channel, 'title'),
        description: text(channel, 'description'),
        language: text(channel, 'language'),
        items: [...rss.getElementsByTagName('item')].map((item) => ({
          link: text(item, 'link'),
          date: text(item, 'pubDate'),
          content: text(item, 'content:encoded'),
        })),
      };
    },
    await reply.text(),
  );
  expect(feed).toMatchObject({ isRss: true, title: 'Блог · Bowerbird', language: 'ru' });
  expect(feed.description).toMatch(/Bowerbird.*\p{Script=Cyrillic}|\p{Script=Cyrillic}.*Bowerbird/u);
  expect(feed.items).toHaveLength(all);
  for (const { link, date, content } of feed.items) {
    expect(new URL(link).pathname).toMatch(/^\/ru\/blog\/[\w-]+$/);
    expect(Date.parse(date)).not.toBeNaN();
    expect(content).toMatch(/^<(?:p|h2)/);
    expect(content).not.toMatch(/href="\//);
  }
});

test('the title and social card of a public page describe it, in its language', async ({ page }) => {
  for (const [path, title, locale] of [
    ['/', 'Keep what you find. Share what you love. · Bowerbird', 'en_US'],
    ['/pt/url-checker', /^.{10,} · Bowerbird$/, 'pt_BR'],
    ['/ja', /^\p{Script=Hiragana}|\p{Script=Han}.* · Bowerbird$/u, 'ja_JP'],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(page.locator('meta[property="og:locale"]')).toHaveAttribute('content', locale);
    await expect(page.locator('meta[property="og:locale:alternate"]')).toHaveCount(10);
    const card = await page.locator('meta[property="og:title"]').getAttribute('content');
    expect(await page.title()).toBe(`${card} · Bowerbird`);
  }
});

/** Opens a page as it is printed for a reader who has chosen the dark theme. */
async function printed(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.context().addCookies([{ name: 'pp_theme', value: 'dark', url: page.url() }]);
  await page.reload();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const ink = await page
    .getByRole('heading', { level: 1 })
    .evaluate((heading) => getComputedStyle(heading).color);
  expect(Number(/oklch\(([\d.]+)/.exec(ink)?.[1])).toBeLessThan(0.4);
}

test('a printed page has all answers, and no elements that only work on a screen', async ({ browser }) => {
  const { page } = await visitor(browser, { screen: 'tablet' });
  await printed(page, '/faq');
  for (const answer of await page.locator('details .markdown').all()) await expect(answer).toBeVisible();
  await expect(page.locator('details svg').first()).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('details .markdown').first()).toBeHidden();
  await page.goto('/faq?snapshot=1');
  for (const answer of await page.locator('details .markdown').all()) await expect(answer).toBeVisible();
  await printed(page, '/help-center/account/passkeys');
  await expect(page.getByText('can’t be entered on a fake site')).toBeVisible();
  for (const screen of [
    { width: 720, height: 1000 },
    { width: 1200, height: 800 },
  ]) {
    await page.setViewportSize(screen);
    await expect(page.getByText('All articles')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'All articles' })).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Related articles' })).toBeHidden();
  }
  await printed(page, '/policy/membership-agreement');
  await expect(page.getByText('Version of 23-08-23')).toBeVisible();
  await expect(page.getByText('Compare versions')).toBeHidden();
  await expect(page.getByText('All versions')).toBeHidden();
  await printed(page, '/blog/collect-a-magnet-link');
  await expect(page.locator('main a[href="/blog"]')).toBeHidden();
});
