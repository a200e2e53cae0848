import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { shareApi } from '@bowerbird/contract';
import { openTestApp, plant } from '../server/testing/index.ts';
import { openBrowser } from './support/browser.ts';
import { feel, felt, openSlowPhone } from './support/slow-phone.ts';

// Amount of data that a visitor's phone loads for a public share of 100 files before its buttons work, over a simulated
// slow 4G.

const FILES = 100;
const PAGES = join(import.meta.dirname, '../web/build');
const ADDRESS = process.env['SHARE_PAGE'];

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'silent' },
    pages: { built: PAGES },
  });
  const ann = await app.signUp('ann');
  const ids = await plant(
    app,
    ann.id,
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`note ${at}.txt`, String(at)])),
  );
  const { share_id: shareId } = await ann.call(shareApi.create, {
    body: { file_ids: Object.values(ids), title: 'What I found' },
  });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  process.on('message', () => void app.close().then(() => process.exit()));
  process.send!(`${url}/s/${shareId}`);
}

/** The button works once React has hydrated it: its element then has React's properties. */
async function interactiveAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(
    () => {
      const button = document.querySelector('main header .button-primary');
      return button && Object.keys(button).some((key) => key.startsWith('__reactProps')) && performance.now();
    },
    undefined,
    { polling: 'raf', timeout: 60_000 },
  );
  return Number(await handle.jsonValue());
}

async function measure(address: string): Promise<void> {
  const browser = await openBrowser();
  const { page } = await openSlowPhone(browser, 360);
  await feel(page);
  await page.goto(address, { waitUntil: 'commit' });
  const interactive = await interactiveAt(page);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1500);
  const { first, shift } = await felt(page);
  const scripts = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ responseEnd: at, encodedBodySize: bytes }) => ({ at, bytes })),
  );
  await browser.close();
  const kB = (some: typeof scripts): string =>
    (some.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(1);
  const before = scripts.filter(({ at }) => at <= interactive);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  console.log(
    `share page of ${FILES} files on slow 4G: ${kB(before)} kB of compressed scripts in ${before.length} files before it is interactive (${kB(scripts)} kB in all), layout shift ${shift.toFixed(3)}, first content after ${seconds(first)}, interactive after ${seconds(interactive)}`,
  );
}

async function run(): Promise<void> {
  if (ADDRESS) return measure(ADDRESS);
  const server = fork(import.meta.filename, ['serve']);
  const [address] = (await once(server, 'message')) as [string];
  await measure(address);
  server.send('close');
}

await (process.argv[2] === 'serve' ? serve() : run());
