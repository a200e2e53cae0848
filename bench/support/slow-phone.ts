import type { Browser, CDPSession, Page } from '@playwright/test';

/** Lighthouse's slow 4G as a browser applies it to each request: 1.6 Mbit/s minus 10 %, and 150 ms times 3.75. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};

/**
 * A phone with an empty cache, on slow 4G. Its processor is as fast as this machine's, or slower by the given factor.
 */
export async function openSlowPhone(
  browser: Browser,
  width: number,
  slower = 1,
): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({
    viewport: { width, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  if (slower !== 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return { page, session };
}

/** Experience of a reader while a page loads, accumulated in `window.felt`; installed before the page opens. */
export interface Felt {
  /** Cumulative layout shift. */
  shift: number;
  /** Time of the largest contentful paint, in ms. */
  largest: number;
  /** Start and duration of tasks longer than 50 ms. */
  readonly tasks: [at: number, ms: number][];
}

export async function feel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const felt: Felt = { shift: 0, largest: 0, tasks: [] };
    Object.assign(window, { felt });
    const watch = (type: string, note: (entry: PerformanceEntry) => void): void => {
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
    };
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) felt.shift += value;
    });
    watch('largest-contentful-paint', ({ startTime }) => {
      felt.largest = startTime;
    });
    watch('longtask', ({ startTime, duration }) => felt.tasks.push([startTime, duration]));
  });
}

/** Time of the first contentful paint in ms, and the experience so far. */
export const felt = (page: Page): Promise<Felt & { first: number }> =>
  page.evaluate(() => ({
    ...(window as unknown as { felt: Felt }).felt,
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  }));
