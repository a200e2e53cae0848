import { randomBytes } from 'node:crypto';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open } from './support/files-page.ts';
import { answers, share, sharer } from './support/shares.ts';
import { expectNoComplaints, member, PASSWORD, post, visitor, type Look } from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

let networks = 0;

/** A visitor whose network has had six failed sign-ins lately. */
async function fromTroubledNetwork(browser: Browser, look: Look = {}): Promise<Page> {
  const { context, page } = await visitor(browser, look);
  const address = `198.51.100.${(networks += 1)}`;
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
  for (let time = 0; time < 6; time++) {
    const program = { client_id: 'guesser', device_id: 'guesser' };
    const username = `nobody-${address}-${time}@example.org`;
    const init = { ...program, action: 'POST:/v1/auth/signin', meta: { username } };
    const { captcha_token } = await post(context.request, '/v1/shield/captcha/init', init);
    await context.request.post('/v1/auth/signin', {
      data: { ...program, username, password: 'wrong', captcha_token },
    });
  }
  return page;
}

/** Removes support for workers, so that the check has to be started by hand. */
const withoutWorkers = (page: Page): Promise<void> =>
  page.route(/proof-worker/, (route) => route.abort()) as unknown as Promise<void>;

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

test('a sign-in from a network without failures shows no check', async ({ browser }) => {
  const { email } = await member(browser);
  const { context, page } = await visitor(browser);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.250' });
  const frames: string[] = [];
  page.on('frameattached', (frame) => frames.push(frame.url()));
  await open(page, '/drive/login');
  await signIn(page, email);
  await page.waitForURL(/\/drive\/all/);
  expect(frames).toEqual([]);
  const kept = await page.evaluate(() => localStorage.getItem('captcha_bowerbird-web'));
  expect(JSON.parse(kept!)).toMatchObject({
    action: 'POST:/v1/auth/signin',
    captcha_token: expect.stringMatching(/^ck0\./) as unknown,
    expires_in: 300,
  });
  expectNoComplaints(page);
});

test('after failed sign-ins the browser solves a check, and the right password is accepted', async ({
  browser,
}) => {
  const { email } = await member(browser);
  const page = await fromTroubledNetwork(browser);
  await open(page, '/drive/login');
  const solved = page.waitForResponse((response) => response.url().includes('/captcha/solve'));
  await signIn(page, email);
  await expect(page.getByRole('dialog', { name: 'One quick check' })).toBeVisible();
  expect((await solved).status()).toBe(200);
  await page.waitForURL(/\/drive\/all/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expectNoComplaints(page);
});

for (const screen of ['desktop', 'phone'] as const)
  test(`without workers the check is started by hand on a ${screen}, and is accessible`, async ({
    browser,
  }) => {
    const { email } = await member(browser);
    const page = await fromTroubledNetwork(browser, { screen });
    await withoutWorkers(page);
    await open(page, '/drive/login');
    await signIn(page, email);
    const frame = page.frameLocator('iframe[title="Security check"]');
    const begin = frame.getByRole('button', { name: 'Start check' });
    await expect(begin).toBeVisible();
    await expect(frame.getByRole('status')).toContainText('you don’t need to do anything');
    expect(await barriers(page)).toEqual([]);
    const box = (await page.locator('iframe').boundingBox())!;
    expect(box.width).toBeGreaterThanOrEqual(screen === 'phone' ? 300 : 320);
    await begin.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/drive\/all/);
  });

test('closing a check cancels the action that needed it, and nothing else', async ({ browser }) => {
  const { email } = await member(browser);
  const page = await fromTroubledNetwork(browser);
  await withoutWorkers(page);
  await open(page, '/drive/login');
  await signIn(page, email);
  const dialog = page.getByRole('dialog', { name: 'One quick check' });
  const isCancelled = async (): Promise<void> => {
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveText('This was canceled.');
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  };
  await expect(dialog).toBeVisible();
  // A click outside may be accidental.
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await isCancelled();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await isCancelled();
});

test('without scripts a sign-in works as long as no check is needed', async ({ browser }) => {
  const { email } = await member(browser);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.251' },
  });
  const page = await context.newPage();
  await page.goto('/drive/login');
  await signIn(page, email);
  await page.waitForURL(/\/drive\/all/);
});

test('after failed sign-ins a passcode needs the check too, and then opens the share', async ({
  browser,
}) => {
  const ann = await sharer(browser);
  const { path } = await share(ann, ['Autumn trip'], {
    pass_code_option: 'REQUIRED',
    custom_pass_code: 'abcd',
  });
  const page = await fromTroubledNetwork(browser);
  await page.goto(path);
  await answers(page.getByRole('button', { name: 'Open' }));
  await page.getByLabel('Passcode').fill('abcd');
  const solved = page.waitForResponse((response) => response.url().includes('/captcha/solve'));
  await page.keyboard.press('Enter');
  expect((await solved).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Save to my drive' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

/** A network from which others have guessed at this very share until a check is required. */
async function besideGuessers(
  browser: Browser,
  path: string,
  { javaScriptEnabled }: { javaScriptEnabled: boolean },
): Promise<Page> {
  const address = ['100', '64', ...randomBytes(2)].join('.');
  const context = await browser.newContext({
    javaScriptEnabled,
    extraHTTPHeaders: { 'x-forwarded-for': address },
  });
  for (let guess = 0; guess < 5; guess += 1) await context.request.get(`${path}?s_code=nope${guess}`);
  return context.newPage();
}

async function usedUp(page: Page, path: string): Promise<void> {
  let status = 403;
  for (let guess = 0; guess < 4 && status === 403; guess += 1)
    status = (await page.context().request.get(`${path}?s_code=wrong${guess}`)).status();
  expect(status).toBe(400);
}

test('a link with its passcode opens without a click, whatever others on the network guessed', async ({
  browser,
}) => {
  const ann = await sharer(browser);
  const locked = { pass_code_option: 'REQUIRED', custom_pass_code: 'bird42', title: 'Secret finds' };
  const { path } = await share(ann, ['Autumn trip'], locked);
  const scripted = await besideGuessers(browser, path, { javaScriptEnabled: true });
  // Uses up the attempts that links have without a check.
  await usedUp(scripted, path);
  const solved = scripted.waitForResponse((response) => response.url().includes('/captcha/solve'));
  await scripted.goto(`${path}?s_code=BIRD42`);
  expect((await solved).status()).toBe(200);
  await expect(scripted.getByRole('heading', { name: 'Secret finds' })).toBeVisible();
  await expect(scripted).toHaveURL(new RegExp(`${path}$`));
});

test('without scripts a link with its passcode opens too, and further guesses show how long to wait', async ({
  browser,
}) => {
  const ann = await sharer(browser);
  const locked = { pass_code_option: 'REQUIRED', custom_pass_code: 'bird42', title: 'Secret finds' };
  const { path } = await share(ann, ['Autumn trip'], locked);
  const plain = await besideGuessers(browser, path, { javaScriptEnabled: false });
  await plain.goto(`${path}?s_code=bird42`);
  await expect(plain.getByRole('heading', { name: 'Secret finds' })).toBeVisible();

  const guesser = await besideGuessers(browser, path, { javaScriptEnabled: false });
  await usedUp(guesser, path);
  const refused = await guesser.goto(`${path}?s_code=wrong`);
  expect(refused!.status()).toBe(400);
  expect(Number(refused!.headers()['retry-after'])).toBeGreaterThan(0);
  await expect(guesser.getByText(/Too many attempts from your network\. Try again in/)).toBeVisible();
  await expect(guesser.getByText('One moment…')).toHaveCount(0);
});

test('a returned captcha token is sent to our own frame only, and is removed from the address', async ({
  browser,
}) => {
  const { page } = await visitor(browser);
  await page.goto('/loading?captcha_token=ck0.secret&expires_in=300');
  await expect(page).toHaveURL(/\/loading$/);
  await page.goto('/captcha/challenge?captcha_token=made-up&redirect_uri=https://evil.example/');
  await expect(page.getByRole('heading', { name: 'This check has expired' })).toBeVisible();
});
