import { expect, test } from '@playwright/test';
import { barriers, expectSound } from '../support/accessibility.ts';
import { open } from '../support/files-page.ts';
import { mailingServer, type MailingServer } from '../support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor } from '../support/people.ts';

const DAY_MS = 24 * 3600 * 1000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const activity = (name: string, gives: object) => ({
  name,
  begins: inDays(-5),
  ends: inDays(20),
  title: { 'en-US': `The ${name}`, ja: 'お知らせ', ru: 'Событие' },
  lead: { 'en-US': 'A short sentence about it.', ja: '短い説明です。', ru: 'Короткое описание.' },
  text: {
    'en-US': '## Details\n\nMore about it.',
    ja: '## 詳細\n\n説明。',
    ru: '## Подробности\n\nОписание.',
  },
  ...gives,
});
const gifts = [
  { plan: 'vip', days: 7 },
  { storage: '10 GB', days: 30 },
];
const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: 'VIP会員' }, storage: '1 TB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [
          { id: 'month', months: 1, price: { USD: 499, JPY: 800 } },
          { id: 'year', months: 12, price: { USD: 4990, JPY: 8000 } },
        ],
      },
      {
        id: 'pack',
        kind: 'storage',
        bytes: '100 GB',
        name: '100 GB',
        terms: [{ id: 'days', days: 30, price: { USD: 99, JPY: 160 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02 1203 0000 0000 2020 51' },
  },
  activity_operation: {
    activities: [
      activity('compensation', { id: 'outage', compensation: { affected: 'everyone', gifts } }),
      activity('compensation', {
        id: 'others',
        compensation: { affected: { registered_before: '2026-01-01' }, gifts },
      }),
      activity('christmas', { gifts: [{ plan: 'vip', days: 1 }] }),
      activity('black-friday', {
        sale: [
          { product: 'vip', term: 'year', price: { USD: 2990, JPY: 4800 } },
          { product: 'pack', term: 'days', price: { USD: 49, JPY: 80 } },
        ],
      }),
    ],
  },
};

/** An installation with one activity of each kind. */
let server: MailingServer;
test.beforeAll(async () => {
  server = await mailingServer({ documents: DOCUMENTS });
});
test.afterAll(() => server[Symbol.asyncDispose]());
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('a visitor signs in from a compensation, claims it and opens a gift with the keyboard, and orders at the sale price', async ({
  browser,
}) => {
  const email = 'ann@example.org';
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  const { page } = await visitor(browser, { screen: 'phone' });
  const card = (name: string) => page.getByRole('region', { name });
  const main = page.getByRole('main');

  await open(page, `${server.origin}/activity/compensation?id=outage`);
  await expect(card('What you get').getByRole('listitem')).toHaveText([
    '7 days of VIP',
    '10 GB of storage for 30 days',
  ]);
  await expectSound(page);
  await page.getByRole('link', { name: 'Sign in to claim' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/activity\/compensation\?id=outage$/);
  await page.getByRole('button', { name: 'Claim' }).focus();
  await page.keyboard.press('Enter');
  const claimed = card('What you get').getByRole('status');
  await expect(claimed).toHaveText(/^You claimed this on /);
  await expect(claimed).toBeFocused();
  await expect(page.getByRole('button', { name: 'Claim' })).toHaveCount(0);
  await expectSound(page);

  await main.getByRole('link', { name: 'The compensation' }).click();
  await expect(page).toHaveURL(/\?id=others$/);
  await expect(card('What you get')).toContainText('Your account wasn’t affected');

  await open(page, `${server.origin}/activity/christmas`);
  const days = card('A gift a day').getByRole('listitem');
  await expect(days.filter({ hasText: 'can be opened today' })).toHaveCount(1);
  await expectSound(page);
  await page.getByRole('button', { name: 'Open today’s gift' }).focus();
  await page.keyboard.press('Enter');
  await expect(card('A gift a day').getByRole('status')).toHaveText('Today’s gift: 1 day of VIP');
  await expect(days.filter({ hasText: ': 1 day of VIP' })).toHaveCount(1);
  await expectSound(page);
  await open(page, `${server.origin}/drive/storage`);
  await expect(page.getByRole('region', { name: 'Where it comes from' })).toHaveText(
    /Compensation.*Gift from an event/,
  );

  await open(page, `${server.origin}/activity/black-friday?currency=USD`);
  await expect(main.getByText('$29.90 $49.90regular price $49.90')).toBeVisible();
  await expectSound(page);
  await main.getByRole('link', { name: 'Order now' }).first().click();
  await expect(page).toHaveURL(/\/drive\/payment\?currency=USD$/);
  await expect(page.getByText('On sale until')).toBeVisible();
  await expectSound(page);
  await page.getByRole('button', { name: 'Order VIP, 12 months, $29.90' }).click();
  await page.waitForURL(/\/drive\/payment\/orders\/\w+$/);
  await expect(page.getByText('$29.90').first()).toBeVisible();

  await open(page, `${server.origin}/ru/drive/trash?action=show_popup_window`);
  await expect(page.getByRole('dialog', { name: 'Событие' })).toBeVisible();
  await expect(page).toHaveURL(/\/ru\/drive\/trash$/);
  expect(await barriers(page)).toEqual([]);
  expectNoComplaints(page);
});
