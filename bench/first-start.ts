import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from './support/median.ts';
import { installation } from './support/product.ts';

// The first `npm start` in a new checkout, until the server is ready, and the disk space that the checkout takes then.
// For comparison, in alternation, `npm ci` of all packages in another one. Both download every package, so the speed of
// the network decides about most of it.

const ROUNDS = Number(process.argv[2]) || 1;
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
}

/** A copy of this checkout without anything that git ignores. */
async function newCheckout(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout');
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    await cp(join(root, file), join(checkout, file));
  }
  return checkout;
}

/** Measures work in a new checkout, with an empty cache of npm. The work returns the time it took. */
async function inNewCheckout(
  work: (checkout: string, env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-first-'));
  try {
    const checkout = await newCheckout(folder);
    const seconds = await work(checkout, { npm_config_cache: join(folder, 'npm-cache') });
    const { stdout } = await run('du', ['-sk', checkout]);
    return { seconds, megabytes: (Number.parseInt(stdout, 10) * 1024) / 1e6 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const since = (started: number): number => (performance.now() - started) / 1000;

const firstStart = (): Promise<Measured> =>
  inNewCheckout(async (checkout, cache) => {
    await using place = await installation(checkout);
    Object.assign(place.env, cache);
    const started = performance.now();
    const product = await place.start('npm', ['start']);
    const seconds = since(started);
    await product.stop();
    return seconds;
  });

const fullInstallation = (): Promise<Measured> =>
  inNewCheckout(async (checkout, cache) => {
    await using place = await installation(checkout);
    const started = performance.now();
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: checkout,
      env: { ...place.env, ...cache },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(npm, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`npm ci ended with ${code}`);
    return since(started);
  });

const rounds: { start: Measured; reference: Measured }[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ start: await firstStart(), reference: await fullInstallation() });
const ratio = (of: keyof Measured): string =>
  median(rounds.map(({ start, reference }) => start[of] / reference[of])).toFixed(2);
const middle = (side: 'start' | 'reference', of: keyof Measured): string =>
  median(rounds.map((round) => round[side][of])).toFixed(0);
console.log(
  `first start: ${ratio('seconds')} times npm ci of all packages (${middle('start', 'seconds')} s against ${middle('reference', 'seconds')} s); ${ratio('megabytes')} times its disk space (${middle('start', 'megabytes')} MB against ${middle('reference', 'megabytes')} MB)`,
);
