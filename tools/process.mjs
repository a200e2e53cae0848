import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export const say = (message) => process.stderr.write(`[bowerbird] ${message}\n`);

/** The environment of everything that is started from here: the project's own tools come first. */
export const projectEnvironment = (extra = {}) => ({
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? ''),
  ...extra,
});

/** Runs a program to its end; resolves with its exit code (128 + n when signal n ended it). */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd: root, ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Becomes the program: same terminal, same signals, same exit code. Two things are not obvious. On Ctrl+C the
 * terminal signals the whole group, so passing SIGINT on would deliver it twice. And npm sends SIGTERM to its shell
 * only, which may die without a word to us: that the parent changed is the only sign of it.
 */
export function handOver(program, args, extra = {}) {
  const child = spawn(program, args, { stdio: 'inherit', cwd: root, env: projectEnvironment(extra) });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  child.on('error', (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(exitCode(code, signal)));
}

const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 1);
