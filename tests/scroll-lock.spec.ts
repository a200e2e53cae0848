import { expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { open } from './support/files-page.ts';
import { visitor } from './support/people.ts';

// A scrollbar that takes up space, as on most desktop computers.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } });

test('opening a modal moves nothing, and the page behind it keeps its position', async ({ browser }) => {
  const { page, context } = await visitor(browser);
  const header = page.getByRole('banner');
  await open(page, '/faq');
  const bar = await page.evaluate(() => innerWidth - document.documentElement.clientWidth);
  expect(bar).toBeGreaterThan(0);
  const before = await header.boundingBox();

  await open(page, '/faq?action=show_login');
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
  const during = await page.evaluate(() => {
    const { x, width } = document.querySelector('header')!.getBoundingClientRect();
    return { x, width, bar: innerWidth - document.documentElement.clientWidth };
  });
  expect(during).toEqual({ x: before!.x, width: before!.width, bar: 0 });
  await page.mouse.wheel(0, 600);
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeHidden();
  expect(await header.boundingBox()).toEqual(before);
  // Chromium may drop a turn of the wheel right after the page can be scrolled again.
  const scrolled = async (): Promise<number> => {
    await page.mouse.wheel(0, 600);
    return page.evaluate(() => scrollY);
  };
  await expect.poll(scrolled).toBeGreaterThan(0);
  await context.close();
});
