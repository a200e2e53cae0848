import { expect, test, type FrameLocator } from '@playwright/test';
import { open } from './support/files-page.ts';
import { member, visitor } from './support/people.ts';
import { startOrigin, type Origin } from './support/origin.ts';
import { startPortal } from './support/portal.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

let origin: Origin;
let link: string;
test.beforeAll(async () => {
  origin = await startOrigin();
  origin.serve('/a.zip', Buffer.alloc(1000));
  link = `${origin.url}/a.zip`;
});
test.afterAll(() => origin[Symbol.asyncDispose]());

const save = (frame: FrameLocator) => frame.getByRole('link', { name: 'Save to my drive' });

test('an allowed parent page gets the action of a link, and no other page does', async ({
  browser,
  baseURL,
}) => {
  await using portal = await startPortal();
  const { page } = await member(browser);
  const checker = `${baseURL}/url-checker?url=${encodeURIComponent(link)}`;
  const frame = await portal.show(page, `${checker}&origin=${encodeURIComponent(portal.origin)}`);
  await save(frame).click();
  await expect
    .poll(() => portal.heard(page))
    .toEqual([{ origin: baseURL, data: { action: 'create_task', params: { url: link } } }]);
  await expect(save(frame)).toBeVisible();

  // The address no longer names the parent page.
  await frame.getByRole('contentinfo').getByRole('link', { name: 'Help center' }).click();
  await expect(frame.getByRole('heading', { name: 'Help center', level: 1 })).toBeVisible();
  await frame.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click();
  await expect(frame.getByRole('heading', { name: 'Centro de ayuda', level: 1 })).toBeVisible();
  await page.evaluate('heard.length = 0');
  await frame.locator('body').evaluate((body) => {
    const feedback = document.createElement('a');
    feedback.href = '/drive/feedback';
    feedback.textContent = 'Feedback';
    body.append(feedback);
  });
  await expect(async () => {
    await frame.getByRole('link', { name: 'Feedback' }).click();
    expect(await portal.heard(page)).toContainEqual({
      origin: baseURL,
      data: { action: 'open_feedback', params: {} },
    });
  }).toPass();
});

test('a member who signs in inside another page continues there', async ({ browser, baseURL }) => {
  await using portal = await startPortal();
  const { page } = await member(browser);
  const wanted = `${baseURL}/url-checker?save=1&url=${encodeURIComponent(link)}`;
  const frame = await portal.show(page, `${wanted}&origin=${encodeURIComponent(portal.origin)}`);
  await expect
    .poll(() => portal.heard(page))
    .toEqual([{ origin: baseURL, data: { action: 'create_task', params: { url: link } } }]);
  await expect(save(frame)).toBeVisible();
});

test('a parent page that isn’t named in the address gets nothing, and links work as usual', async ({
  browser,
  baseURL,
}) => {
  await using portal = await startPortal();
  const { page } = await member(browser);
  const checker = `${baseURL}/url-checker?url=${encodeURIComponent(link)}`;
  for (const named of ['https://evil.example', baseURL!, '', 'nonsense']) {
    const frame = await portal.show(page, `${checker}&origin=${encodeURIComponent(named)}`);
    await save(frame).click();
    await expect(frame.getByRole('dialog', { name: 'Add links' })).toBeVisible();
    expect(await portal.heard(page)).toEqual([]);
  }
});

test('a page outside a frame sends no messages', async ({ browser, baseURL }) => {
  const { page } = await member(browser);
  await open(page, `/url-checker?url=${encodeURIComponent(link)}&origin=${encodeURIComponent(baseURL!)}`);
  await page.getByRole('link', { name: 'Save to my drive' }).click();
  await expect(page.getByRole('dialog', { name: 'Add links' })).toBeVisible();
});

test('with hide_header the site shows no header and footer until the tab is closed', async ({ browser }) => {
  const { page } = await visitor(browser);
  const header = page.getByRole('banner');
  const footer = page.getByRole('contentinfo');
  for (const path of ['/faq', '/help', '/help-center', '/policy/privacy-policy', '/contact-us', '/sign-up']) {
    await page.goto(`${path}?hide_header=1`);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(header).toBeHidden();
    await expect(footer).toBeHidden();
  }
  await open(page, '/faq?hide_header=1');
  await page.getByRole('main').getByRole('link', { name: 'Help center' }).click();
  await expect(page).toHaveURL(/\/help-center$/);
  await expect(header).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Help center', level: 1 })).toBeVisible();
  await expect(header).toBeHidden();
  await page.goto('/drive/trash?hide_header=1');
  await expect(page).toHaveURL(/\/drive\/login/);
  await expect(header).toBeHidden();
  await page.goto('/faq?hide_header=0');
  await expect(header).toBeVisible();
  await expect(footer).toBeVisible();
});

test('with hide_header the header is hidden from the first paint, even without scripts', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/faq?hide_header=1');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
});

test('with hide_header the drive shows only the files', async ({ browser }) => {
  const { page } = await member(browser);
  const places = page.getByRole('navigation', { name: 'Navigation' });
  await open(page, '/drive/all?hide_header=1');
  await expect(page.getByText('Your drive is ready')).toBeVisible();
  await expect(places).toBeHidden();
  await page.reload();
  await expect(places).toBeHidden();
});
