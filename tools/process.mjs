import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export const say = (message) => process.stderr.write(`[bowerbird] ${message}\n`);

/** The environment of all processes started here: the project's own tools come first. */
export const projectEnvironment = (extra = {}) => ({
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + (process.env.PATH ?? ''),
  ...extra,
});

/** Runs a program until it ends; resolves with its exit code (128 + n if it was ended by signal n). */
export function run(program, args, options = {}) {
  return exitOf(spawn(program, args, { stdio: 'inherit', cwd: root, ...options }));
}

/** Resolves with a child's exit code once it has ended and its output is complete. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Makes this process stand in for the program: same terminal, same signals, same exit code. Three things are not
 * obvious. On Ctrl+C, the terminal signals the whole process group, so forwarding SIGINT would deliver it twice. npm
 * sends SIGTERM only to its shell, which may die without notifying us: the only indication is that our parent has
 * changed. And the parent also changes after a signal that we received ourselves; repeating the signal then would look
 * impatient.
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

/**
 * Replaces this process by the project's Node, which saves the memory of a launcher that only waits. Windows can't, nor
 * can Node before 22.15: there the launcher stays.
 */
export function become(node, args, extra = {}) {
  if (process.platform === 'win32' || !process.execve) return handOver(node, args, extra);
  process.chdir(root);
  const stopWithParent = join(root, 'tools', 'stop-with-parent.cjs');
  process.execve(node, [node, '--require', stopWithParent, ...args], projectEnvironment(extra));
}

const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 1);
