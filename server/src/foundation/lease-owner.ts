import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Ids } from './id.ts';

/** Who holds leases: this process, named so that others on the same machine can tell whether it still lives. */
export interface LeaseOwner {
  readonly name: string;
  /**
   * True where the named owner was a process of this machine and is no more: what it had leased need not wait until the
   * lease runs out. False where nobody can tell.
   */
  isGone(name: string): boolean;
}

/** Those of this very process. */
const ours = new Set<string>();

export function createLeaseOwner(
  ids: Ids,
  place: string = placeOfProcesses(),
  pid: number = process.pid,
): LeaseOwner {
  const name = `${place} ${pid} ${ids.secret()}`;
  ours.add(name);
  return {
    name,
    isGone(other) {
      const [itsPlace, itsPid] = other.split(' ');
      if (itsPlace !== place || ours.has(other)) return false;
      // Process ids come again, in containers always the same ones: one that isn't ours is of a process before us.
      if (Number(itsPid) === pid) return true;
      return !isAlive(Number(itsPid));
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Where process ids mean the same: one start of one machine, and one container of it. Host names don't tell; containers may
 * have that of their machine, or all the same.
 */
function placeOfProcesses(): string {
  const boot = orNone(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const container = orNone(() => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), boot, container].join('/').replaceAll(/\s/g, '_');
}

/** Systems other than Linux have neither. */
function orNone(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
