import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks from the start of the machine to its own. */
  readonly startedAt: number;
  readonly folder: string;
  readonly command: string;
}

/**
 * Starts to watch for processes that outlive what started them. The result lists the command lines of those that were
 * started in a folder since then, and whose parent has ended. Linux only; elsewhere the list is empty.
 */
export function watchForLeftovers(folder: string): () => string[] {
  const before = new Set(running().map(({ pid, startedAt }) => `${pid} ${startedAt}`));
  const launcher = running().find(({ pid }) => pid === process.pid);
  return () => {
    const now = running();
    const alive = new Map(now.map((one) => [one.pid, one]));
    // In a container, processes without a parent may belong to a process other than the first.
    const isOrphan = ({ parent }: RunningProcess): boolean =>
      parent === 1 || alive.get(parent) === undefined || isAncestorOf(launcher, parent, alive);
    return now
      .filter((one) => !before.has(`${one.pid} ${one.startedAt}`) && one.folder === folder && isOrphan(one))
      .map(({ pid, command }) => `${pid} ${command}`);
  };
}

/** Processes above this one, but not this one. */
function isAncestorOf(
  launcher: RunningProcess | undefined,
  pid: number,
  alive: ReadonlyMap<number, RunningProcess>,
): boolean {
  for (let one = launcher && alive.get(launcher.parent); one; one = alive.get(one.parent))
    if (one.pid === pid) return true;
  return false;
}

function running(): RunningProcess[] {
  return read(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)));
}

function processOf(pid: number): RunningProcess {
  const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    pid,
    parent: Number(fields[1]),
    startedAt: Number(fields[19]),
    folder: read(() => readlinkSync(`/proc/${pid}/cwd`), ''),
    command: read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
      .replaceAll('\0', ' ')
      .trim(),
  };
}

/** A process may end while it is looked at. */
function read<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
