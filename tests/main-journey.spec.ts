import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type BrowserContext } from '@playwright/test';
import { bar, entry, ready, select, uploadBy, uploadsDone } from './support/files-page.ts';
import { expectNoComplaints, PASSWORD, visitor } from './support/people.ts';
import { FOLDER_FILES, realFiles, sha256 } from './support/real-files.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly size: string;
}

/** Requests with a person's cookies. The runner's own requests cost several times as much, and there are thousands. */
type Get = (path: string) => Promise<Response>;
async function asPerson(context: BrowserContext, origin: string): Promise<Get> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  return async (path) => {
    const response = await fetch(new URL(path, origin), { headers: { cookie } });
    expect(response.status, path).toBe(200);
    return response;
  };
}

async function list(get: Get, parent: string): Promise<Listed[]> {
  const filters = encodeURIComponent('{"trashed":{"eq":false}}');
  const listed: Listed[] = [];
  for (let token: string | undefined; token !== '';) {
    const reply = await get(
      `/drive/v1/files?parent_id=${parent}&limit=1000&page_token=${token ?? ''}&filters=${filters}`,
    );
    const { files, next_page_token: next } = (await reply.json()) as {
      files: Listed[];
      next_page_token: string;
    };
    listed.push(...files);
    token = next;
  }
  return listed;
}

async function linkOf(get: Get, id: string): Promise<string> {
  const { web_content_link: link } = (await (await get(`/drive/v1/files/${id}`)).json()) as {
    web_content_link: string;
  };
  return link;
}

async function contentOf(get: Get, id: string): Promise<Buffer> {
  return Buffer.from(await (await get(await linkOf(get, id))).arrayBuffer());
}

/** Files that are in a folder on disk but not in a drive's folder, or vice versa, or whose bytes differ. */
async function differences(get: Get, folderId: string, path: string): Promise<string[]> {
  const rows = new Map((await list(get, folderId)).map((row) => [row.name, row]));
  const found: string[] = [];
  const compare = async (name: string, isFolder: boolean): Promise<void> => {
    const row = rows.get(name);
    rows.delete(name);
    const at = join(path, name);
    // Folder pickers return only files, so empty folders are lost.
    if (!row && isFolder && (await readdir(at)).length === 0) return;
    if (!row) found.push(`${at} is missing`);
    else if (isFolder) found.push(...(await differences(get, row.id, at)));
    else if (!(await contentOf(get, row.id)).equals(await readFile(at))) found.push(`${at} differs`);
  };
  const entries = await readdir(path, { withFileTypes: true });
  for (let at = 0; at < entries.length; at += 16)
    await Promise.all(entries.slice(at, at + 16).map((entry) => compare(entry.name, entry.isDirectory())));
  return [...found, ...[...rows.keys()].map((name) => `${join(path, name)} is nowhere on disk`)];
}

test('a member uploads and shares; a visitor on a phone opens the share, browses, signs up and saves', async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const files = await realFiles();
  const ann = await visitor(browser);

  await test.step('the member signs up', async () => {
    await ann.page.goto('/');
    await ready(ann.page);
    await ann.page.getByRole('link', { name: 'Create account' }).first().click();
    await ann.page.getByLabel('Email').fill(`ann-${Date.now()}@example.org`);
    await ann.page.getByLabel('Name').fill('Ann Bower');
    await ann.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ann.page.getByRole('button', { name: 'Create my drive' }).click();
    await ann.page.waitForURL('**/drive/all');
    await expect(ann.page.getByText('Your drive is ready')).toBeVisible();
  });

  await test.step('the member uploads a photo, a video, a PDF, a text and a file of 300 MB', async () => {
    await ready(ann.page);
    await uploadBy(ann.page, 'Upload files', [files.photo, files.video, files.pdf, files.text, files.large]);
    await uploadsDone(ann.page, 5);
    await expect(entry(ann.page, 'Recording.bin')).toBeVisible();
  });

  await test.step('the member uploads a folder of 2,000 files with unusual names', async () => {
    await uploadBy(ann.page, 'Upload folder', files.folder);
    await uploadsDone(ann.page, FOLDER_FILES + 5);
    await entry(ann.page, 'Collected things').dblclick();
    await expect(entry(ann.page, '🐦 bower 🪶.txt')).toBeAttached();
    await ann.page.goBack();
  });

  const share = { url: '', passcode: '' };
  await test.step('the member shares most of it with a passcode', async () => {
    await entry(ann.page, 'Recording.bin').waitFor();
    await select(
      ann.page,
      'Bower in the forest.jpg',
      'Dance.mp4',
      'Field notes.pdf',
      'README.md',
      'Recording.bin',
      'Collected things',
    );
    await bar(ann.page, 'Share');
    const dialog = ann.page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('What I found this autumn');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    share.url = await dialog.getByLabel('Link', { exact: true }).inputValue();
    share.passcode = (await dialog.locator('b').textContent())!;
    expect(share.passcode).toMatch(/^[a-z0-9]{4}$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  const ben = await visitor(browser, { screen: 'phone' });
  await test.step('a visitor on a phone opens the link and enters the passcode', async () => {
    await ben.page.goto(share.url);
    await ready(ben.page);
    expect(await ben.page.content()).not.toContain('What I found this autumn');
    await ben.page.getByLabel('Passcode').fill(share.passcode);
    await ben.page.getByRole('button', { name: 'Open' }).click();
    await expect(ben.page.getByRole('heading', { name: 'What I found this autumn' })).toBeVisible();
  });

  await test.step('the visitor browses the folders', async () => {
    await entry(ben.page, 'Collected things').tap();
    await entry(ben.page, 'deep').tap();
    await expect(entry(ben.page, 'deeper')).toBeVisible();
    await ben.page.goBack();
    await ben.page.goBack();
    await expect(entry(ben.page, 'Dance.mp4')).toBeVisible();
  });

  await test.step('the visitor views the photo, the video, the PDF and the text', async () => {
    for (const [name, sign] of [
      ['Bower in the forest.jpg', 'img'],
      ['Dance.mp4', 'video'],
      ['Field notes.pdf', 'canvas'],
      ['README.md', 'h3:has-text("Bowers")'],
    ] as const) {
      await entry(ben.page, name).tap();
      await expect(ben.page.getByRole('dialog').locator(sign).first()).toBeVisible();
      await ben.page.goBack();
      await expect(ben.page.getByRole('dialog')).toBeHidden();
    }
  });

  await test.step('the visitor downloads the PDF', async () => {
    await entry(ben.page, 'Field notes.pdf').tap();
    const downloading = ben.page.waitForEvent('download');
    await ben.page
      .getByRole('dialog')
      .getByRole('link', { name: 'Download' })
      .or(ben.page.getByRole('dialog').getByRole('button', { name: 'Download' }))
      .first()
      .tap();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Field notes.pdf');
    expect(await sha256(await download.path())).toBe(await sha256(files.pdf));
    await ben.page.goBack();
  });

  await test.step('the visitor clicks Save and signs up, and saving continues by itself', async () => {
    // The preview has a Save button of its own, so it is closed first.
    const save = ben.page.getByRole('button', { name: 'Save to my drive' });
    await expect(save).toHaveCount(1);
    await save.tap();
    const dialog = ben.page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Create account' }).tap();
    // The address changes a moment before the page, and the dialog has a field for the email, too.
    await expect(dialog).toBeHidden();
    await ready(ben.page);
    await ben.page.getByLabel('Email').fill(`ben-${Date.now()}@example.org`);
    await ben.page.getByLabel('Name').fill('Ben Satin');
    await ben.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ben.page.getByRole('button', { name: 'Create my drive' }).tap();
    await expect(ben.page.getByText('Saved 6 items').first()).toBeVisible({ timeout: 60_000 });
    await ben.page.getByText('Open folder').first().tap();
    await expect(entry(ben.page, 'Recording.bin')).toBeVisible();
  });

  await test.step('the saved files are identical to the shared ones', async () => {
    const get = await asPerson(ben.context, new URL(share.url).origin);
    const root = await list(get, '');
    const saved = await list(get, root[0]!.id);
    const idOf = (rows: Listed[], name: string): string => rows.find((row) => row.name === name)!.id;
    for (const path of [files.photo, files.video, files.pdf, files.text]) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      expect((await contentOf(get, idOf(saved, name))).equals(await readFile(path)), name).toBe(true);
    }
    const link = await linkOf(get, idOf(saved, 'Recording.bin'));
    const downloading = ben.page.waitForEvent('download');
    await ben.page.evaluate((url) => location.assign(url), link);
    expect(await sha256(await (await downloading).path())).toBe(await sha256(files.large));

    expect(await differences(get, idOf(saved, 'Collected things'), files.folder)).toEqual([]);
  });

  expectNoComplaints(ann.page);
  expectNoComplaints(ben.page);
});
