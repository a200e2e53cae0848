import { availableParallelism, totalmem } from 'node:os';
import type { Config } from '../foundation/config.ts';

const CORES_EACH = 2;
const MEMORY_EACH = 2 * 2 ** 30;
const MOST = 4;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly cores: number;
  readonly memory: number;
}

export const thisMachine = (): Machine => ({
  platform: process.platform,
  cores: availableParallelism(),
  // The limit of a container, if it is smaller than the machine.
  memory: Math.min(totalmem(), process.constrainedMemory() || Infinity),
});

/**
 * Number of server processes. By default, small machines run one: each process uses memory even at rest, and a process
 * also uses other cores for hashing, disk access and compression. Only Linux distributes connections evenly among
 * processes that listen on the same port.
 */
export function processCount(
  { PROCESSES, DATABASE_URL, STORAGE_URL }: Pick<Config, 'PROCESSES' | 'DATABASE_URL' | 'STORAGE_URL'>,
  { platform, cores, memory }: Machine = thisMachine(),
): number {
  // The storage `memory:` exists in one process.
  if (platform !== 'linux' || STORAGE_URL?.startsWith('memory:')) return 1;
  if (PROCESSES !== undefined) return PROCESSES;
  // Servers on PostgreSQL are usually started one by one, and each has its own connections to it.
  if (DATABASE_URL !== undefined) return 1;
  return Math.max(1, Math.min(Math.floor(cores / CORES_EACH), Math.floor(memory / MEMORY_EACH), MOST));
}
