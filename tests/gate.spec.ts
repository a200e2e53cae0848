import { join } from 'node:path';
import { isApiFailure } from '@bowerbird/contract';
import { expect, test } from '@playwright/test';
import { openTestApp, shareOfAnn, shareStatus, turnableClock, visitorAt } from '../server/testing/index.ts';
import config from '../playwright.config.ts';

const PORT = Number(new URL(config.use!.baseURL!).port) + 2_000;
const ORIGIN = `http://127.0.0.1:${PORT}`;

test('a link with its passcode opens when the wait ends that others on its network caused', async ({
  browser,
}) => {
  const clock = turnableClock();
  await using app = await openTestApp({
    clock,
    environment: { SITE_URL: ORIGIN },
    pages: { built: join(import.meta.dirname, '../web/build') },
  });
  const { shareId, passcode } = await shareOfAnn(app, { pass_code_option: 'REQUIRED' });
  await app.http.listen({ port: PORT, host: '127.0.0.1' });

  const guesser = visitorAt(app, '127.0.0.1');
  const secondsToWait = async (): Promise<number> => {
    try {
      await shareStatus(guesser, shareId, { pass_code: 'zzzz' });
      return 0;
    } catch (error) {
      return isApiFailure(error) ? Number(error.facts['retry_in']) : Promise.reject(error as Error);
    }
  };
  let wait = await secondsToWait();
  for (; wait < 60; wait = await secondsToWait()) clock.advance(wait * 1000);

  const page = await browser.newPage();
  await page.clock.install({ time: clock.now() });
  const attempts: number[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname === '/drive/v1/share') attempts.push(response.status());
  });
  await page.goto(`${ORIGIN}/s/${shareId}?s_code=${passcode}`);
  // The page repeats a refused request twice, and then waits as long as the server says.
  await expect
    .poll(() => page.clock.fastForward(1000).then(() => attempts), { intervals: [100] })
    .toEqual([429, 429, 429]);
  clock.advance(wait * 1000);
  await expect
    .poll(() => page.clock.fastForward(10_000).then(() => page.getByText('list.txt').isVisible()), {
      intervals: [100],
    })
    .toBe(true);
  expect(attempts).toEqual([429, 429, 429, 200]);
  await expect(page).toHaveURL(`${ORIGIN}/s/${shareId}`);
  await page.close();
});
