import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Ids } from './id.ts';

/**
 * Owner of leases: this process, under a name that shows others on the same machine whether it is still
 * alive.
 */
export interface LeaseOwner {
  readonly name: string;
  /**
   * True if the named owner was a process of this machine that has ended: its leases can be taken before they
   * expire. False if that is unknown.
   */
  isGone(name: string): boolean;
}

/** Owners in this process. */
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
      // Process ids are reused, in containers always the same ones: one that isn't ours belongs to an earlier
      // process.
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
 * Namespace in which process ids are comparable: one boot of one machine, and one container of it. Host names
 * don't identify it; containers may have that of their machine, or all have the same one.
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
