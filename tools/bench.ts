import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

// `npm run bench` runs all benchmarks, `npm run bench -- list` one. Each file of bench/ prints a line per figure.

const folder = join(import.meta.dirname, '..', 'bench');
const figures = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'));
const [name, ...args] = process.argv.slice(2);

if (name && !figures.includes(name)) {
  console.error(`unknown benchmark ${name}. Available: ${figures.join(', ')}`);
  process.exit(2);
}
for (const figure of name ? [name] : figures) {
  const { status } = spawnSync(process.execPath, [join(folder, `${figure}.ts`), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
