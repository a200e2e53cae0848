import { expect, test } from '@playwright/test';
import { expectNoComplaints, visitor } from './support/people.ts';

test('somebody new is asked once whether visits may be counted, and then left alone', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/site/v1/happenings')) sent.push(request.postData() ?? '');
  });
  await page.goto('/');
  const notice = page.getByRole('region', { name: 'Cookies' });
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Only necessary' }).click();
  await expect(notice).toBeHidden();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es$/);
  await expect(page.getByRole('button', { name: 'Idioma' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Cookies' })).toBeHidden();
  expect(sent.join()).toContain('cookie_tips_shown');
  expect(sent.join()).toContain('cookie_tips_clicked');
  expect(sent.join()).not.toContain('language_switched');
  expectNoComplaints(page);
  await context.close();
});

test('who agreed is counted when the language is switched', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await page.goto('/');
  await page.getByRole('button', { name: 'Count visits, too' }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  const counted = page.waitForRequest(
    (request) => request.postData()?.includes('language_switched') === true,
  );
  await page.getByRole('menuitemradio', { name: 'Русский' }).click();
  expect((await counted).postData()).toContain('ru');
  await context.close();
});

test('where the service is not offered a page says so instead of all others, and lets nobody wait for nothing', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  for (const path of ['/', '/drive/login', '/faq', '/s/whatever']) {
    const asked = page.waitForResponse(/area_accessible/);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('heading', { name: 'Not available where you are' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeHidden();
  }
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeEnabled();
  await context.setExtraHTTPHeaders({});
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { name: 'Not available where you are' })).toBeHidden();
  await context.close();
});

test('a page that is left before it was answered lets nobody in', async ({ browser }) => {
  const { page, context } = await visitor(browser);
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  await page.route(/area_accessible/, () => undefined);
  for (const path of ['/', '/faq', '/drive/login']) {
    const asked = page.waitForRequest(/area_accessible/);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('heading', { name: 'Not available where you are' })).toBeVisible();
  }
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('pp_access_to_visit');
  await context.close();
});

test('how somebody came is kept for half a day, once they let visits be counted', async ({ browser }) => {
  const { page, context } = await visitor(browser, { isNew: true });
  await page.goto('/?__source=letter&__campaign=spring', { referer: 'https://forum.example/thread/9' });
  const cookies = async () =>
    Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]));
  const agree = page.getByRole('button', { name: 'Count visits, too' });
  await expect(agree).toBeVisible();
  expect(await cookies()).not.toHaveProperty('pp_source');
  expect(await page.evaluate(() => localStorage.getItem('pp_referer_list'))).toBeNull();
  await agree.click();
  await expect.poll(cookies).toMatchObject({ pp_source: 'letter', pp_campaign: 'spring' });
  const kept = await page.evaluate(() => localStorage.getItem('pp_referer_list'));
  expect(kept).toContain('https://forum.example');
  expect(kept).not.toContain('thread');
  await context.close();
});

test('a theme that was chosen is that of the whole window, from the first byte and once it is changed', async ({
  browser,
}) => {
  const { page, context } = await visitor(browser);
  await page.goto('/faq');
  await context.addCookies([{ name: 'pp_theme', value: 'dark', url: page.url() }]);
  const first = await (await context.request.get('/faq')).text();
  expect(first).toContain('data-theme="dark"');
  expect(first.match(/<meta[^>]*theme-color[^>]*>/g)).toEqual([
    expect.stringContaining('#0f1116'),
    expect.stringContaining('#0f1116'),
  ]);
  await page.reload();
  const colours = page.locator('meta[name=theme-color]');
  const contents = () => colours.evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')));
  expect(await contents()).toEqual(['#0f1116', '#0f1116']);
  for (const [name, wanted] of [
    ['Light', ['#fbfaf9', '#fbfaf9']],
    ['Dark', ['#0f1116', '#0f1116']],
    ['Same as system', ['#fbfaf9', '#0f1116']],
  ] as const) {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await expect.poll(contents).toEqual(wanted);
  }
  expectNoComplaints(page);
});
