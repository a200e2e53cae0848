import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where clients are kept once they were installed; nothing of them is the project's. */
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
  /** What it reads from its standard input. */
  readonly input?: string;
  /** Hears each line that it writes, as it writes it, and may answer. */
  readonly onLine?: (line: string, answer: (text: string) => void) => void;
}

/** Runs a program to its end and gives what it said. */
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
    // A program that ends without reading its input is fine.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve({ code: 127, ...said, err: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, ...said }));
    if (!onLine) child.stdin.end(input ?? '');
  });
}

/** Runs a program and gives what it said; throws with all of it where it fails. */
export async function runWell(
  program: string,
  args: readonly string[],
  manner: Manner = {},
): Promise<string> {
  const { code, out, err } = await run(program, args, manner);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${out}\n${err}`.trim());
  return out;
}

/** Where a program of this machine lies. Those for its administrator aren't on everybody's path. */
export function onPath(program: string): string | undefined {
  return `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin`
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

/** The first of a program's lines that holds a version. */
export async function versionOf(program: string, ...args: string[]): Promise<string> {
  const { out, err } = await run(program, args.length > 0 ? args : ['--version']);
  return /\d+\.\d+(\.\d+)*[^\s,]*/.exec(out + err)?.[0] ?? '';
}
