import { expect, test, type Page } from '@playwright/test';
import { barriers, expectSound } from './support/accessibility.ts';
import { open, pick, toast, uploadsDone } from './support/files-page.ts';
import { codeOf, mailingServer, type MailingServer } from './support/mailing-server.ts';
import { expectNoComplaints, forgetVisitor, member, PASSWORD, visitor } from './support/people.ts';

const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: 'VIP会員' } }],
    free_days: { days: 7 },
    invitations: { invited_days: 3, inviter_days: 14, most_days: 140 },
  },
};

/** An installation that gives new members and inviters days of a plan. */
let server: MailingServer;
test.beforeAll(async () => {
  server = await mailingServer({
    documents: DOCUMENTS,
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  });
});
test.afterAll(() => server[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const at = (path: string): string => server.origin + path;
const link = (page: Page) => page.getByLabel('Link', { exact: true });

/** Waits for the message with the new days, and closes it. */
async function closeWelcome(page: Page, text: string): Promise<void> {
  await expect(toast(page, text)).toBeVisible();
  await toast(page, text).getByRole('button').last().click();
  await expect(toast(page, text)).toBeHidden();
}

/** Signs up on the page that is open, with an emailed code. */
async function signUp(page: Page, email: string, name: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code').fill(codeOf(await server.mailTo(email, /code/)));
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my drive' }).click();
  await page.waitForURL('**/drive/all');
}

test('a friend signs up with an invite link on a phone, and both get days of the plan', async ({
  browser,
}) => {
  const { page: ann } = await visitor(browser);
  await open(ann, at('/sign-up'));
  await expect(ann.getByText('New members get 7 days of VIP for free.')).toBeVisible();
  await signUp(ann, 'ann@example.org', 'Ann Bower');
  await closeWelcome(ann, 'Welcome! You have 7 days of VIP.');

  await ann.getByRole('button', { name: 'Ann Bower' }).click();
  await ann.getByRole('menuitem', { name: 'Invite friends' }).click();
  await expect(ann.getByRole('heading', { name: 'Invite friends', level: 1 })).toBeVisible();
  await expect(ann.getByText('Nobody has signed up with your link yet.')).toBeVisible();
  await expect(ann.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  expect(await barriers(ann)).toEqual([]);
  const url = await link(ann).inputValue();
  expect(url).toMatch(new RegExp(`^${server.origin}/sign-up\\?invite=[a-z2-9]{8}$`));

  const { page: bob } = await visitor(browser, { screen: 'phone' });
  await open(bob, url);
  await expect(bob.getByText('You were invited and get 3 days of VIP.')).toBeVisible();
  expect(await barriers(bob)).toEqual([]);
  // Looks around before signing up.
  await open(bob, at('/faq'));
  await open(bob, at('/sign-up'));
  await expect(bob.getByText('You were invited and get 3 days of VIP.')).toBeVisible();
  await signUp(bob, 'robert@example.org', 'Robert');
  await closeWelcome(bob, 'Welcome! You have 10 days of VIP.');
  await bob.reload();
  await expect(toast(bob, 'Welcome!')).toBeHidden();

  await ann.reload();
  await expect(ann.getByText('Hasn’t stored a file yet')).toBeVisible();
  await expect(ann.getByText('R**t', { exact: true })).toBeVisible();
  await pick(bob, [{ name: 'egg.txt', mimeType: 'text/plain', buffer: Buffer.from('an egg') }]);
  await uploadsDone(bob, 1);
  await ann.reload();
  await expect(ann.getByText('You got 14 days.')).toBeVisible();
  await expect(ann.getByText('14 days', { exact: true })).toBeVisible();
  await expect(ann.getByText('1 person', { exact: true })).toBeVisible();
  expectNoComplaints(ann);
  expectNoComplaints(bob);
});

test('inviting oneself in the same browser brings no days, and the page says so', async ({ browser }) => {
  const { page } = await visitor(browser);
  await open(page, at('/sign-up'));
  await signUp(page, 'eve@example.org', 'Eve');
  await expect(toast(page, 'Welcome!')).toBeVisible();
  await open(page, at('/referral'));
  const url = await link(page).inputValue();
  await page.getByRole('button', { name: 'Eve' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/referral'));

  await open(page, url);
  const claimed = page.waitForResponse('**/vip/v1/activity/invite');
  await signUp(page, 'eve+2@example.org', 'Eve Again');
  expect(await (await claimed).json()).toMatchObject({ free_days: 0, invited_days: 0, granted: false });
  await expect(toast(page, 'Welcome!')).toBeHidden();
  await forgetVisitor(page);
  await open(page, at('/drive/login?continue=%2Freferral'));
  await page.getByLabel('Email', { exact: true }).fill('eve@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/referral');
  await expect(page.getByText('No days for this invitation')).toBeVisible();
});

for (const [locale, title] of [
  ['en-US', 'Invite friends'],
  ['ja', '友だちを招待'],
  ['pt', 'Convidar amigos'],
] as const)
  for (const screen of ['desktop', 'phone'] as const)
    test(`the page with the invite link works in ${locale} on a ${screen}`, async ({ browser }) => {
      const { page } = await visitor(browser, { locale, screen, dark: screen === 'phone' });
      const email = `${screen}-${locale.toLowerCase()}@example.org`;
      await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann');
      await open(page, at(`/${locale}/drive/login?continue=%2F${locale}%2Freferral`));
      await page.locator('input[type=email], input[autocomplete*=username]').first().fill(email);
      await page.locator('input[type=password]').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/referral');
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      await closeWelcome(page, 'VIP');
      await expectSound(page);
      await page.screenshot({ path: `.cache/invite-${locale}-${screen}.png`, fullPage: true });
      expectNoComplaints(page);
    });

test('the dialog with the invite link opens over the current page, and is used with the keyboard alone', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  await server.command('user', 'add', 'keys@example.org', '--password', PASSWORD, '--name', 'Ann');
  await open(page, at('/drive/login?continue=%2Fdrive%2Ftrash%3Faction%3Dshow_invite_dialog'));
  await page.getByLabel('Email', { exact: true }).fill('keys@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invite friends' });
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/\/drive\/trash$/);
  await expect(link(page)).toHaveValue(/invite=/);
  await expect(toast(page, 'Welcome!')).toBeHidden({ timeout: 20_000 });
  expect(await barriers(page)).toEqual([]);
  await page.screenshot({ path: '.cache/invite-dialog.png' });
  const copy = dialog.getByRole('button', { name: 'Copy link' });
  for (let steps = 0; steps < 12; steps++) {
    if (await copy.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link(page).inputValue());
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expectNoComplaints(page);
});

test('without an offer there is no page, no menu entry and nothing on the sign-up page', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Ann Bower' }).click();
  await expect(page.getByRole('menuitem', { name: 'Storage' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Invite friends' })).toBeHidden();
  expect((await context.request.get('/referral')).status()).toBe(404);
  const { page: stranger, context: their } = await visitor(browser);
  expect((await their.request.get('/referral')).status()).toBe(404);
  await open(stranger, '/sign-up?invite=abcdefgh');
  await expect(stranger.getByRole('heading', { name: 'Create your drive' })).toBeVisible();
  await expect(stranger.getByText(/invited|VIP/)).toHaveCount(0);
  expect((await their.cookies()).map(({ name }) => name)).not.toContain('pp_invite');
});
