import { expect, type Locator, type Page } from '@playwright/test';
import { entry } from './files-page.ts';

async function pointIn(target: Locator, at?: { x: number; y: number }): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('the drop target is not on the screen');
  return { x: box.x + (at?.x ?? box.width / 2), y: box.y + (at?.y ?? box.height / 2) };
}

/** Drops files from outside the browser. */
export async function dropFromDesktop(
  page: Page,
  files: string[],
  target: Locator,
  at?: { x: number; y: number },
): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const point = await pointIn(target, at);
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await browser.send('Input.dispatchDragEvent', { type, ...point, data });
  await browser.detach();
}

/** Drags an entry onto a folder and holds it there until the folder opens; the mouse button stays pressed. */
export async function dragUntilOpen(page: Page, what: Locator, folder: string): Promise<void> {
  const from = await pointIn(what);
  const to = await pointIn(entry(page, folder));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 6, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 5 });
  // The address changes before the page does.
  await expect(page.getByRole('heading', { level: 1, name: folder })).toBeVisible();
}
