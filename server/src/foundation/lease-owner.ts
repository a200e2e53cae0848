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

export function createLeaseOwner(ids: Ids, host: string = hostname(), pid: number = process.pid): LeaseOwner {
  const name = `${host} ${pid} ${ids.secret()}`;
  ours.add(name);
  return {
    name,
    isGone(other) {
      const [itsHost, itsPid] = other.split(' ');
      if (itsHost !== host || ours.has(other)) return false;
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
