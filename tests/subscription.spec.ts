import { expect, test } from '@playwright/test';
import { entry, goTo, open, toast } from './support/files-page.ts';
import { startOrigin, type Origin } from './support/origin.ts';
import { complaints, expectNoComplaints, member } from './support/people.ts';

test.use({ actionTimeout: 20_000 });

let origin: Origin;
test.beforeAll(async () => {
  origin = await startOrigin();
});
test.afterAll(() => origin[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** A feed of songs that are on the same site, newest first. */
function publish(titles: readonly string[]): void {
  const items = titles.map(
    (title) =>
      `<item><title>${title}</title><guid>${title}</guid><enclosure url="${origin.url}/${encodeURIComponent(title)}.mp3" type="audio/mpeg" length="2048"/></item>`,
  );
  for (const title of titles) origin.serve(`/${title}.mp3`, Buffer.alloc(2048, title));
  origin.serve(
    '/feed',
    Buffer.from(`<rss version="2.0"><channel><title>Bird song</title>${items.join('')}</channel></rss>`),
  );
}

test('a member follows a feed, sees a preview, and new items arrive by themselves', async ({ browser }) => {
  publish(['Bower bird at dawn', 'Owl at night']);
  const { page } = await member(browser);
  await open(page, '/en-US/drive/transfers');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await expect(page.getByText('New items, downloaded automatically')).toBeVisible();

  await page.getByRole('button', { name: 'Add subscription' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Feed address').fill(`${origin.url}/nothing`);
  await expect(form.getByText('no longer there')).toBeVisible();
  // The browser itself logs missing files.
  complaints.set(
    page,
    complaints.get(page)!.filter((complaint) => !complaint.includes('404')),
  );
  await form.getByLabel('Feed address').fill(`${origin.url}/feed`);
  await expect(form.getByText('2 of 2 items match your filters.')).toBeVisible();
  await form.getByLabel('Title contains any of').fill('bower');
  await expect(form.getByText('1 of 2 items match your filters.')).toBeVisible();
  await form.getByRole('switch', { name: 'Also download existing items' }).check();
  await form.getByRole('button', { name: 'Add subscription' }).click();

  const card = page.getByRole('article');
  await expect(card.getByText('1 downloaded')).toBeVisible();
  publish(['A bower bird in the rain', 'Bower bird at dawn', 'Owl at night']);
  await card.getByRole('button', { name: 'Check Bird song for new items now' }).click();
  await expect(card.getByText('2 downloaded')).toBeVisible();
  await card.getByRole('button', { name: 'Show items from Bird song' }).click();
  const found = card.getByRole('list', { name: 'Items from Bird song' }).getByRole('listitem');
  await expect(found.filter({ hasText: 'In your drive' })).toHaveCount(2);
  await expect(found.filter({ hasText: 'Filtered out' })).toHaveText(/Owl at night/);
  await found.filter({ hasText: 'Owl' }).getByRole('button', { name: 'Download Owl at night' }).click();
  await expect(found.filter({ hasText: 'In your drive' })).toHaveCount(3);

  await card.getByRole('button', { name: 'Pause Bird song' }).click();
  await expect(card.getByText('Paused', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'More actions for Bird song' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(card).toHaveCount(0);
  await toast(page, '“Bird song” removed').getByRole('button', { name: 'Undo' }).click();
  await expect(card.getByText('3 downloaded')).toBeVisible();

  await goTo(page, 'Files');
  await entry(page, 'My Pack').dblclick();
  for (const name of ['A bower bird in the rain.mp3', 'Bower bird at dawn.mp3', 'Owl at night.mp3'])
    await expect(entry(page, name)).toBeVisible();
  expectNoComplaints(page);
});

test('on a phone a link is downloaded repeatedly', async ({ browser }) => {
  origin.serve('/list.csv', Buffer.from('one'));
  const { page } = await member(browser, { screen: 'phone' });
  await open(page, '/en-US/drive/transfers/subscriptions');
  await page.getByRole('button', { name: 'Add subscription' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('radio', { name: 'File that changes' }).check();
  await form.getByLabel('Address of the file').fill('nonsense');
  await form.getByRole('button', { name: 'Add subscription' }).click();
  await expect(form.getByText('This link isn’t supported.')).toBeVisible();
  await form.getByLabel('Address of the file').fill(`${origin.url}/list.csv`);
  await form.getByLabel('Name').fill('Prices');
  await form.getByLabel('How often').selectOption('Every day');
  await form.getByRole('button', { name: 'Add subscription' }).click();
  const card = page.getByRole('article');
  await expect(card.getByText('Every day')).toContainText('1 downloaded');
  origin.serve('/list.csv', Buffer.from('two!'));
  await card.getByRole('button', { name: 'More actions for Prices' }).click();
  await page.getByRole('menuitem', { name: 'Check now' }).click();
  await expect(card.getByText('Every day')).toContainText('2 downloaded');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
