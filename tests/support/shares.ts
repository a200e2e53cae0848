import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { folder, open, pick, uploadsDone } from './files-page.ts';
import { get, member, post, type Person } from './people.ts';

/** A member with items to share, by name. */
export interface Sharer extends Person {
  readonly ids: Readonly<Record<string, string>>;
}

const README = '# Bowers\n\nWhat they **collect**: blue things.\n';

/** A member with a folder containing a few items, a text and a picture. */
export async function sharer(browser: Browser): Promise<Sharer> {
  const ann = await member(browser);
  const { request } = ann.context;
  const trip = await folder(request, 'Autumn trip');
  const camp = await folder(request, 'Camp', trip);
  await folder(request, 'Empty box');
  const text = (name: string, content: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  });
  const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#2457d6' } })
    .jpeg()
    .toBuffer();
  await upload(ann.page, '', [
    text('Letter.txt', 'Dear visitor'),
    { name: 'Blue.jpg', mimeType: 'image/jpeg', buffer: picture },
  ]);
  await upload(ann.page, `/${trip}`, [text('README.md', README), text('List.txt', 'caps, clips, straw')]);
  await upload(ann.page, `/${camp}`, [text('Night.txt', 'dark')]);
  const ids: Record<string, string> = { Camp: camp };
  for (const parent of ['', trip, camp]) {
    const { files } = await get<{ files: { id: string; name: string }[] }>(
      request,
      `/drive/v1/files?parent_id=${parent}&limit=100`,
    );
    for (const { id, name } of files) ids[name] = id;
  }
  return { ...ann, ids };
}

async function upload(
  page: Page,
  at: string,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await open(page, `/drive/all${at}`);
  await pick(page, files);
  await uploadsDone(page, files.length);
}

/** Shares items by their names; returns the address of the share. */
export async function share(
  { context, ids }: Sharer,
  names: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; path: string }> {
  const { share_id: id } = await post<{ share_id: string }>(context.request, '/drive/v1/share', {
    file_ids: names.map((name) => ids[name]),
    pass_code_option: 'NOT_REQUIRED',
    expiration_days: -1,
    ...options,
  });
  return { id, path: `/s/${id}` };
}

/**
 * Waits until an element is interactive: before scripts have hydrated it, a click does what it does without scripts.
 */
export async function answers(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.first().evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps'))),
    )
    .toBe(true);
}

/** Opens a share and waits until its header and its list, which loads a little later, are interactive. */
export async function openShare(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await answers(page.getByRole('button', { name: 'Save to my drive' }));
  if ((await page.getByRole('grid').count()) > 0) await answers(page.getByRole('grid'));
}
