import { expect, test, type APIRequestContext, type Page } from '@playwright/test';
import { expectNoComplaints, member, PASSWORD, post, visitor, type Screen } from './support/people.ts';
import { mailingServer, type MailingServer } from './support/mailing-server.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const HOUR_MS = 3600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const activity = (name: string, begins: number, ends: number) => ({
  name,
  begins: inHours(begins),
  ends: inHours(ends),
  title: { 'en-US': `The ${name} days`, ru: 'Дни' },
  lead: 'Something goes on.',
  text: '## What\n\nGo to [your drive](/drive/all).',
  action: { label: 'Open it', url: '/drive/all' },
});

const DOCUMENTS = {
  basic: { telegram_bot: '@bower_bot' },
  downloads: [
    { platform: 'android', version: '2.4.1', url: 'https://downloads.example.org/bowerbird.apk' },
    { platform: 'gp', url: 'https://play.google.com/store/apps/details?id=org.example.drive' },
    { platform: 'ios', url: 'https://apps.apple.com/app/id1' },
    { platform: 'mac_arm64', version: '2.4.0', url: 'https://downloads.example.org/arm.dmg' },
    { platform: 'mac_x64', version: '2.4.0', url: 'https://downloads.example.org/x64.dmg' },
  ],
  resources: {
    categories: [
      {
        title: 'Open films',
        links: [
          {
            title: 'Blender Studio',
            url: 'https://studio.blender.org/films/',
            description: 'Made in the open.',
          },
        ],
      },
      { title: 'Sounds', links: [{ title: 'xeno-canto', url: 'https://xeno-canto.org/' }] },
    ],
  },
  activity_operation: {
    activities: [
      activity('christmas', -1, 1),
      activity('black-friday', -2, -1),
      activity('compensation', 24, 48),
    ],
  },
};

/** An installation whose operator offers apps, has an activity in progress, and reads messages. */
let site: MailingServer;
test.beforeAll(async () => {
  site = await mailingServer({
    documents: DOCUMENTS,
    environment: { CONTACT_ADDRESS: 'operator@example.org', OPERATOR_NAME: 'Ann’s drives' },
  });
});
test.afterAll(() => site[Symbol.asyncDispose]());

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/** Every internal link of a page, with the status that it returns. */
async function deadLinks(page: Page, request: APIRequestContext): Promise<string[]> {
  const addresses = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const own = new Set(addresses.filter((address) => new URL(address).origin === new URL(page.url()).origin));
  const dead: string[] = [];
  for (const address of own) {
    const { hash } = new URL(address);
    const reply = await request.get(address);
    if (!reply.ok()) dead.push(`${address}: ${reply.status()}`);
    else if (hash !== '' && !(await reply.text()).includes(`id="${hash.slice(1)}"`))
      dead.push(`${address}: no place`);
  }
  return dead;
}

const APP_PAGES = ['/mobile-app', '/desktop-app', '/browser-extension', '/tv'] as const;
const TEXT_PAGES = ['/help', '/tv-help', '/install-apk-troubleshooting', '/check-in-guide'] as const;

test('without apps, each page explains how to manage without them, and has no dead links', async ({
  browser,
  request,
}) => {
  const { page } = await visitor(browser);
  for (const path of [...APP_PAGES, ...TEXT_PAGES, '/favorite-links-hub', '/check-in', '/contact-us', '/']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await deadLinks(page, request), path).toEqual([]);
  }
  for (const [path, words] of [
    ['/mobile-app', 'No app store needed'],
    ['/desktop-app', 'Nothing to install'],
    ['/browser-extension', 'No extension needed'],
    ['/tv', 'No app? It still works on your TV'],
    ['/install-apk-troubleshooting', 'This server doesn’t offer an APK'],
    ['/favorite-links-hub', 'No links here yet'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(words).first()).toBeVisible();
  }
  expectNoComplaints(page);
});

test('the administrator’s apps are offered, starting with the visitor’s device', async ({ browser }) => {
  const phone = await browser.newContext({ userAgent: PHONE, viewport: { width: 360, height: 740 } });
  const page = await phone.newPage();
  await page.goto(`${site.origin}/mobile-app`);
  const offers = page.getByRole('listitem').filter({ has: page.getByRole('link') });
  await expect(page.getByRole('link', { name: 'Google Play' })).toHaveAttribute(
    'href',
    /^https:\/\/play\.google/,
  );
  await expect(page.getByRole('link', { name: 'Google Play' })).toHaveClass(/button-primary/);
  await expect(offers.filter({ hasText: 'Version 2.4.1' })).toContainText('Download the APK');
  await expect(page.getByText('Your device')).toHaveCount(1);
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0);

  await phone.close();
});

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

test('a Mac is offered the app for its processor if known, or else for current ones', async ({ browser }) => {
  for (const [architecture, first] of [
    ['x86', 'x64.dmg'],
    ['arm', 'arm.dmg'],
    [undefined, 'arm.dmg'],
  ] as const) {
    const context = await browser.newContext({
      userAgent: MAC,
      extraHTTPHeaders: { 'sec-ch-ua-platform': '"macOS"' },
    });
    const asked = Promise.withResolvers<void>();
    await context.exposeFunction('asked', asked.resolve);
    await context.addInitScript((told) => {
      const { asked } = window as unknown as { asked: () => Promise<void> };
      const tell = () => asked().then(() => ({ architecture: told }));
      const agent = told && { platform: 'macOS', getHighEntropyValues: tell };
      Object.defineProperty(navigator, 'userAgentData', { value: agent });
    }, architecture);
    if (architecture === undefined) asked.resolve();
    const page = await context.newPage();
    await page.goto(`${site.origin}/ru/desktop-app`);
    await expect(page.getByRole('img', { name: new RegExp(`${site.origin}/ru/desktop-app`) })).toBeVisible();
    await asked.promise;
    await expect(page.locator('a.button-primary[href$=".dmg"]')).toHaveAttribute('href', new RegExp(first));
    await expect(page.locator('a[href$=".dmg"]')).toHaveCount(2);
    await expect(page.locator('section#mac')).toBeVisible();
    await context.close();
  }
});

test('an iPad, which identifies itself as a Mac, is offered the iPad app', async ({ browser }) => {
  const context = await browser.newContext({ userAgent: MAC });
  await context.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 }));
  const page = await context.newPage();
  const heard: string[] = [];
  page.on('pageerror', (error) => heard.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && heard.push(message.text())));
  await page.goto(`${site.origin}/mobile-app`);
  await expect(page.locator('section#ios').getByText('Your device')).toBeVisible();
  await expect(page.locator('a.button-primary[href*="apps.apple.com"]')).toBeVisible();
  await page.goto(`${site.origin}/desktop-app`);
  await expect(page.locator('a[href$=".dmg"]')).toHaveCount(2);
  await expect(page.locator('a.button-primary[href$=".dmg"]')).toHaveCount(0);
  expect(heard).toEqual([]);
});

test('a phone on the extension’s page is redirected to mobile apps, and cards link to the top of pages', async ({
  browser,
  request,
}) => {
  for (const path of ['/browser-extension', '/browser-extension/chrome/install'])
    for (const prefix of ['', '/ja']) {
      const reply = await request.get(prefix + path, { headers: { 'user-agent': PHONE }, maxRedirects: 0 });
      expect(reply.status()).toBe(302);
      expect(reply.headers()['location']).toBe(`${prefix}/mobile-app`);
    }
  expect((await request.get('/browser-extension/chrome/install')).status()).toBe(404);

  for (const path of ['/', '/url-checker'])
    for (const [userAgent, platform, href] of [
      [PHONE, '"Android"', '/desktop-app'],
      ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0', '"Windows"', '/desktop-app#windows'],
    ] as const) {
      const context = await browser.newContext({
        userAgent,
        extraHTTPHeaders: { 'sec-ch-ua-platform': platform },
      });
      const page = await context.newPage();
      await page.goto(path);
      await expect(page.getByRole('link', { name: /Computer/ })).toHaveAttribute('href', href);
    }
});

test('the bookmarklet opens the link checker with the current page', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.goto('/browser-extension');
  const bookmark = await page.getByText(/^javascript:/).textContent();
  await page.goto('/help');
  // As a browser runs a bookmarklet: in the page, triggered by its reader.
  await page.evaluate(bookmark!.replace('javascript:', '')).catch(() => undefined);
  await page.waitForURL(/\/url-checker\?url=http%3A%2F%2F127\.0\.0\.1%3A\d+%2Fhelp$/);
});

test('each way to save has an anchor of its own, and the bot is named if there is one', async ({
  browser,
}) => {
  const { page } = await visitor(browser);
  for (const place of ['copy-link', 'system-share', 'telegram-bot']) {
    await page.goto(`/help#${place}`);
    await expect(page.locator(`h2#${place}`)).toBeInViewport();
  }
  await expect(page.getByText('has its own bot')).toHaveCount(0);
  await page.goto(`${site.origin}/help#telegram-bot`);
  await expect(page.getByRole('link', { name: '@bower_bot' })).toHaveAttribute(
    'href',
    'https://t.me/bower_bot',
  );
});

for (const scripts of [true, false])
  test(`a message to the administrator arrives, ${scripts ? 'with' : 'without'} scripts`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    const page = await context.newPage();
    await page.goto(`${site.origin}/contact-us?topic=copyright&link=${site.origin}/s/V1`);
    await expect(page.getByText('Ann’s drives')).toBeVisible();
    await expect(page.getByLabel('What is it about?')).toHaveValue('copyright');
    await page.getByLabel('Your email address').fill('nobody');
    await page.getByLabel('Message').fill(`A song of mine is there.\nScripts: ${scripts}`);
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText('Enter an email address like ann@example.org.')).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue(/A song of mine/);
    await page.getByLabel('Your email address').fill('vera@example.net');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByRole('heading', { name: 'Your message was sent' })).toBeVisible();
    await expect
      .poll(async () => (await site.mailTo('operator@example.org', /copyright/)).text)
      .toContain(`Scripts: ${scripts}`);
    const listed = await site.command('contact', 'list');
    expect(listed).toContain('copyright  vera@example.net  visitor');
    expect(listed).toContain(`${site.origin}/s/V1`);
  });

test('a member’s feedback is sent as a message', async ({ browser }) => {
  const { page } = await member(browser);
  await page.goto('/ru/drive/feedback');
  await expect(page).toHaveURL(/\/ru\/contact-us\?topic=feedback$/);
  await page.goto('/drive/feedback');
  await expect(page.getByLabel('What is it about?')).toHaveValue('feedback');
  await page.getByLabel('Message').fill('The bower is beautiful.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('heading', { name: 'Your message was sent' })).toBeVisible();
  const { page: other } = await visitor(browser);
  await other.goto('/drive/feedback');
  await expect(other).toHaveURL(/\/drive\/login\?continue=%2Fdrive%2Ffeedback$/);
});

test('an unsubscribe link ends its kind of email with one click, and opening it changes nothing', async ({
  browser,
  playwright,
}) => {
  await site.command('user', 'add', 'eve@example.org', '--name', 'Eve', '--password', PASSWORD);
  const request = await playwright.request.newContext({ baseURL: site.origin });
  const program = { client_id: 'journeys', device_id: 'elsewhere' };
  const { captcha_token } = await post(request, '/v1/shield/captcha/init', {
    ...program,
    action: 'POST:/v1/auth/signin',
    meta: { username: 'eve@example.org' },
  });
  await post(request, '/v1/auth/signin', {
    ...program,
    username: 'eve@example.org',
    password: PASSWORD,
    captcha_token,
  });
  await request.dispose();
  const mail = await site.mailTo('eve@example.org', /New sign-in/);
  const link = /http\S+\/unsubscribe\?d=\S+/.exec(mail.text!)![0];
  const { page } = await visitor(browser);
  await page.goto(link);
  await page.reload();
  await expect(page.getByText('e***@example.org')).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
  await page.goto(`${link}x`);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('a mail program unsubscribes without asking', async ({ request }) => {
  const reply = await request.post('/unsubscribe?d=forged', { form: { 'List-Unsubscribe': 'One-Click' } });
  expect(reply.status()).toBe(404);
});

test('a member checks in once a day, and a visitor is asked to sign in', async ({ browser }) => {
  const { page } = await member(browser);
  await page.goto('/check-in');
  await expect(page.getByText('no rewards are promised')).toBeVisible();
  await page.getByRole('button', { name: 'Check in for today' }).click();
  await expect(page.getByText('You’ve checked in today.')).toBeVisible();
  await expect(page.locator('dd')).toHaveText(['1 day', '1 day']);
  await expect(page.locator('time[aria-current=date]')).toContainText('checked in');
  await page.getByRole('link', { name: 'Previous month' }).click();
  await expect(page.locator('time[aria-current=date]')).toHaveCount(0);
  await expect(page.getByText('You’ve checked in today.')).toBeVisible();
  expectNoComplaints(page);
  const { page: other } = await visitor(browser);
  await other.goto('/ru/check-in');
  await expect(other.locator('main a[href*="/ru/drive/login?continue=%2Fru%2Fcheck-in"]')).toBeVisible();
});

test('a current activity has a page, and a notice before and after', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.goto(site.origin);
  const ways = page.getByRole('link', { name: /The .* days/ });
  await expect(ways).toHaveText(['The christmas days', 'The christmas days']);
  await ways.first().click();
  await expect(page).toHaveURL(/\/activity\/christmas$/);
  await expect(page.getByRole('heading', { name: 'The christmas days' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open it' })).toHaveAttribute('href', '/drive/all');
  await page.goto(`${site.origin}/ru/faq`);
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Дни' })).toHaveAttribute(
    'href',
    '/ru/activity/christmas',
  );
  await page.goto(`${site.origin}/ru/activity/christmas`);
  await expect(page.getByRole('heading', { name: 'Дни' })).toBeVisible();
  await page.goto(`${site.origin}/activity/black-friday`);
  await expect(page).toHaveURL(/\/activity-end\?activity=black-friday$/);
  await expect(page.getByRole('heading', { name: 'The black-friday days has ended' })).toBeVisible();
  await page.goto(`${site.origin}/ru/activity/compensation`);
  await expect(page).toHaveURL(/\/ru\/activity-end\?activity=compensation$/);
  await page.goto('/activity/christmas');
  await expect(page.getByRole('heading', { name: 'This event has ended' })).toBeVisible();
  await page.goto('/');
  await expect(page.locator('a[href*="/activity/"]')).toHaveCount(0);
  expectNoComplaints(page);
});

test('action addresses show the current activity over their page, and the administrator sees its view count', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await context.addInitScript(() => localStorage.setItem('allow_analysis', '1'));
  for (const action of ['show_activity_dialog', 'show_popup_window']) {
    // Visitors who leave before the page responds are not counted.
    const counted = page.waitForRequest((request) => (request.postData() ?? '').includes('spread_page'));
    await page.goto(`${site.origin}/ru/faq?action=${action}`);
    await expect(page).toHaveURL(/\/ru\/faq$/);
    await page.getByRole('dialog', { name: 'Дни' }).getByRole('link', { name: 'Перейти' }).click();
    await expect(page).toHaveURL(/\/ru\/activity\/christmas$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await counted;
  }
  // Counts are written every few seconds.
  await expect
    .poll(() => site.command('statistics'), { timeout: 20_000, intervals: [1_000] })
    .toMatch(/ 2 {2}spread_page {2}activity\/christmas/);
});

test('links in the hub are found by their words, and each can be inspected', async ({ browser }) => {
  const { page } = await visitor(browser);
  await page.goto(`${site.origin}/favorite-links-hub`);
  await page.getByRole('searchbox').fill('bird');
  await expect(page.getByText('No links match “bird”')).toBeVisible();
  await page.getByRole('searchbox').fill('films open');
  await expect(page.getByRole('heading', { name: 'Sounds' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Check Blender Studio' }).click();
  await expect(page).toHaveURL(/\/url-checker\?url=https%3A%2F%2Fstudio\.blender\.org%2Ffilms%2F/);
});

for (const screen of ['desktop', 'phone'] satisfies Screen[])
  test(`apps embed the plan and storage pages on a ${screen}, without our header if they ask`, async ({
    browser,
  }) => {
    const { page } = await member(browser, { screen });
    await page.goto('/inapp/shop');
    await expect(page.getByRole('heading', { name: 'Plan and storage' })).toBeVisible();
    await expect(page.getByText('of 10 GB used').last()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ann Bower’s account' })).toBeVisible();
    await page.goto('/inapp/shop?hide_header=1');
    await expect(page.getByText('There’s nothing to buy here')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ann Bower’s account' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Files', exact: true })).toHaveCount(0);
    await page.goto('/inapp/widget?hide_header=0');
    await expect(page.getByText('No downloads from links yet.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open my drive' })).toBeVisible();
    await page.goto('/inapp/widget?hide_header=1');
    await expect(page.getByRole('meter', { name: 'Storage' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open my drive' })).toHaveCount(0);
    expectNoComplaints(page);
  });

for (const [rule, isOffered] of [
  ['false', false],
  ['approval', true],
] as const)
  test(`with SIGN_UP set to ${rule}, sign-up is ${isOffered ? 'offered' : 'not offered'}`, async ({
    browser,
  }) => {
    await using closed = await mailingServer({ environment: { SIGN_UP: rule } });
    const { page } = await visitor(browser);
    for (const path of ['/', '/faq', '/ru/drive/login']) {
      await page.goto(closed.origin + path);
      await expect(
        page.locator('a[href*="/drive/login"], form[action*="/drive/login"]').first(),
      ).toBeVisible();
      const ways = page.locator('a[href*="/sign-up"]');
      if (isOffered) expect(await ways.count(), path).toBeGreaterThan(0);
      else await expect(ways).toHaveCount(0);
    }
    expectNoComplaints(page);
  });
