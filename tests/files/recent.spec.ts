import { expect, test } from '@playwright/test';
import { entry, goTo, open, pick, toast, uploadsDone } from '../support/files-page.ts';
import { enter, expectNoComplaints, member, PASSWORD, visitor } from '../support/people.ts';
import { silence } from '../support/silence.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const recording = (name: string) => silence(name, { seconds: 12 * 60, rate: 3000 });

test('a recording continues on another device where it was left, and Recent shows what happened', async ({
  browser,
}) => {
  const { page, email } = await member(browser);
  await open(page, '/drive/all?order=name_asc');
  const note = { name: 'Note.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') };
  await pick(page, [recording('Talk.wav'), note]);
  await uploadsDone(page, 2);
  await page.getByRole('button', { name: 'Close uploads' }).click();
  await entry(page, 'Talk.wav').dblclick();
  const preview = page.getByRole('dialog');
  await expect(preview.getByRole('button', { name: 'Pause' })).toBeVisible();
  const reported = () =>
    page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/drive/v1/events'),
    );
  await reported();
  await preview.getByRole('slider', { name: 'Position' }).fill('300');
  const last = reported();
  await preview.getByRole('button', { name: 'Pause' }).click();
  await last;
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Recent' }).click();
  await expect(page.getByRole('rowheader', { name: 'Today' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Talk.wav' })).toContainText('Played');
  await expect(page.getByRole('row').filter({ hasText: 'Note.txt' })).toContainText('Added');
  await page.getByRole('button', { name: 'Added', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Talk.wav' })).toContainText('Added');
  expectNoComplaints(page);

  await test.step('on phones the drive begins at Recent, where it continues at the same second', async () => {
    const phone = await visitor(browser, { screen: 'phone' });
    await enter(phone.context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148' };
    const led = await phone.context.request.get('/drive', { headers, maxRedirects: 0 });
    expect(led.headers()['location']).toBe('/drive/recent');
    await phone.page.goto('/drive/recent');
    await phone.page.getByRole('button', { name: /^Resume Talk\.wav at 5:0/ }).tap();
    await expect(phone.page.getByText(/Resumed at 5:0/)).toBeVisible();
    await phone.page.getByRole('button', { name: 'Start over' }).tap();
    await expect(phone.page.getByRole('dialog').getByText(/^0:0\d$/)).toBeVisible();
    expectNoComplaints(phone.page);
  });

  await test.step('an entry is removed, which can be undone; its file is kept', async () => {
    await page.goto('/drive/recent');
    const remove = async (): Promise<void> => {
      await entry(page, 'Note.txt').click();
      await page.getByRole('toolbar').getByRole('button', { name: 'Remove from Recent' }).click();
      await expect(entry(page, 'Note.txt')).toBeHidden();
    };
    await remove();
    await toast(page, '1 file removed from Recent').getByRole('button', { name: 'Undo' }).click();
    await expect(entry(page, 'Note.txt')).toBeVisible();
    await remove();
    await goTo(page, 'Files');
    await expect(entry(page, 'Note.txt')).toBeVisible();
  });
});
