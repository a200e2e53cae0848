import { expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { post } from './people.ts';

type Files = string | string[] | { name: string; mimeType: string; buffer: Buffer }[];

/** The list of files as users see it, in the drive and in shares. */
export function entry(page: Page, name: string): Locator {
  return page
    .getByRole('gridcell')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
}

/** Creates a folder through the API; returns its id. */
export async function folder(request: APIRequestContext, name: string, parent = ''): Promise<string> {
  const body = { kind: 'drive#folder', parent_id: parent, name };
  return (await post<{ file: { id: string } }>(request, '/drive/v1/files', body)).file.id;
}

/** Waits for a page whose scripts are running. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await ready(page);
}

/** Goes to a place in the sidebar. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: place }).click();
  await expect(page.getByRole('heading', { name: place, level: 1 })).toBeVisible();
}

/** A toast, with its button. */
export function toast(page: Page, text: string): Locator {
  return page.locator('[popover=manual] > div').filter({ hasText: text });
}

/** Waits until every upload has succeeded. */
export async function uploadsDone(page: Page, count: number): Promise<void> {
  const done = count === 1 ? '1 upload done' : `${count.toLocaleString('en-US')} uploads done`;
  await expect(page.getByText(done)).toBeVisible({ timeout: 400_000 });
}

/** Selects files (or one folder) with the New menu. */
export async function uploadBy(
  page: Page,
  item: 'Upload files' | 'Upload folder',
  files: Files,
): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  await choose(page, page.getByRole('menuitem', { name: item }), files);
}

export const pick = (page: Page, files: Files): Promise<void> => uploadBy(page, 'Upload files', files);

/** Clicks what opens the browser's file picker, and selects files. */
export async function choose(page: Page, button: Locator, files: Files): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await button.click();
  await (await choosing).setFiles(files);
}

export async function select(page: Page, ...names: string[]): Promise<void> {
  for (const [at, name] of names.entries())
    await entry(page, name).click(at === 0 ? {} : { modifiers: ['ControlOrMeta'] });
}

export async function bar(page: Page, action: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: action, exact: true }).click();
}

/** Waits until the page is interactive: before React has hydrated it, clicks have no effect. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber'));
  });
  await page.waitForLoadState('networkidle');
}
