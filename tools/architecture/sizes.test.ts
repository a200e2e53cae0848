import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_MAX, findOversized, FOLDER_MAX, TEST_MAX, type Exceptions } from './sizes.ts';

const checkout = join(import.meta.dirname, '..', '..');

const exceptions: Exceptions = {
  '.dependency-cruiser.mjs': 'the rules are one list, in which each is read beside its neighbours',
  'docs/decisions/': 'one numbered list, whose numbers are cited everywhere',
  'server/src/foundation/config.ts': 'one table is code, validation and manual of all settings',
  'server/testing/clients/golden/': 'recorded replies of a protocol, one file for each',
};

test('files and folders are small', async () => {
  expect(await findOversized(checkout, exceptions)).toEqual([]);
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-sizes-'));
  await write('.gitignore', 'node_modules/\nweb/build/\n*.log\n');
});
afterAll(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}
const lines = (count: number): string => '\n'.repeat(count);

test('a file and a folder over the limits are found, those at the limits are not', async () => {
  await write('server/src/long.ts', lines(FILE_MAX + 1));
  await write('server/src/full.ts', lines(FILE_MAX));
  await write('web/app/long.css', lines(FILE_MAX + 1));
  await write('server/src/long.test.ts', lines(TEST_MAX + 1));
  await write('server/src/full.test.ts', lines(TEST_MAX));
  await write('server/testing/full.ts', lines(TEST_MAX));
  await write('docs/long.md', lines(FILE_MAX + 1));
  for (let file = 0; file < FOLDER_MAX; file++) await write(`full/${file}.md`, '');
  for (let file = 0; file < FOLDER_MAX + 1; file++) await write(`crowded/${file}.md`, '');
  expect((await findOversized(folder, {})).toSorted()).toEqual([
    'crowded/ has 41 files, more than 40',
    'server/src/long.test.ts has 501 lines, more than 500',
    'server/src/long.ts has 301 lines, more than 300',
    'web/app/long.css has 301 lines, more than 300',
  ]);
});

test('what git ignores is not measured', async () => {
  await write('server/node_modules/package/long.ts', lines(FILE_MAX + 1));
  await write('web/build/long.mjs', lines(FILE_MAX + 1));
  const found = await findOversized(folder, {});
  expect(found.filter((line) => /node_modules|build/.test(line))).toEqual([]);
});

test('an exception is accepted, and reported once it is not needed', async () => {
  const found = await findOversized(folder, {
    'crowded/': 'planted',
    'server/src/long.ts': 'planted',
    'server/src/full.ts': 'not needed',
    'server/src/gone.ts': 'not there',
  });
  expect(found.toSorted()).toEqual([
    'server/src/full.ts needs no exception',
    'server/src/gone.ts needs no exception',
    'server/src/long.test.ts has 501 lines, more than 500',
    'web/app/long.css has 301 lines, more than 300',
  ]);
});
