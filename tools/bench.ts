import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

// `npm run bench` runs all benchmarks, `npm run bench -- list` one. Each file of bench/ prints a line per figure; see
// bench/README.md.

const folder = join(import.meta.dirname, '..', 'bench');
/** Benchmarks of the figures that people notice first; the others follow. */
const FIRST = [
  'requests',
  'crowd',
  'processes',
  'upload',
  'small-files',
  'small-files-browser',
  'download',
  'share-restore',
  'tree',
  'rename',
  'start',
  'first-start',
  'memory',
  'database-size',
];
/** Needs another product, so it only runs when it is named. */
const PEERS = ['peers/cloudreve'];

const all = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'));
const inOrder = [
  ...FIRST.filter((name) => all.includes(name)),
  ...all.filter((name) => !FIRST.includes(name)),
];
const [name, ...args] = process.argv.slice(2);

if (name && !all.includes(name) && !PEERS.includes(name)) {
  console.error(`unknown benchmark ${name}. Available: ${[...inOrder, ...PEERS].join(', ')}`);
  process.exit(2);
}
for (const figure of name ? [name] : inOrder) {
  const { status } = spawnSync(process.execPath, [join(folder, `${figure}.ts`), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
