import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where clients lie once they were fetched; nothing of them is the project's. */
const CACHE = join(import.meta.dirname, '../.cache/interop');

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end and gives what it said. */
export function run(
  program: string,
  args: readonly string[],
  { env = {}, seconds = 300 }: { env?: Record<string, string>; seconds?: number } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: seconds * 1000,
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()));
    child.on('error', (error) => resolve({ code: 127, ...said, err: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, ...said }));
  });
}

/** Where a program of this machine lies. */
export function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

const knowsProtocol = async (rclone: string): Promise<boolean> =>
  /\bpikpak\b/.test((await run(rclone, ['help', 'backends'])).out);

const RCLONE = 'github.com/rclone/rclone@v1.76.0';

/** An rclone that has the backend: the one of RCLONE, of the machine, or built from its module where Go is there. */
export async function findRclone(say: (text: string) => void): Promise<string | undefined> {
  const kept = join(CACHE, 'bin', 'rclone');
  for (const known of [process.env['RCLONE'], onPath('rclone'), kept])
    if (known && existsSync(known) && (await knowsProtocol(known))) return known;
  if (!onPath('go')) return undefined;
  say(`building ${RCLONE}, which takes some minutes the first time`);
  await mkdir(CACHE, { recursive: true });
  const built = await run('go', ['install', RCLONE], {
    env: { GOBIN: join(CACHE, 'bin'), CGO_ENABLED: '0' },
    seconds: 3600,
  });
  if (built.code === 0 && (await knowsProtocol(kept))) return kept;
  say(`rclone could not be built: ${built.err.trim().split('\n').at(-1)}`);
  return undefined;
}

const PIKPAKAPI = ['pikpakapi==0.1.11', 'httpx>=0.27'];

/** Environment of a Python that has PikPakAPI: the machine's own, or one into whose folder it was installed. */
export async function findPikPakApi(
  say: (text: string) => void,
): Promise<{ python: string; env: Record<string, string> } | undefined> {
  const python = onPath('python3');
  if (!python) return undefined;
  const folder = join(CACHE, 'python');
  const has = async (env: Record<string, string>): Promise<boolean> =>
    (await run(python, ['-c', 'import pikpakapi'], { env })).code === 0;
  if (await has({})) return { python, env: {} };
  const env = { PYTHONPATH: folder };
  if (await has(env)) return { python, env };
  const got = await run(python, ['-m', 'pip', 'install', '--quiet', '--target', folder, ...PIKPAKAPI]);
  if (got.code === 0 && (await has(env))) return { python, env };
  say(`PikPakAPI could not be had: ${got.err.trim().split('\n').at(-1)}`);
  return undefined;
}
