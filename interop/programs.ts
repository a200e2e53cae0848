import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Installed clients are kept here, outside the project. */
export const CACHE = join(import.meta.dirname, '../.cache/interop');

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Manner {
  readonly env?: Record<string, string>;
  readonly seconds?: number;
  readonly folder?: string;
  /** The text to pass to its standard input. */
  readonly input?: string;
  /** Called with each line of output as it is written; may reply. */
  readonly onLine?: (line: string, answer: (text: string) => void) => void;
}

/** Runs a program until it ends and returns its output. */
export function run(
  program: string,
  args: readonly string[],
  { env = {}, seconds = 300, folder, input, onLine }: Manner = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: seconds * 1000,
      cwd: folder,
    });
    const said = { out: '', err: '' };
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
      if (!onLine) return;
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop()!;
      for (const line of lines) onLine(line, (text) => void child.stdin.write(text));
    });
    child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()));
    // A program may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve({ code: 127, ...said, err: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, ...said }));
    if (!onLine) child.stdin.end(input ?? '');
  });
}

/** Runs a program and returns its output; throws an error with all of it if the program fails. */
export async function runWell(
  program: string,
  args: readonly string[],
  manner: Manner = {},
): Promise<string> {
  const { code, out, err } = await run(program, args, manner);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${out}\n${err}`.trim());
  return out;
}

/** Path of an installed program. Those for root aren't on every user's PATH. */
export function onPath(program: string): string | undefined {
  return `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin`
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

/** The first line of a program's output that contains a version. */
export async function versionOf(program: string, ...args: string[]): Promise<string> {
  const { out, err } = await run(program, args.length > 0 ? args : ['--version']);
  return /\d+\.\d+(\.\d+)*[^\s,]*/.exec(out + err)?.[0] ?? '';
}
