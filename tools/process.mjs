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
  return exitOf(spawn(program, args, { stdio: 'inherit', cwd: root, ...options }));
}

/** Resolves with the exit code of a child once it has ended and said all it had to say. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Becomes the program: same terminal, same signals, same exit code. Three things are not obvious. On Ctrl+C the
 * terminal signals the whole group, so passing SIGINT on would deliver it twice. npm sends SIGTERM to its shell only,
 * which may die without a word to us: that the parent changed is the only sign of it. And the parent changes as well
 * after a signal that was heard, when to repeat it would look like impatience.
 */
export function handOver(program, args, extra = {}) {
  const child = spawn(program, args, { stdio: 'inherit', cwd: root, env: projectEnvironment(extra) });
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid === parent || tell('SIGTERM'), 250);
  const heard = () => clearInterval(watch);
  const tell = (signal) => {
    heard();
    child.kill(signal);
  };
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => tell(signal));
  process.on('SIGINT', () => (process.stdin.isTTY ? heard() : tell('SIGINT')));
  child.on('error', (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(exitCode(code, signal)));
}

const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 1);
