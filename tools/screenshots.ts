import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';

// Takes the screenshots in the README from the running product: `npm run screenshots`. Needs the built pages.

const root = join(import.meta.dirname, '..');
const images = join(root, 'docs', 'images');
const port = '45901';
const address = `http://127.0.0.1:${port}`;
const password = 'blue feathers 27';
const dataDir = mkdtempSync(join(tmpdir(), 'bowerbird-screenshots-'));
const env = {
  ...process.env,
  PORT: port,
  HOST: '127.0.0.1',
  SITE_URL: address,
  DATA_DIR: dataDir,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
};
const main = join(root, '.cache', 'server', 'main.js');

function command(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [main, ...args], { env, stdio: 'inherit' }).on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`)),
    );
  });
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(`${address}/readyz`).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the server did not become ready');
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(images, `${name}.png`) });
}

mkdirSync(images, { recursive: true });
await command('seed', '--password', password);
const server = spawn(process.execPath, [main, 'serve'], { env, stdio: 'inherit' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
});
try {
  await ready();
  const desktop = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  const username = 'demo@bowerbird.local';
  const program = { client_id: 'screenshots', device_id: 'screenshots' };
  const { captcha_token } = (await (
    await desktop.request.post(`${address}/v1/shield/captcha/init`, {
      data: { ...program, action: 'POST:/v1/auth/signin', meta: { username } },
    })
  ).json()) as { captcha_token: string };
  const signedIn = await desktop.request.post(`${address}/v1/auth/signin`, {
    data: { ...program, username, password, captcha_token, session: 'cookie' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  if (!signedIn.ok()) throw new Error(`the demonstration member could not sign in: ${await signedIn.text()}`);
  const page = await desktop.newPage();
  const listed = (await (await desktop.request.get(`${address}/drive/v1/files`)).json()) as {
    files: { id: string; name: string }[];
  };
  const photos = listed.files.find(({ name }) => name === 'Photos');
  if (!photos) throw new Error('the demonstration drive has no photos');
  await page.goto(`${address}/drive/all/${photos.id}`);
  await page.waitForTimeout(3000); // thumbnails are created on the first view
  await shoot(page, 'drive');
  await page.goto(`${address}/drive/all`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  await shoot(page, 'drive-dark');

  const shares = (await (await desktop.request.get(`${address}/drive/v1/share/list`)).json()) as {
    data: { share_url: string; pass_code: string; share_status: string }[];
  };
  const locked = shares.data.find((share) => share.pass_code !== '' && share.share_status === 'OK');
  if (!locked) throw new Error('the demonstration drive shares nothing with a passcode');
  const phone = await browser.newContext({
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  });
  const visitor = await phone.newPage();
  await visitor.goto(locked.share_url);
  await shoot(visitor, 'gate-phone');
  await visitor.goto(`${locked.share_url}?s_code=${locked.pass_code}`);
  await shoot(visitor, 'share-phone');
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.on('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
