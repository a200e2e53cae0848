import { randomBytes } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { entry, folder, open, select } from '../support/files-page.ts';
import { startOrigin } from '../support/origin.ts';
import { enter, expectNoComplaints, member, PASSWORD, post, visitor } from '../support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** Paths of the calls that a page makes from now on; the stream of events is none. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() !== 'eventsource' && /^\/(?:drive|user|vip)\/v1\//.test(pathname))
      calls.push(pathname);
  });
  return calls;
}

const streamOpen = (page: Page): Promise<unknown> =>
  page.waitForRequest((request) => new URL(request.url()).pathname === '/drive/v1/live');

test('another browser of the member shows changes and downloads as they happen, without polling', async ({
  browser,
}) => {
  const { page, context, email } = await member(browser);
  await folder(context.request, 'Alpha');
  const beta = await folder(context.request, 'Beta');
  const second = await visitor(browser);
  await enter(second.context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
  const other = second.page;
  await open(page, '/drive/all');
  const listening = streamOpen(other);
  await open(other, '/drive/all');
  await listening;

  // An open rename field, its text and the selection stay while the list changes around them.
  await select(other, 'Beta');
  await other.keyboard.press('F2');
  const field = other.getByLabel('New name for Beta');
  await field.fill('Half a na');
  await folder(context.request, 'Aardvark');
  await expect(entry(other, 'Aardvark')).toBeVisible({ timeout: 5_000 });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('Half a na');
  await other.keyboard.press('Escape');
  await expect(other.getByRole('row', { name: 'Beta', selected: true })).toBeVisible();
  await select(page, 'Alpha');
  await page.keyboard.press('Delete');
  await expect(entry(other, 'Alpha')).toBeHidden({ timeout: 5_000 });
  await expect(other.getByRole('row', { name: 'Beta', selected: true })).toBeVisible();
  await post(context.request, '/drive/v1/files:batchTrash', { ids: [beta] });
  await expect(entry(other, 'Beta')).toBeHidden({ timeout: 5_000 });

  await using origin = await startOrigin();
  const { promise: until, resolve: finish } = Promise.withResolvers<void>();
  origin.serve('/song.flac', randomBytes(3_000_000), { until });
  await open(other, '/drive/transfers');
  await post(context.request, '/drive/v1/files', {
    kind: 'drive#file',
    upload_type: 'UPLOAD_TYPE_URL',
    folder_type: 'DOWNLOAD',
    url: { url: `${origin.url}/song.flac` },
  });
  const card = other.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'song.flac' });
  await expect(card).toBeVisible({ timeout: 20_000 });
  // While nothing happens, nothing is asked.
  await other.waitForLoadState('networkidle');
  // The speed is shown until it is zero, however long that takes.
  const calls = callsOf(other);
  await expect(async () => {
    calls.length = 0;
    await other.waitForTimeout(5_500);
    expect(calls).toEqual([]);
  }).toPass({ timeout: 40_000 });
  finish();
  await expect(other.getByRole('tab', { name: /^Finished/ })).toContainText('1', { timeout: 20_000 });
  await expect(card).toBeHidden();
  expectNoComplaints(page);
  expectNoComplaints(other);

  // Signing out one browser from the other one ends what it shows.
  await post(context.request, '/v1/user/sessions:endOthers', {});
  await expect(other.getByRole('dialog')).toBeVisible({ timeout: 10_000 });
});
