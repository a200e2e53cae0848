import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(import.meta.dirname, '../server/src/main.ts');

/** A process of the product, together with its helpers in a process group. */
export interface Process {
  readonly command: string;
  /** Starts it; resolves when it reports that it is ready. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Kills one of its helper processes; false if there are none now. */
  killHelper(): boolean;
  /** Called if the process ends without having been told to. */
  onDeath: (how: string) => void;
}

export function productProcess(command: 'serve' | 'worker', environment: Record<string, string>): Process {
  let child: ChildProcess | undefined;
  let isTold = false;
  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  const self: Process = {
    command,
    onDeath: () => {},
    async start() {
      isTold = false;
      const started = spawn(process.execPath, [MAIN, command, ...(command === 'serve' ? ['--api'] : [])], {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      child = started;
      const isReady = new Promise<void>((resolve) =>
        createInterface({ input: started.stdout }).on('line', (line) => {
          if (/is ready|is running/.test(line)) resolve();
        }),
      );
      const isOver = once(started, 'exit').then(([code, signal]) => {
        if (!isTold) self.onDeath(`${command} ended by itself with ${signal ?? `code ${code}`}`);
      });
      await Promise.race([isReady, isOver]);
    },
    async kill() {
      isTold = true;
      if (!isRunning()) return;
      const isOver = once(child!, 'exit');
      process.kill(-child!.pid!, 'SIGKILL');
      await isOver;
    },
    async stop() {
      isTold = true;
      if (!isRunning()) return child?.exitCode ?? null;
      const isOver = once(child!, 'exit');
      child!.kill('SIGTERM');
      const [code] = (await isOver) as [number | null];
      return code;
    },
    killHelper() {
      const helper = isRunning() ? childrenOf(child!.pid!)[0] : undefined;
      if (helper === undefined) return false;
      process.kill(helper, 'SIGKILL');
      return true;
    },
  };
  return self;
}

/** Runs a command of the product until it ends. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        return Number(readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });
}
