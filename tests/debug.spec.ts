import { expect, test, type Page } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open } from './support/files-page.ts';
import { expectNoComplaints, visitor } from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

async function tap(page: Page, times: number, every: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.mouse.click(5, 300);
    await page.waitForTimeout(every);
  }
}

test('five quick clicks open the debug console if the administrator allows it, and closing it leaves nothing behind', async ({
  browser,
}) => {
  for (const screen of ['desktop', 'phone'] as const) {
    const { context, page } = await visitor(browser, { screen });
    await context.addInitScript(() => localStorage.setItem('deviceid', 'd'.repeat(32)));
    await open(page, '/drive/login');
    await tap(page, 4, 20);
    await page.waitForTimeout(300);
    const panel = page.getByRole('region', { name: 'Console' });
    await expect(panel).toHaveCount(0);
    // On a busy machine, clicks are delivered late, so a user would try again.
    await expect(async () => {
      await tap(page, 5, 20);
      await expect(panel).toBeVisible({ timeout: 2000 });
    }).toPass();
    const plain = await page.evaluate(() => String(console.info).includes('native'));
    await page.evaluate(() => console.info('a line that is said', { with: 'a fact' }));
    await expect(panel.getByText('a line that is said {"with":"a fact"}')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await panel.getByRole('tab', { name: 'Network' }).click();
    await expect(panel.getByText('/config/v1/debug_options')).toBeVisible();
    await panel.getByRole('tab', { name: 'Page' }).click();
    await expect(panel.getByText('d'.repeat(32))).toBeVisible();
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toHaveCount(0);
    expect([plain, await page.evaluate(() => String(console.info).includes('native'))]).toEqual([
      false,
      true,
    ]);
    expectNoComplaints(page);
  }
});

test('quick clicks do not open the debug console for anyone else', async ({ browser }) => {
  const { page } = await visitor(browser);
  await open(page, '/drive/login');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await tap(page, 12, 20);
  await page.waitForTimeout(500);
  await expect(page.getByRole('region', { name: 'Console' })).toHaveCount(0);
  expect(asked.filter((path) => path.endsWith('/debug_options'))).toHaveLength(1);
});
