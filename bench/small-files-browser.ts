import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openTestApp, PASSWORD } from '../server/testing/index.ts';
import { open, uploadsDone } from '../tests/support/files-page.ts';
import { enter } from '../tests/support/people.ts';
import { openBrowser } from './support/browser.ts';
import { serveMeasured, startMeasured } from './support/measured-server.ts';
import { median } from './support/median.ts';
import { batchRate, makeFolder, SMALL_FILE, type Uploader } from './support/small-files.ts';

// Two thousand files of 4 KiB are selected on the drive's page in Chromium, until the page says that all are done. For
// comparison, in alternation, as many files are uploaded by the batches that the page sends, without the page.

const FILES = 2000;
const ROUNDS = Number(process.argv[2]) || 3;

interface Scene extends Uploader {
  readonly email: string;
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB', SITE_URL: '' },
    pages: { built: join(import.meta.dirname, '../web/build') },
  });
  const ann = await app.signUp('ann');
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  app.jobs.start();
  serveMeasured(app, { url, token: ann.accessToken, email: ann.email } satisfies Scene);
}

/** Files per second that the page uploads to a folder. */
async function pageRate(page: Page, folder: string, files: readonly string[]): Promise<number> {
  await open(page, `/drive/all/${folder}`);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Upload files' }).click();
  const chooser = await choosing;
  const started = performance.now();
  await chooser.setFiles(files);
  await uploadsDone(page, files.length);
  return files.length / ((performance.now() - started) / 1000);
}

async function makeFiles(folder: string): Promise<string[]> {
  const files = Array.from({ length: FILES }, (_, at) => join(folder, `note ${at}.txt`));
  for (const file of files) await writeFile(file, randomBytes(SMALL_FILE));
  return files;
}

async function measure(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = await startMeasured<Scene>(import.meta.filename);
  const browser = await openBrowser();
  try {
    const { scene } = server;
    const files = await makeFiles(scratch);
    const context = await browser.newContext({ baseURL: scene.url, locale: 'en-US' });
    await enter(context.request, '/v1/auth/signin', { username: scene.email, password: PASSWORD });
    const page = await context.newPage();
    const batches: number[] = [];
    const pages: number[] = [];
    let cpu = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const [alone, selected] = [
        await makeFolder(scene, `batches ${round}`),
        await makeFolder(scene, `selected ${round}`),
      ];
      batches.push(await batchRate(scene, alone, FILES));
      const before = await server.cpuMs();
      pages.push(await pageRate(page, selected, files));
      cpu += (await server.cpuMs()) - before;
    }
    const ratio = median(pages.map((rate, round) => rate / batches[round]!));
    console.log(
      `upload of ${FILES} files of 4 KiB in the browser: ${ratio.toFixed(2)} of the same batches without a page (${median(pages).toFixed(0)}/s against ${median(batches).toFixed(0)}/s); server: ${(cpu / (FILES * ROUNDS)).toFixed(1)} ms of CPU each; ${ROUNDS} rounds`,
    );
  } finally {
    await browser.close();
    await server.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'serve' ? serve() : measure());
