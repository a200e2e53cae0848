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

/** Readings of one product, up to the round in which it refused. */
interface Measured {
  readonly readings: Reading[];
  refusal?: string;
}

/** Rounds of a figure, one product after the other. A product that refuses doesn't keep the other from its rounds. */
async function measure(figure: Figure, drives: readonly FilledDrive[]): Promise<Measured[]> {
  const measured = drives.map((): Measured => ({ readings: [] }));
  for (let round = 0; round < Math.min(figure.rounds, Number(most)); round++)
    for (const [at, drive] of drives.entries()) {
      const own = measured[at]!;
      if (own.refusal !== undefined) continue;
      await figure.measure(drive).then(
        (reading) => own.readings.push(reading),
        (error: unknown) => (own.refusal = String(error)),
      );
    }
  return measured;
}

const number = (value: number): string => (value < 10 ? value.toFixed(2) : Math.round(value).toString());

function cell({ readings, refusal }: Measured): string {
  if (refusal !== undefined) return `failed: ${refusal.slice(0, 200).replaceAll(/[|\s]+/g, ' ')}`;
  const values = readings.map(({ value }) => value);
  const spread = values.length > 1 ? ` (${number(Math.min(...values))}–${number(Math.max(...values))})` : '';
  const cpu = readings.flatMap(({ cpuMs }) => cpuMs ?? []);
  return number(median(values)) + spread + (cpu.length > 0 ? `, ${number(median(cpu))} ms CPU` : '');
}

function row({ name, unit, better }: Figure, measured: readonly Measured[]): string {
  const [own, other] = measured.map(({ readings }) => median(readings.map(({ value }) => value)));
  const times = better === 'more' ? own! / other! : other! / own!;
  const ratio = measured.some(({ refusal }) => refusal !== undefined) ? '' : times.toFixed(2);
  return `| ${name} | ${unit} | ${measured.map(cell).join(' | ')} | ${ratio} |`;
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
    console.log(row(figure, await measure(figure, drives)));
  console.log(`\n${availableParallelism()} cores, both servers running, client on the same machine`);
} finally {
  for (const product of products) await product.close();
  await rm(folder, { recursive: true, force: true });
}
