import { expect, test, type Page } from '@playwright/test';
import { entry, folder, open } from './support/files-page.ts';
import { expectNoComplaints, member, PASSWORD, post, visitor } from './support/people.ts';

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

test('actions in the address work on every page for a member', async ({ browser }) => {
  const { page, context } = await member(browser);
  const made = await post<{ file: { id: string } }>(context.request, '/drive/v1/files', {
    kind: 'drive#folder',
    name: 'Wanted',
  });
  const id = made.file.id;

  await open(page, `/faq?action=highlight_files&file_ids=${id}`);
  await expect(page.getByRole('row', { name: 'Wanted', selected: true })).toBeVisible();
  await open(page, `/drive/trash?action=move_files&file_ids=${id}`);
  await expect(dialog(page, 'Move 1 item')).toBeVisible();
  await open(page, '/drive/starred?action=create_task&url=https%3A%2F%2Ffiles.example%2Fa.zip');
  await expect(dialog(page, 'Add links')).toBeVisible();
  expectNoComplaints(page);
  await open(page, '/ru/drive/all?action=show_task&task_id=nothing');
  await expect(page).toHaveURL(/\/ru\/drive\/transfers$/);
  await open(page, `/drive/shares?action=open_file&file_ids=${id}`);
  await expect(page).toHaveURL(new RegExp(`/drive/all\\?open_file=${id}$`));
  await open(page, '/?action=receive_files');
  await expect(page).toHaveURL(/\/drive\/all$/);

  await open(page, '/drive/trash?action=show_storage_dialog');
  await expect(dialog(page, 'Storage')).toBeVisible();
  await expect(page).toHaveURL(/\/drive\/trash$/);
  await open(page, '/blog?action=show_storage_dialog');
  await expect(dialog(page, 'Storage')).toBeVisible();
  await expect(page).toHaveURL(/\/blog$/);

  await open(page, '/blog?action=show_traffic_dialog');
  await expect(dialog(page, 'Traffic this month')).toBeVisible();
  await expect(page).toHaveURL(/\/blog$/);
  for (const action of ['open_redeem_box', 'show_invite_dialog']) {
    await page.goto(`/faq?action=${action}`);
    await expect(page).toHaveURL(/\/inapp\/shop$/);
  }

  for (const action of ['open_redeem_box', 'show_invite_dialog']) {
    await page.goto(`/drive/trash?action=${action}`);
    await expect(page).toHaveURL(/\/inapp\/shop$/);
  }
  for (const action of ['show_activity_dialog', 'show_popup_window']) {
    await page.goto(`/drive/all?action=${action}`);
    await expect(page).toHaveURL(/\/activity-end$/);
  }
  await open(page, '/drive/trash?action=show_beginner_dialog');
  await expect(dialog(page, 'First steps')).toBeVisible();
  await expect(page).toHaveURL(/\/drive\/trash$/);
  await dialog(page, 'First steps').getByRole('link', { name: 'Download to the cloud' }).click();
  await expect(dialog(page, 'Add links')).toBeVisible();
  await open(page, '/ru/faq?action=show_beginner_dialog');
  await expect(dialog(page, 'Первые шаги').getByRole('link')).toHaveCount(5);
  await expect(page).toHaveURL(/\/ru\/faq$/);
  await page.goto('/ru/faq?action=search&q=Wanted');
  await expect(page).toHaveURL(/\/ru\/drive\/search\?q=Wanted$/);
  await expect(entry(page, 'Wanted')).toBeVisible();
  await page.goto('/drive/trash?action=open_feedback');
  await expect(page).toHaveURL(/\/contact-us\?topic=feedback$/);
  await page.goto('/drive/transfers?action=url_checker&url=https%3A%2F%2Ffiles.example%2Fa.zip');
  await expect(page).toHaveURL(/\/url-checker\?url=https%3A%2F%2Ffiles\.example%2Fa\.zip$/);
  await page.goto('/drive/trash?action=landing_page');
  await expect(page).toHaveURL((url) => url.pathname === '/' && url.search === '');

  await page.goto('/faq?action=login_to_drive');
  await expect(page).toHaveURL(/\/drive\/all$/);
  for (const action of ['show_login', 'login_required']) {
    await page.goto(`/faq?action=${action}`);
    await expect(page).toHaveURL(/\/faq$/);
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('on a phone, an action in the address opens the places of the drive', async ({ browser }) => {
  const { page } = await member(browser, { screen: 'phone' });
  const places = page.getByRole('navigation', { name: 'Navigation' });
  await open(page, '/drive/trash');
  await expect(places).toBeHidden();
  await open(page, '/drive/trash?action=show_mobile_sidebar');
  await expect(places).toBeVisible();
  await expect(page).toHaveURL(/\/drive\/trash$/);
  await places.getByRole('link', { name: 'Starred' }).click();
  await expect(title(page, 'Starred')).toBeVisible();
  await expect(places).toBeHidden();
});

test('a visitor signs in first, then the action in the address is performed', async ({ browser }) => {
  const { email } = await member(browser);
  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const first = await visitor(browser);
  await open(first.page, '/faq?action=show_storage_dialog');
  await expect(title(first.page, 'Sign in')).toBeVisible();
  await signIn(first.page);
  await expect(dialog(first.page, 'Storage')).toBeVisible();

  // The page to return to contains an action that another page performs.
  const second = await visitor(browser);
  await open(second.page, `/drive/login?continue=${encodeURIComponent('/blog?action=create_task')}`);
  await signIn(second.page);
  await expect(dialog(second.page, 'Add links')).toBeVisible();

  const third = await visitor(browser);
  await open(third.page, '/faq?action=login_to_drive');
  await expect(dialog(third.page, 'Sign in')).toBeVisible();
  await signIn(third.page);
  await expect(third.page).toHaveURL(/\/drive\/all$/);

  const fourth = await visitor(browser);
  await open(fourth.page, '/faq?action=show_login');
  await signIn(fourth.page);
  await expect(dialog(fourth.page, 'Sign in')).toBeHidden();
  await expect(fourth.page).toHaveURL(/\/faq$/);
  expectNoComplaints(fourth.page);
});

test('the starred list has the order and view given in the address', async ({ browser }) => {
  const { page, context } = await member(browser);
  const { file } = await post<{ file: { id: string } }>(context.request, '/drive/v1/files', {
    kind: 'drive#folder',
    name: 'Bright',
  });
  await post(context.request, '/drive/v1/files:star', { ids: [file.id] });
  await open(page, '/drive/starred?view=list');
  await expect(page).toHaveURL(/\/drive\/starred$/);
  await expect(entry(page, 'Bright')).toBeVisible();
  await expect(page.getByRole('columnheader').first()).toBeVisible();
  await open(page, '/drive/starred?view=grid');
  await expect(entry(page, 'Bright')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveCount(0);
});

test('a share has the order and view given in the address', async ({ browser }) => {
  const { context } = await member(browser);
  const trip = await folder(context.request, 'Trip');
  for (const name of ['Ants', 'Bees', 'Cats']) await folder(context.request, name, trip);
  const { share_id: share } = await post<{ share_id: string }>(context.request, '/drive/v1/share', {
    file_ids: [trip],
    pass_code_option: 'NOT_REQUIRED',
    expiration_days: -1,
  });
  const { page } = await visitor(browser);
  const names = page.getByRole('gridcell').filter({ hasText: /Ants|Bees|Cats/ });
  for (const [order, expected] of [
    ['name_desc', ['Cats', 'Bees', 'Ants']],
    ['name_asc', ['Ants', 'Bees', 'Cats']],
  ] as const) {
    await open(page, `/s/${share}/${trip}?view=list&order=${order}`);
    await expect(page).toHaveURL(new RegExp(`/s/${share}/${trip}$`));
    await expect(names).toContainText(expected);
    await expect(page.getByRole('columnheader').first()).toBeVisible();
  }
});
