import { expect, test, type Page } from '@playwright/test';
import { stepAt, totpCode } from '../server/src/account/credential/totp.ts';
import { open, toast } from './support/files-page.ts';
import { codeOf, mailingServer } from './support/mailing-server.ts';
import {
  complaints,
  enter,
  expectNoComplaints,
  forgetVisitor,
  member,
  PASSWORD,
  post,
  visitor,
} from './support/people.ts';

const NEW_PASSWORD = 'green feathers 72';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const password = (page: Page) => page.getByLabel('Password', { exact: true });

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await password(page).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens a dialog twice and closes it, once with Escape and once by clicking outside. */
async function closesBothWays(page: Page, button: string): Promise<void> {
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(8, 8)]) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await close();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}

test('a member changes name, email address and password, and all other sessions end', async ({ browser }) => {
  const { context, page, email } = await member(browser);
  const elsewhere = await visitor(browser);
  await enter(elsewhere.context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
  await open(page, '/drive/all');
  await page.getByRole('button', { name: 'Ann Bower’s account' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();

  for (const button of ['Change your name', 'Change email', 'Delete account'])
    await closesBothWays(page, button);
  await page.getByRole('button', { name: 'Change your name' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ann of the Bower');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Ann of the Bower’s account' })).toBeVisible();

  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New address').fill(`new-${email}`);
  await page.getByLabel('Current password', { exact: true }).fill('a wrong one');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(
    page
      .getByRole('dialog')
      .getByText(/password/i)
      .last(),
  ).toBeVisible();
  await expect(page.getByLabel('Current password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('n***@example.org').first()).toBeVisible();

  await page.getByRole('link', { name: 'Security' }).click();
  await expect(page.getByText('This device')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out Chrome|^Sign out Unknown/ })).toHaveCount(1);
  for (const button of ['Change your password', 'Set up two-step verification'])
    await closesBothWays(page, button);
  await page.getByRole('button', { name: 'Change your password' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('password123');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(toast(page, 'Password changed')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out Chrome|^Sign out Unknown/ })).toHaveCount(0);
  await elsewhere.page.goto('/drive/all');
  await elsewhere.page.waitForURL('**/drive/login**');
  await open(page, '/drive/account');
  await expect(page.getByText('Ann of the Bower').first()).toBeVisible();
  // The requests that were rejected on purpose also appear in the console.
  expect(complaints.get(page)?.filter((line) => !line.includes('status of 400'))).toEqual([]);
  await context.close();
});

test('a member sees their sessions and signs out the others', async ({ browser }) => {
  const { page, email } = await member(browser, { screen: 'phone' });
  for (let others = 0; others < 2; others++) {
    const { context } = await visitor(browser);
    await enter(context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
  }
  await open(page, '/drive/account/security');
  const ends = page.getByRole('button', { name: /^Sign out (?!other)/ });
  await expect(ends).toHaveCount(2);
  await ends.first().tap();
  await expect(ends).toHaveCount(1);
  // On a screen of this height, the message covers the next button.
  await expect(toast(page, 'signed out')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).tap();
  await expect(toast(page, 'signed out')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out other devices' }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out other devices' }).tap();
  await expect(ends).toHaveCount(0);
  await expect(page.getByText('Account created')).toBeVisible();
  expectNoComplaints(page);
});

test('a question that is opened while a session is being ended stays open', async ({ browser }) => {
  const { page, email } = await member(browser);
  for (let others = 0; others < 2; others++) {
    const { context } = await visitor(browser);
    await enter(context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
  }
  await open(page, '/drive/account/security');
  const ends = page.getByRole('button', { name: /^Sign out (?!other)/ });
  await expect(ends).toHaveCount(2);
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/user/sessions/*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await ends.first().click();
  await page.getByRole('button', { name: 'Sign out other devices' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  held.resolve();
  await expect(toast(page, 'signed out')).toBeVisible();
  // The rest of the page can't be reached by its roles while the question is open.
  await expect(page.locator('[aria-label^="Sign out "]')).toHaveCount(1);
  await page.waitForLoadState('networkidle');
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Sign out other devices' }).click();
  await expect(ends).toHaveCount(0);
  expectNoComplaints(page);
});

test('a member turns on two-step verification, signs in with an app code and a recovery code, and turns it off', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const { page, email } = await member(browser);
  await open(page, '/drive/account/security');
  await page.getByRole('button', { name: 'Set up two-step verification' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  await page.getByText('Enter it manually').click();
  const secret = (await page.getByRole('dialog').locator('code').innerText()).replaceAll(/\s/g, '');
  let used = stepAt(Date.now());
  await page.getByLabel('Code from your authenticator app').fill(totpCode(secret, used));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const listed = page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allInnerTexts();
  const loading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await loading).suggestedFilename()).toBe('bowerbird-recovery-codes.txt');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  await test.step('the authenticator app', async () => {
    const other = await visitor(browser, { screen: 'phone' });
    await open(other.page, '/drive/login?continue=%2Fdrive%2Faccount%2Fsecurity');
    await signIn(other.page, email, PASSWORD);
    await other.page.getByLabel('Code from your authenticator app').fill('000000');
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await expect(other.page.getByText('Wrong code')).toBeVisible();
    // A code works only once, including the one that turned on two-step verification.
    await expect.poll(() => stepAt(Date.now()), { timeout: 40_000 }).toBeGreaterThan(used);
    used = stepAt(Date.now());
    await other.page.getByLabel('Code from your authenticator app').fill(totpCode(secret, used));
    await other.page.getByText('Don’t ask again on this browser').tap();
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await other.page.waitForURL('**/drive/account/security');
    await expect(other.page.getByText('1 browser doesn’t need a code')).toBeVisible();
    await post(other.context.request, '/v1/auth/revoke', {});
    await open(other.page, '/drive/login');
    await signIn(other.page, email, PASSWORD);
    await other.page.waitForURL('**/drive/all');
  });

  await test.step('the recovery codes', async () => {
    const other = await visitor(browser);
    await open(other.page, '/drive/login');
    await signIn(other.page, email, PASSWORD);
    await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.page.getByLabel('Recovery code').fill(codes[0]!);
    await other.page.keyboard.press('Enter');
    await other.page.waitForURL('**/drive/all');
  });

  await open(page, '/drive/account/security');
  await expect(page.getByText('9 of 10 left')).toBeVisible();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Set up two-step verification' })).toBeVisible();
  expectNoComplaints(page);
});

test('a member creates an app password and an access token, uses them, and revokes them', async ({
  browser,
  playwright,
  baseURL,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/account');
  await page.getByRole('link', { name: 'Apps and tokens' }).click();
  const make = async (button: string, name: string): Promise<string> => {
    await page.getByRole('button', { name: button }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    return secret;
  };
  expect(await make('New app password', 'rclone at home')).toMatch(/^(?:[a-z2-9]{7}-){3}[a-z2-9]{7}$/);
  const token = await make('New access token', 'backup script');
  expect(token).toMatch(/^bbt_/);
  await expect(page.getByText('Not used yet', { exact: false })).toHaveCount(2);

  const script = await playwright.request.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  expect((await script.get('/drive/v1/about')).status()).toBe(200);
  expect((await script.get('/v1/user/me')).status()).toBe(403);
  await open(page, '/drive/account/apps');
  await expect(page.getByText(/Used .*127\.0\.0\.1/)).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: 'Revoke backup script' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('backup script', { exact: true })).toHaveCount(0);
  expect((await script.get('/drive/v1/about')).status()).toBe(401);
  await script.dispose();
  expectNoComplaints(page);
});

test('a member adds a passkey, signs in with it, renames and removes it', async ({ browser }) => {
  test.setTimeout(180_000);
  // Passkeys need a host name rather than an IP address.
  await using server = await mailingServer({ host: 'localhost' });
  const email = 'ann@example.org';
  const at = (path: string): string => server.origin + path;
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann');
  const { context, page } = await visitor(browser);
  const device = await context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await open(page, at('/drive/login?continue=%2Fdrive%2Faccount%2Fsecurity'));
  await signIn(page, email, PASSWORD);
  await page.waitForURL('**/drive/account/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(/Chrom/);
  await page.getByLabel('Name', { exact: true }).fill('Her laptop');
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page, 'Passkey Her laptop added')).toBeVisible();
  await server.mailTo(email, /A passkey was added/);

  await forgetVisitor(page);
  await open(page, at('/drive/login?continue=%2Fdrive%2Faccount%2Fsecurity'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/drive/account/security');
  await expect(page.getByText(/^Passkey$/)).toBeVisible();
  await page.getByRole('button', { name: 'Rename Her laptop' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Old laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Old laptop', { exact: true })).toHaveCount(0);

  await forgetVisitor(page);
  await open(page, at('/drive/login'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey isn’t linked to an account here')).toBeVisible();
});

test('a member downloads their data, deletes the account, and reopens it', async ({ browser }) => {
  const { page, email } = await member(browser);
  await open(page, '/drive/account');
  await page.getByRole('button', { name: 'Create copy' }).click();
  await page.getByRole('button', { name: /^Download the copy of/ }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^bowerbird-data-[\d-]+\.zip$/);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(question.getByText('After 14 days')).toBeVisible();
  await question.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await question.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
  await open(page, '/drive/all');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await signIn(page, email, PASSWORD);
  await expect(page.getByText('Your account is being deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByRole('button', { name: 'Ann Bower’s account' })).toBeVisible();
  // The response that says so is an error, which browsers log.
  expect(complaints.get(page)!.filter((text) => !text.includes('403'))).toEqual([]);
});

test('a forgotten password is reset with an emailed code, or with a link from the administrator', async ({
  browser,
}) => {
  await using server = await mailingServer();
  const { page } = await visitor(browser);
  const email = 'ann@example.org';
  const at = (path: string): string => server.origin + path;
  await server.command('user', 'add', email, '--password', PASSWORD);

  await test.step('an address without an account gets no code, and the page says the same', async () => {
    await open(page, at('/drive/login'));
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
    await page.getByLabel('Email').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByText('If there’s an account for nobody@example.org')).toBeVisible();
    await server.mailTo('nobody@example.org', /There is no account/);
  });

  await test.step('the member’s address gets one, and she sets another password with it', async () => {
    await open(page, at('/forgot-password'));
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill(codeOf(await server.mailTo(email, /password reset code/)));
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page.getByText('Password changed. Sign in with your new password.')).toBeVisible();
    await signIn(page, email, PASSWORD);
    await expect(page.getByRole('alert')).toBeVisible();
    await signIn(page, email, NEW_PASSWORD);
    await page.waitForURL('**/drive/all');
    await server.mailTo(email, /Your password was changed/);
    await server.mailTo(email, /New sign-in to your account/);
  });

  await test.step('the administrator’s link works without email, once', async () => {
    const link = /http\S+/.exec(await server.command('user', 'password', email))![0];
    await open(page, link);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.waitForURL('**/drive/login**');
    await open(page, link);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page.getByText('This link has expired or was already used')).toBeVisible();
    await open(page, at('/drive/login'));
    await signIn(page, email, PASSWORD);
    await page.waitForURL('**/drive/all');
  });
});

test('without a mail server, the page says who can help', async ({ page }) => {
  await open(page, '/forgot-password');
  await expect(page.getByText('Ask your administrator for a password reset link')).toBeVisible();
  await expect(page.getByText('bowerbird user')).toHaveCount(0);
  await page.getByRole('link', { name: 'Contact administrator' }).click();
  await expect(page).toHaveURL(/\/contact-us$/);
});

test('with approval, a new member reads that they must wait, is approved, and is notified by email', async ({
  browser,
}) => {
  await using server = await mailingServer({ environment: { SIGN_UP: 'approval' } });
  const { page } = await visitor(browser, { screen: 'phone' });
  const email = 'ann@example.org';
  const at = (path: string): string => server.origin + path;
  await open(page, at('/sign-up'));
  await expect(page.getByText('New accounts need the administrator’s approval')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code').fill(codeOf(await server.mailTo(email, /code/)));
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my drive' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is waiting for approval' })).toBeVisible();
  await expect(page.getByText('We’ll email you when it’s ready.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  const comeIn = async (): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await comeIn();
  await expect(page.getByText('waiting for the administrator’s approval')).toBeVisible();
  await server.command('user', 'admit', email);
  await server.mailTo(email, /Your account is approved/);
  await comeIn();
  await page.waitForURL(/\/drive\/all/);
});

test('missing and invalid fields are explained by the page in its language, and the first one is focused', async ({
  browser,
}) => {
  const { page } = await visitor(browser, { locale: 'ru' });
  await open(page, '/ru/sign-up');
  const email = page.locator('[name=email]');
  await email.fill('ann');
  await page.locator('[name=password]').pressSequentially('short');
  await page.getByRole('button', { name: 'Создать мой диск' }).click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Укажите полный адрес почты, например name@example.org.');
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('[name=name]')).toHaveAccessibleDescription('Заполните это поле.');
  await expect(page.locator('[name=password]')).toHaveAccessibleDescription(/^Нужно хотя бы 8 символов\./);
  await email.fill('ann@example.org');
  await expect(email).not.toHaveAttribute('aria-invalid');
  for (const path of ['user-agreement', 'privacy-policy'])
    await expect(page.locator(`form a[href="/ru/policy/${path}"]`)).toHaveAttribute('target', '_blank');
  expectNoComplaints(page);
  for (const [path, field] of [
    ['/ru/url-checker', 'url'],
    ['/ru', 'url'],
  ] as const) {
    await open(page, path);
    const form = page.locator('form', { has: page.locator(`[name=${field}]`) });
    await form.locator('button[type=submit]').first().click();
    await expect(form.locator(`[name=${field}]`)).toHaveAccessibleDescription('Заполните это поле.');
    await expect(form.locator(`[name=${field}]`)).toBeFocused();
  }
});
