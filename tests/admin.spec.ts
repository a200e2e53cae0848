import { expect, test } from '@playwright/test';
import { barriers } from './support/accessibility.ts';
import { open, toast } from './support/files-page.ts';
import { expectNoComplaints, member, operator, post, visitor } from './support/people.ts';

// Information about the service that only administrators can see.

test('an administrator sees the service’s status, manages members, and answers messages', async ({
  browser,
}) => {
  const ann = await member(browser);
  const { id } = await ann.page
    .context()
    .request.get('/v1/user/me')
    .then(async (reply) => ({
      id: ((await reply.json()) as { sub: string }).sub,
    }));
  await post(ann.context.request, '/site/v1/contact', {
    topic: 'abuse',
    email: 'vera@example.org',
    message: `Please look at what ${id} shares.`,
    link: 'https://example.org/s/V0',
  });

  const { page, context } = await operator(browser);
  await open(page, '/drive/all');
  await page.getByRole('button', { name: /’s account$/ }).click();
  await page.getByRole('menuitem', { name: 'Your service' }).click();
  await expect(page.getByRole('heading', { name: 'Your service', level: 1 })).toBeVisible();
  await expect(page.getByText('The service answers at this address.')).toBeVisible();
  await expect(page.getByText('No mail server is configured')).toBeVisible();
  await expect(page.getByText('Anyone can sign up')).toBeVisible();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole('link', { name: 'People', exact: true }).click();
  const row = page.getByRole('listitem').filter({ hasText: ann.email });
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(page.getByRole('listitem').filter({ hasText: 'operator@example.org' })).toBeVisible();
  while (!(await row.isVisible()) && (await more.isVisible())) await more.click();
  expect(await barriers(page)).toEqual([]);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Set storage…' }).click();
  await page.getByLabel('Limit in GB').fill('-3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a number of 0 or more')).toBeVisible();
  await page.getByLabel('Limit in GB').fill('2.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('of 2.5 GB');
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(row).toContainText('Suspended');
  expect((await ann.context.request.get('/drive/v1/about')).ok()).toBe(false);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Lift suspension' }).click();
  await expect(row).not.toContainText('Suspended');

  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  await expect(toast(page, 'can sign in again')).toBeHidden({ timeout: 30_000 });
  const letter = page.getByRole('listitem').filter({ hasText: `what ${id} shares` });
  await expect(letter.getByRole('link', { name: 'Reply' })).toHaveAttribute(
    'href',
    'mailto:vera%40example.org',
  );
  expect(await barriers(page)).toEqual([]);
  await letter.getByRole('button', { name: 'Mark as done' }).click();
  await expect(toast(page, 'Marked as done')).toBeVisible();
  await expect(letter).toBeHidden();
  expectNoComplaints(page);
  await context.close();
  await ann.context.close();
});

test('the administrator pages do not exist for anyone else', async ({ browser }) => {
  const ann = await member(browser);
  const vera = await visitor(browser);
  for (const { page } of [ann, vera])
    for (const path of ['/admin', '/admin/people', '/ru/admin/messages']) {
      const reply = await page.goto(path);
      expect(reply?.status(), path).toBe(404);
      expect((await page.context().request.get(`${path}.data`)).status(), path).toBe(404);
    }
  await open(ann.page, '/drive/all');
  await ann.page.getByRole('button', { name: /’s account$/ }).click();
  await expect(ann.page.getByRole('menuitem', { name: 'Account' })).toBeVisible();
  await expect(ann.page.getByRole('menuitem', { name: 'Your service' })).toBeHidden();
  await ann.context.close();
  await vera.context.close();
});
