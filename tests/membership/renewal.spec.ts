import { expect, test } from '@playwright/test';
import { stripeObjects, stripeServer } from '../../server/testing/stripe/stripe-server.ts';
import { barriers, expectSound } from '../support/accessibility.ts';
import { open } from '../support/files-page.ts';
import { mailingServer } from '../support/mailing-server.ts';
import { expectNoComplaints, PASSWORD, visitor } from '../support/people.ts';

const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: 'VIP', storage: '1 TB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [{ id: 'month', months: 1, renews: true, price: { USD: 499 } }],
      },
    ],
  },
};
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

test('a member lets a plan renew, changes how it is paid, cancels it and takes that back', async ({
  browser,
}) => {
  await using stripe = await stripeServer();
  await using server = await mailingServer({ documents: DOCUMENTS, environment: stripe.environment });
  const email = 'ann@example.org';
  await server.command('user', 'add', email, '--password', PASSWORD, '--name', 'Ann Bower');
  const { page } = await visitor(browser, { screen: 'phone' });
  await open(page, `${server.origin}/drive/payment`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/drive/payment');
  await expectSound(page);

  await page.getByRole('button', { name: 'Renew automatically: VIP, 1 month, $4.99' }).click();
  await expect(
    page.getByText('You pay $4.99 now, and the same for each further term (1 month)'),
  ).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pay $4.99 and renew automatically' }).click();
  await page.waitForURL('**/orders/*?checkout=done');
  const { body, headers } = stripe.event(
    'checkout.session.completed',
    stripeObjects.begun(stripe.sessions[0]!),
  );
  const hook = `${server.origin}/vip/v1/stripe/webhook`;
  expect((await fetch(hook, { method: 'POST', body, headers })).status).toBe(200);
  await page.getByRole('link', { name: 'Manage renewal' }).click();
  await expect(page.getByText('Renews automatically', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Next charge: \$4\.99 on /)).toBeVisible();
  await expect(page.getByText('Your plan', { exact: true })).toBeVisible();
  await expectSound(page);

  // The stand-in's page about the way of paying leads back at once.
  const back = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Change payment method' }).click();
  await back;
  expect(stripe.billing.settings).toHaveLength(1);
  await page.getByRole('link', { name: 'Cancel renewal' }).click();
  await expect(page.getByText(/^You won’t be charged again\. You keep VIP until /)).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel renewal' }).click();
  await expect(page.getByText('Renewal canceled', { exact: true })).toBeVisible();
  expect(stripe.billing.all[0]!.cancelAtPeriodEnd).toBe(true);
  await server.mailTo(email, /^VIP no longer renews automatically$/);
  await page.getByRole('button', { name: 'Resume renewal' }).click();
  await expect(page.getByText('Renews automatically', { exact: true })).toBeVisible();
  expect(stripe.billing.all[0]!.cancelAtPeriodEnd).toBe(false);
  expectNoComplaints(page);
});
