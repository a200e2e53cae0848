import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files with code; all others are texts, data and configuration. */
export const CODE = /[.](?:tsx?|mjs|css)$/;

/** A folder of the repository, with the names of the files directly in it. Its path ends with a slash; the root is "". */
export interface Folder {
  readonly path: string;
  readonly files: readonly string[];
}

/** Iterates over the folders of a checkout that are part of the repository, the root first. */
export async function* foldersOf(root: string): AsyncGenerator<Folder, void, undefined> {
  const ignored = await ignoredFolders(root);

  async function* walk(path: string): AsyncGenerator<Folder, void, undefined> {
    const entries = await readdir(join(root, path), { withFileTypes: true });
    yield { path, files: entries.filter((entry) => entry.isFile()).map(({ name }) => name) };
    for (const { name } of entries.filter((entry) => entry.isDirectory())) {
      const inner = `${path}${name}/`;
      if (!ignored.has(inner) && !ignored.has(`${name}/`)) yield* walk(inner);
    }
  }

  yield* walk('');
}

/** Returns the folders that are not part of the repository, by name or by path. */
async function ignoredFolders(root: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n');
  return new Set(['.git/', ...lines.filter((line) => line.endsWith('/'))]);
}
