import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE, foldersOf } from './code-files.ts';

/** Most lines of a file of the product. */
export const FILE_MAX = 300;
/** Most lines of a file of tests, whose parts are independent of each other. */
export const TEST_MAX = 500;
/** Most files directly in a folder. */
export const FOLDER_MAX = 40;

const TEST = /[.](?:test|suite|spec)[.]tsx?$|^tests\/|(?:^|\/)testing\//;

/** Reason for each file, and for each folder (its path ends with a slash), that may be larger than the limits. */
export type Exceptions = Readonly<Record<string, string>>;

/** Returns a line for each file and folder over the limits, and for each exception that is not needed. */
export async function findOversized(root: string, exceptions: Exceptions): Promise<string[]> {
  const sizes = await oversized(root);
  return [
    ...[...sizes]
      .filter(([path]) => !Object.hasOwn(exceptions, path))
      .map(([path, size]) => `${path} has ${size}`),
    ...Object.keys(exceptions)
      .filter((path) => !sizes.has(path))
      .map((path) => `${path} needs no exception`),
  ];
}

async function oversized(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { path: folder, files } of foldersOf(root)) {
    if (files.length > FOLDER_MAX) found.set(folder, `${files.length} files, more than ${FOLDER_MAX}`);
    for (const path of files.map((name) => folder + name).filter((path) => CODE.test(path))) {
      const lines = (await readFile(join(root, path), 'utf8')).split('\n').length - 1;
      const most = TEST.test(path) ? TEST_MAX : FILE_MAX;
      if (lines > most) found.set(path, `${lines} lines, more than ${most}`);
    }
  }
  return found;
}
