import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { knowing, openOpenidProvider } from '../server/testing/openid-provider.ts';
import { barriers } from './support/accessibility.ts';
import { open, toast } from './support/files-page.ts';
import { mailingServer } from './support/mailing-server.ts';
import {
  complaints,
  expectNoComplaints,
  forgetVisitor,
  member,
  PASSWORD,
  post,
  visitor,
} from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const TOKEN = '/v1/auth/token';

/** A program on this machine that waits for its response on a port of its own. */
async function program() {
  const heard: URL[] = [];
  const server = createServer((request, response) => {
    heard.push(new URL(request.url!, 'http://127.0.0.1'));
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back</title>Back in the program');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { port, verifier, challenge, heard, close: () => server.close() };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('an app requests access, its owner sees which, grants it, and disconnects the app', async ({
  browser,
}) => {
  const { page, context } = await member(browser);
  const app = await program();
  const redirect = `http://127.0.0.1:${app.port}/back`;
  const reply = await context.request.post('/v1/clients-registrations/openid-connect', {
    data: {
      client_name: 'Picture Frame',
      redirect_uris: ['http://127.0.0.1/back'],
      token_endpoint_auth_method: 'none',
    },
  });
  expect(reply.status()).toBe(201);
  const { client_id: id } = (await reply.json()) as { client_id: string };
  const request = new URLSearchParams({
    client_id: id,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile user pan',
    state: 's1',
    code_challenge: app.challenge,
    code_challenge_method: 'S256',
  });
  await open(page, `/drive/auth-center?${request.toString()}`);
  await expect(page.getByRole('heading', { name: 'Allow Picture Frame?' })).toBeVisible();
  await expect(page.getByText('See, add, change, share and delete all your files')).toBeVisible();
  await expect(page.getByText(`You’ll return to 127.0.0.1:${app.port}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Don’t allow' }).click();
  await page.waitForURL(`${redirect}?**`);
  const heard = (): URLSearchParams =>
    app.heard.findLast(({ pathname }) => pathname === '/back')!.searchParams;
  expect(heard().get('error') ?? '').toBe('access_denied');

  await open(page, `/drive/auth-center?${request.toString()}`);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(`${redirect}?**`);
  const answer = heard();
  expect(answer.get('state')).toBe('s1');
  const tokens = await post<{ access_token: string; scope: string }>(context.request, TOKEN, {
    grant_type: 'authorization_code',
    code: answer.get('code'),
    client_id: id,
    redirect_uri: redirect,
    code_verifier: app.verifier,
  });
  expect(tokens.scope).toBe('user pan openid profile');

  await open(page, '/drive/account/apps');
  await expect(page.getByText('Picture Frame', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect Picture Frame' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(toast(page, 'Picture Frame is disconnected')).toBeVisible();
  await expect(page.getByText('No connected apps.')).toBeVisible();
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const elsewhere = await visitor(browser);
  expect((await elsewhere.context.request.get('/drive/v1/about', { headers })).status()).toBe(401);
  // Browsers may also request an icon from it.
  app.close();
  expectNoComplaints(page);
});

test('an invalid authorization request is rejected with an error and reveals nothing', async ({
  browser,
}) => {
  const { page } = await member(browser, { screen: 'phone' });
  await open(
    page,
    '/drive/auth-center?client_id=nobody&redirect_uri=https://evil.example&response_type=code',
  );
  await expect(page.getByRole('heading', { name: 'This app can’t be authorized' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/drive/auth-center');
});

test('a television’s code is entered on a phone after signing in, and the television is signed in', async ({
  browser,
}) => {
  const { email } = await member(browser);
  const { page, context } = await visitor(browser, { screen: 'phone' });
  const tv = await post<{ device_code: string; user_code: string }>(context.request, '/v1/auth/device/code', {
    client_id: 'bowerbird-tv',
    scope: 'user pan',
  });
  await open(page, '/device');
  await page.waitForURL('**/drive/login**');
  await signIn(page, email);
  await page.waitForURL('**/device');
  await page.getByLabel('Code on the device').fill('xxxx xxxx');
  await page.getByRole('button', { name: 'Continue' }).tap();
  await expect(page.getByLabel('Code on the device')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Code on the device').fill('');
  await page.getByLabel('Code on the device').pressSequentially(tv.user_code.toLowerCase().replace('-', ''));
  await expect(page.getByLabel('Code on the device')).toHaveValue(tv.user_code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Connect Bowerbird for TV?' })).toBeVisible();
  await expect(page.getByText(tv.user_code)).toBeVisible();
  await page.getByRole('button', { name: 'Allow', exact: true }).tap();
  await expect(page.getByRole('heading', { name: 'Your device is connected' })).toBeVisible();
  const tokens = await post<{ access_token: string }>(context.request, TOKEN, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: tv.device_code,
    client_id: 'bowerbird-tv',
  });
  expect(tokens.access_token).toBeTruthy();
  expect(complaints.get(page)?.filter((line) => !/status of 404/.test(line))).toEqual([]);
});

test('the desktop app listens on a port; its owner signs in and confirms, and only the app can use the code', async ({
  browser,
}) => {
  const { email } = await member(browser);
  const { page, context } = await visitor(browser);
  const app = await program();
  const query = `from_source=pc_client&port=${app.port.toString(16)}&state=s2&code_challenge=${app.challenge}`;
  await open(page, `/drive/login?${query}`);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Allow Bowerbird for desktop?' })).toBeVisible();
  await expect(page.getByText('Bowerbird for desktop is part of this service.')).toBeVisible();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(`http://127.0.0.1:${app.port}/?**`);
  const code = app.heard.find(({ searchParams }) => searchParams.has('code'))!.searchParams.get('code');
  const tokens = await post<{ sub: string }>(context.request, TOKEN, {
    grant_type: 'authorization_code',
    code,
    client_id: 'bowerbird-desktop',
    redirect_uri: `http://127.0.0.1:${app.port}/`,
    code_verifier: app.verifier,
  });
  expect(tokens.sub).toBeTruthy();
  app.close();
  await open(page, '/ru/auth-success');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a code in the address signs in after a confirmation; a code from the native app needs none', async ({
  browser,
}) => {
  const { context: mine } = await member(browser);
  const code = async () => (await post<{ code: string }>(mine.request, '/v1/auth/handover', {})).code;

  await test.step('the code in the address', async () => {
    const { page } = await visitor(browser);
    await open(page, `/?code=${await code()}`);
    await expect(page.getByRole('heading', { name: 'Continue as Ann Bower?' })).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/');
    await open(page, '/drive/account');
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
    expectNoComplaints(page);
  });

  await test.step('the code from the native app', async () => {
    const { page } = await visitor(browser, { screen: 'phone' });
    const given = await code();
    await page.addInitScript((one) => {
      Object.assign(window, {
        bowerbirdBridge: { invoke: () => JSON.stringify({ code: 0, data: { code: one } }) },
      });
    }, given);
    await page.goto('/?bridge_auth=1');
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === 'pp_session'))
      .toBe(true);
  });

  await test.step('an app without a code', async () => {
    const { page } = await visitor(browser);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto('/?bridge_auth=1');
    await expect.poll(() => said.join()).toContain('no code came from the app');
    expectNoComplaints(page);
    await open(page, `/auth?code=nothing&state=/drive/trash`);
    await page.waitForURL('**/drive/login?continue=%2Fdrive%2Ftrash');
  });

  await test.step('the desktop app on this machine', async () => {
    const { page } = await visitor(browser);
    // The app listens on this machine for what the browser sends to it.
    await page.context().setExtraHTTPHeaders({});
    const given = await code();
    const server = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify({ code: given })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await page.goto(`/?from_source=pc_client&port=${port.toString(16)}`);
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === 'pp_session'))
      .toBe(true);
    server.close();
  });
});

test('a visitor signs in through an identity provider, sees it listed, and disconnects it', async ({
  browser,
}) => {
  await using provider = await openOpenidProvider();
  await using server = await mailingServer({ environment: knowing(provider, { OPENID_SIGN_UP: 'true' }) });
  const { page } = await visitor(browser);
  const comeIn = async (): Promise<void> => {
    await open(page, `${server.origin}/drive/login?continue=%2Fdrive%2Faccount%2Fsecurity`);
    await page.getByRole('link', { name: 'Continue with Corp' }).click();
    await page.waitForURL('**/drive/account/security');
  };
  await comeIn();
  await expect(page.getByText('z***@corp.example')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set a password' })).toBeVisible();
  await forgetVisitor(page);
  await comeIn();
  await page.getByRole('button', { name: 'Disconnect Corp' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('link', { name: 'Set a password' }).click();
  await page.waitForURL('**/forgot-password');
  const link = /http\S+/.exec(await server.command('user', 'password', 'zoe@corp.example'))![0];
  await open(page, link);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL('**/drive/login**');
  await comeIn();
  await page.getByRole('button', { name: 'Disconnect Corp' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(toast(page, 'Corp is disconnected')).toBeVisible();
  await expect(page.getByText('No account is connected.')).toBeVisible();

  await forgetVisitor(page);
  provider.lies = { nonce: 'of another' };
  await open(page, `${server.origin}/drive/login`);
  await page.getByRole('link', { name: 'Continue with Corp' }).click();
  await expect(page.getByRole('heading', { name: 'That didn’t work' })).toBeVisible();
  expect(complaints.get(page)?.filter((line) => !/status of 400/.test(line))).toEqual([]);
});

/** Presses Tab until the control has the focus, which must be visible. */
async function reach(page: Page, control: Locator): Promise<void> {
  const isThere = (): Promise<boolean> => control.evaluate((one) => one === document.activeElement);
  for (let steps = 0; steps < 40 && !(await isThere()); steps++) await page.keyboard.press('Tab');
  await expect(control).toBeFocused();
  const ring = await control.evaluate((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  expect(ring).toBeGreaterThanOrEqual(2);
}

test('the keyboard is enough to sign up, authorize a device and an app, revoke access, sign out and sign in', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  const { keyboard } = page;
  const app = await program();
  const email = `kim-${randomBytes(6).toString('hex')}@example.org`;
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const press = async (control: Locator): Promise<void> => {
    await reach(page, control);
    await keyboard.press('Enter');
  };
  const type = async (control: Locator, text: string): Promise<void> => {
    await reach(page, control);
    await keyboard.type(text);
  };
  const expectNothingWrong = async (): Promise<void> => {
    expect(await barriers(page)).toEqual([]);
  };

  await test.step('signs up', async () => {
    await open(page, '/sign-up');
    await expectNothingWrong();
    await type(page.getByLabel('Email'), email);
    await type(page.getByLabel('Name'), 'Kim');
    await type(page.getByLabel('Password', { exact: true }), PASSWORD);
    await keyboard.press('Enter');
    await page.waitForURL('**/drive/all');
  });

  await test.step('authorizes a television', async () => {
    const { user_code: code } = await post<{ user_code: string }>(context.request, '/v1/auth/device/code', {
      client_id: 'bowerbird-tv',
      scope: 'user pan',
    });
    await open(page, '/device');
    await expectNothingWrong();
    await type(page.getByLabel('Code on the device'), code.replace('-', ''));
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Connect Bowerbird for TV?' })).toBeVisible();
    await press(button('Allow'));
    await expect(page.getByRole('heading', { name: 'Your device is connected' })).toBeVisible();
  });

  await test.step('authorizes an app', async () => {
    const query = `from_source=pc_client&port=${app.port.toString(16)}&state=s2&code_challenge=${app.challenge}`;
    await open(page, `/drive/login?${query}`);
    await expect(page.getByRole('heading', { name: 'Allow Bowerbird for desktop?' })).toBeVisible();
    await expectNothingWrong();
    await press(button('Allow'));
    await page.waitForURL(`http://127.0.0.1:${app.port}/?**`);
  });

  await test.step('opens and cancels the password change', async () => {
    await open(page, '/drive/account/security');
    await press(button('Change your password'));
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Current password', { exact: true })).toBeFocused();
    await press(dialog.getByRole('button', { name: 'Cancel' }));
    await expect(dialog).toHaveCount(0);
    await expect(button('Change your password')).toBeFocused();
  });

  await test.step('creates an app password and revokes it', async () => {
    await open(page, '/drive/account/apps');
    await press(button('New app password'));
    await type(page.getByLabel('Name', { exact: true }), 'rclone');
    await type(page.getByLabel('Current password', { exact: true }), PASSWORD);
    await keyboard.press('Enter');
    await press(button('I’ve saved it'));
    await press(button('Revoke rclone'));
    await expect(page.getByLabel('Current password', { exact: true })).toBeFocused();
    await expectNothingWrong();
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await expect(toast(page, 'rclone revoked')).toBeVisible();
  });

  await test.step('signs out without leaving anything behind, and signs in', async () => {
    await open(page, '/drive/all');
    await page.evaluate(() => localStorage.setItem('pp_uploads', '[]'));
    await press(button('Kim’s account'));
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
    const answered = page.waitForResponse((reply) => new URL(reply.url()).pathname === '/sign-out');
    await keyboard.press('Enter');
    expect(await (await answered).headerValue('clear-site-data')).toBe('"cache"');
    await page.waitForURL((url) => url.pathname === '/');
    expect(await page.evaluate(() => localStorage.getItem('pp_uploads'))).toBeNull();
    await open(page, '/drive/login');
    await expectNothingWrong();
    await type(page.getByLabel('Email'), email);
    await type(page.getByLabel('Password', { exact: true }), PASSWORD);
    await keyboard.press('Enter');
    await page.waitForURL('**/drive/all');
  });
  app.close();
  expectNoComplaints(page);
});
