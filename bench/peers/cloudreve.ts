import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../support/median.ts';
import { bowerbird } from './bowerbird-product.ts';
import { cloudreve } from './cloudreve-product.ts';
import { fill, FIGURES, type Figure, type FilledDrive, type Reading } from './figures.ts';

// The same work on Bowerbird and on Cloudreve, taking turns, on an otherwise idle Linux machine:
// `npm run bench -- peers/cloudreve PATH_TO_CLOUDREVE [FIGURE] [ROUNDS]`. Prints a table with the medians of all rounds,
// only of figures whose name matches FIGURE if that is given. bench/README.md explains the columns.

const [binary = process.env['CLOUDREVE'] ?? '', wanted = '', most = '5'] = process.argv.slice(2);
if (!existsSync(binary)) {
  console.error('Name a Cloudreve 4 binary: npm run bench -- peers/cloudreve PATH_TO_CLOUDREVE');
  process.exit(2);
}

/** Rounds of a figure, one product after the other. */
async function measure(figure: Figure, drives: readonly FilledDrive[]): Promise<Reading[][]> {
  const readings: Reading[][] = drives.map(() => []);
  for (let round = 0; round < Math.min(figure.rounds, Number(most)); round++)
    for (const [at, drive] of drives.entries()) readings[at]!.push(await figure.measure(drive));
  return readings;
}

const number = (value: number): string => (value < 10 ? value.toFixed(2) : Math.round(value).toString());

function cell(readings: readonly Reading[]): string {
  const values = readings.map(({ value }) => value);
  const spread = values.length > 1 ? ` (${number(Math.min(...values))}–${number(Math.max(...values))})` : '';
  const cpu = readings.flatMap(({ cpuMs }) => cpuMs ?? []);
  return number(median(values)) + spread + (cpu.length > 0 ? `, ${number(median(cpu))} ms CPU` : '');
}

function row({ name, unit, better }: Figure, [ours, theirs]: readonly Reading[][]): string {
  const [own, other] = [ours!, theirs!].map((readings) => median(readings.map(({ value }) => value)));
  const times = better === 'more' ? own! / other! : other! / own!;
  return `| ${name} | ${unit} | ${cell(ours!)} | ${cell(theirs!)} | ${times.toFixed(2)} |`;
}

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-peers-'));
const products = [
  await bowerbird(join(folder, 'bowerbird')),
  await cloudreve(binary, join(folder, 'cloudreve')),
];
try {
  const drives: FilledDrive[] = [];
  for (const product of products) drives.push(await fill(product, join(folder, 'scratch')));
  console.log(`| figure | unit | ${products.map(({ name }) => name).join(' | ')} | better by |`);
  console.log('| --- | --- | --- | --- | --- |');
  for (const figure of FIGURES.filter(({ name }) => new RegExp(wanted).test(name)))
    console.log(
      await measure(figure, drives).then(
        (readings) => row(figure, readings),
        (error: unknown) => `| ${figure.name} | | failed: ${String(error).slice(0, 200)} | | |`,
      ),
    );
  console.log(`\n${availableParallelism()} cores, both servers running, client on the same machine`);
} finally {
  for (const product of products) await product.close();
  await rm(folder, { recursive: true, force: true });
}
