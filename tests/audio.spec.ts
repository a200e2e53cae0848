import { expect, test } from '@playwright/test';
import { entry, goTo, open, pick, uploadsDone } from './support/files-page.ts';
import { expectNoComplaints, member } from './support/people.ts';
import { silence } from './support/silence.ts';

test.use({ actionTimeout: 20_000 });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const song = (name: string) => silence(name, { seconds: 60, rate: 8000 });

test('a song plays on after its preview is closed and on other pages, until the player is closed', async ({
  browser,
}) => {
  const { page } = await member(browser);
  await open(page, '/drive/all?order=name_asc');
  await pick(page, [song('Dawn.wav'), song('Dusk.wav')]);
  await uploadsDone(page, 2);
  await page.getByRole('button', { name: 'Close uploads' }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  const seekBar = player.getByRole('slider', { name: 'Position' });
  const position = async (): Promise<number> => Number(await seekBar.inputValue());
  const expectPlaying = async (): Promise<void> => {
    await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();
    const before = await position();
    await expect.poll(position).toBeGreaterThan(before);
  };

  await entry(page, 'Dawn.wav').dblclick();
  const preview = page.getByRole('dialog');
  await expect(preview.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(player.getByText('Dawn.wav')).toBeVisible();
  await expectPlaying();

  const reached = await position();
  for (const place of ['Trash', 'Shares']) {
    await goTo(page, place);
    await expect(player.getByText('Dawn.wav')).toBeVisible();
    await expectPlaying();
  }
  expect(await position()).toBeGreaterThan(reached);

  await player.getByRole('button', { name: 'Next' }).click();
  await expect(player.getByText('Dusk.wav')).toBeVisible();
  await expectPlaying();

  await player.getByRole('button', { name: 'Stop and close the player' }).click();
  await expect(player).toBeHidden();
  await goTo(page, 'Trash');
  await expect(player).toBeHidden();
  expectNoComplaints(page);
});
