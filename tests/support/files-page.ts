import { expect, type Locator, type Page } from '@playwright/test';

/** The list of files, as somebody sees it: in the drive and in shares. */
export function entry(page: Page, name: string): Locator {
  return page.getByRole('gridcell').filter({ has: page.getByText(name, { exact: true }) }).first();
}

/** Waits until every upload has ended well. */
export async function uploadsDone(page: Page, count: number): Promise<void> {
  await expect(page.getByText(count === 1 ? '1 upload done' : `${count.toLocaleString('en-US')} uploads done`)).toBeVisible({ timeout: 400_000 });
}

/** Picks files (or one folder) with the New menu. */
export async function uploadBy(page: Page, item: 'Upload files' | 'Upload folder', paths: string | string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  await page.getByRole('menuitem', { name: item }).click();
  await (await choosing).setFiles(paths);
}

export async function select(page: Page, ...names: string[]): Promise<void> {
  for (const [at, name] of names.entries()) await entry(page, name).click(at === 0 ? {} : { modifiers: ['ControlOrMeta'] });
}

export async function bar(page: Page, action: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: action, exact: true }).click();
}

/** Waits until the page answers to scripts: before that a click is only a click. */
export async function ready(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
}
