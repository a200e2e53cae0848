import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { shareApi } from '@bowerbird/contract';
import { openTestApp, plant } from '../server/testing/index.ts';
import { openBrowser } from './support/browser.ts';
import { feel, felt, openSlowPhone } from './support/slow-phone.ts';

// The home page, a share and a help article on a phone four times slower than this machine, over slow 4G: scores out of
// 100 by Lighthouse's curves and weights (https://github.com/GoogleChrome/lighthouse/blob/main/docs/scoring.md, version
// 10 and later), without its speed index, which would need a video. Medians of several visits.

const VISITS = 5;
const PAGES = join(import.meta.dirname, '../web/build');

/** For each metric: its weight, the value that scores 90, and the value that scores 50. */
const CURVES = {
  first: [10, 1800, 3000],
  largest: [25, 2500, 4000],
  blocked: [30, 200, 600],
  shift: [25, 0.1, 0.25],
} as const;

type Figures = Readonly<Record<keyof typeof CURVES, number>>;

/** Score by a complementary log-normal distribution: 0.9 at `good`, 0.5 at `middling`. */
function points(value: number, good: number, middling: number): number {
  if (value <= 0) return 1;
  const z = (Math.log(value / middling) * 0.9061938024368232) / -Math.log(good / middling);
  return (1 - errorFunction(z)) / 2;
}

/** Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26; maximum error 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

function score(figures: Figures): number {
  const marks = Object.entries(CURVES) as [keyof Figures, (typeof CURVES)[keyof Figures]][];
  const all = marks.reduce((sum, [, [weight]]) => sum + weight, 0);
  const got = marks.reduce(
    (sum, [name, [weight, good, mid]]) => sum + weight * points(figures[name], good, mid),
    0,
  );
  return Math.round((got / all) * 100);
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'silent' },
    pages: { built: PAGES },
  });
  const ann = await app.signUp('ann');
  const notes = Array.from({ length: 20 }, (_, at) => [`note ${at}.txt`, String(at)] as const);
  const ids = await plant(app, ann.id, Object.fromEntries(notes));
  const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: Object.values(ids) } });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  process.on('message', () => void app.close().then(() => process.exit()));
  process.send!({
    home: `${url}/en-US`,
    share: `${url}/s/${shareId}`,
    'help article': `${url}/en-US/help-center/start/make-an-account`,
  });
}

async function visit(browser: Browser, address: string): Promise<Figures> {
  const { page } = await openSlowPhone(browser, 412, 4);
  await feel(page);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForTimeout(1500);
  const { first, largest, shift, tasks } = await felt(page);
  await page.context().close();
  const blocked = tasks
    .filter(([at, ms]) => at + ms > first)
    .reduce((sum, [at, ms]) => sum + Math.max(0, Math.min(ms, at + ms - first) - 50), 0);
  return { first, largest, blocked, shift };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function run(): Promise<void> {
  const server = fork(import.meta.filename, ['serve']);
  const [addresses] = (await once(server, 'message')) as [Record<string, string>];
  const browser = await openBrowser();
  const told: string[] = [];
  for (const [name, address] of Object.entries(addresses)) {
    const visits: Figures[] = [];
    for (let n = 0; n < VISITS; n++) visits.push(await visit(browser, address));
    const middle = (figure: keyof Figures): number => median(visits.map((one) => one[figure]));
    const points = median(visits.map(score));
    told.push(
      `${name} ${points} (first content ${(middle('first') / 1000).toFixed(2)} s, largest ${(middle('largest') / 1000).toFixed(2)} s, blocked ${Math.round(middle('blocked'))} ms, shift ${middle('shift').toFixed(3)})`,
    );
  }
  await browser.close();
  server.send('close');
  console.log(`points of 100 on a slow phone: ${told.join(', ')}`);
}

await (process.argv[2] === 'serve' ? serve() : run());
