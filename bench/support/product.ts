import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..');
/** Variables for servers that a benchmark runs in its own process. */
const forThisProcess = new Set(['NODE_OPTIONS', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'INIT_CWD']);
/** Variables that npm sets for the scripts of this checkout. */
const fromNpm = /^npm_(?:(?!config_)|config_local_prefix$)/;

export interface Product {
  readonly address: string;
  /** The process that was started; the server may be one of its descendants. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** The product of a checkout, with its data in a folder that is deleted at the end. */
export async function installation(checkout = root) {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const env = Object.fromEntries(
    Object.entries({
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    }).filter(([name]) => !forThisProcess.has(name) && !fromNpm.test(name)),
  );
  // A user's shell doesn't have the project's programs on its path.
  env['PATH'] = env['PATH']!.split(delimiter)
    .filter((path) => !path.startsWith(root))
    .join(delimiter);
  return {
    env,
    /** Starts the product and waits until it is ready. */
    async start(program: string, args: readonly string[]): Promise<Product> {
      const child = spawn(program, args, {
        cwd: checkout,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      let said = '';
      let address: string | undefined;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        address ??= /ready at (http:\/\/localhost:\d+)/.exec(said)?.[1];
      });
      while (!address) await Promise.race([once(child.stdout, 'data'), failing(child)]);
      while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(1);
      return {
        address,
        pid: child.pid!,
        async stop() {
          process.kill(-child.pid!, 'SIGTERM');
          await once(child, 'close');
        },
      };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function failing(child: ReturnType<typeof spawn>): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`it ended with ${code}`);
}

/** Memory of a process and its descendants in MB: resident, and with shared pages divided among those that share. */
export async function memoryOf(pid: number): Promise<{ resident: number; proportional: number }> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const belongs = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || belongs(parents.get(one)));
  const total = { resident: 0, proportional: 0 };
  for (const one of [...parents.keys()].filter(belongs)) {
    const rollup = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '');
    const of = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
    total.resident += of('Rss');
    total.proportional += of('Pss');
  }
  return total;
}

export const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
