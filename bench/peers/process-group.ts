import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from './product.ts';

const TICK_MS = 10;
const POLL_MS = 5;
const START_LIMIT_MS = 120_000;

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A program with all the processes that it starts (Linux). */
export interface ProcessGroup {
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts a program. Resolves when the address answers. What the program prints goes to a file. */
export async function startGroup(
  command: readonly [string, ...string[]],
  options: { cwd: string; env: NodeJS.ProcessEnv; log: string; address: string },
): Promise<ProcessGroup> {
  const [program, ...args] = command;
  const output = openSync(options.log, 'a');
  const leader = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', output, output],
    detached: true,
  });
  const group = leader.pid!;
  const isOver = once(leader, 'exit');
  const limit = performance.now() + START_LIMIT_MS;
  while (!(await answers(options.address))) {
    if (leader.exitCode !== null || performance.now() > limit)
      throw new Error(`${program} didn’t start: see ${options.log}`);
    await sleep(POLL_MS);
  }
  return {
    async usage() {
      const members = await membersOf(group);
      return {
        cpuMs: members.reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0),
        memory: members.reduce((sum, { resident }) => sum + resident, 0),
      };
    },
    async stop() {
      process.kill(-group, 'SIGTERM');
      await isOver;
      while ((await membersOf(group)).length > 0) await sleep(POLL_MS);
    },
  };
}

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.ok;
    },
    () => false,
  );

interface Member {
  readonly ticks: number;
  readonly resident: number;
}

async function membersOf(group: number): Promise<Member[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(processes.map((id) => memberOf(group, id).catch(() => undefined)));
  return found.filter((member) => member !== undefined);
}

/** Undefined for a process of another group; rejects if it has ended. */
async function memberOf(group: number, id: string): Promise<Member | undefined> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8');
  // The name of the program, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (Number(fields[2]) !== group || fields[0] === 'Z') return undefined;
  const status = await readFile(`/proc/${id}/status`, 'utf8');
  return {
    ticks: Number(fields[11]) + Number(fields[12]),
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
  };
}
