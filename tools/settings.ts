import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS } from '../server/src/foundation/config.ts';

// `npm run settings` generates the table of settings in docs/operations.md from those that the server reads.

const begin = '<!-- settings: written by npm run settings -->';
const end = '<!-- end of settings -->';

export const operations = join(import.meta.dirname, '..', 'docs', 'operations.md');

/** The page with the expected table. */
export function withSettings(page: string): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { what, defaultText }]) => `| \`${name}\` | ${defaultText && `\`${defaultText}\``} | ${what} |`,
  );
  const table = ['| variable | default | description |', '|---|---|---|', ...rows].join('\n');
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/operations.md has no marker for the settings');
  return `${before}${begin}\n${table}\n${end}${after}`;
}

if (import.meta.main) await writeFile(operations, withSettings(await readFile(operations, 'utf8')));
