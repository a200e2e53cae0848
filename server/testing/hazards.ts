import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Names that have caused trouble for programs and servers, each in a different way. All are valid in a file
 * system.
 */
const NAMES = [
  '100% +plus #hash?.txt',
  `quotes ' " \`.txt`,
  '[brackets] {braces}; a&b=c',
  'line\nbreak',
  '🐦 文件 Ünï',
  'right\u202eto left',
  '<script>alert(1)<',
  '%2e%2e',
  '%41.txt',
  '._resource',
  '.DS_Store',
  ' leading and trailing ',
  'trailing dot.',
  '...',
  '.hidden',
  'a  b',
  'e\u0301 decomposed',
  '\u00fc composed',
  'שלום and مرحبا.txt',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'ﬁ ligature, ① and ℌ',
  'Aa',
  'aA',
  'colon: star* pipe|',
  '~$office.docx',
  'CON',
  'http:⁄⁄x⁄?a=b&c#d',
  'x'.repeat(255),
  '日'.repeat(85),
];

/** Creates every hazardous name as a file and as a folder, and files of all sizes. */
export async function growHazards(root: string, many = 70): Promise<void> {
  for (const name of NAMES) {
    await mkdir(join(root, 'folders', name), { recursive: true });
    await writeFile(join(root, name), randomBytes(randomInt(3000)));
    await writeFile(join(root, 'folders', name, name), name);
  }
  for (let at = 0; at < many; at++) {
    const folder = join(root, 'many', `folder ${at % 9}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${at}.bin`), randomBytes([0, 1, 100, 70_000, 300_000][at % 5]!));
  }
}
