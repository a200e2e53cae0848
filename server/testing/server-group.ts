import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLACE, type Place } from '../src/processes/messages.ts';
import { processEnvironment } from './process-environment.ts';
import { callTo, type RemoteCall, type Send } from './real-server.ts';
import { serverProgram } from './server-program.ts';

/** Connection to one process of the group. */
export interface Connected {
  readonly call: RemoteCall;
  readonly send: Send;
}

/** The product as several server processes on one SQLite file. */
export interface ServerGroup extends AsyncDisposable {
  readonly origin: string;
  /** Its environment; with `readConfig` a test can open the same installation in its own process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly supervisor: { readonly pid: number; ended(): Promise<number | null> };
  /** Lines that were logged. */
  readonly logged: readonly Record<string, unknown>[];
  /** Process ids of the server processes, by number. */
  pids(): ReadonlyMap<number, number>;
  /** Opens a connection to the process with a number. Its requests fail once that process has ended. */
  connect(number: number): Promise<Connected>;
  /** Waits until all processes answer, which weren't among those given. */
  whole(except?: readonly number[]): Promise<void>;
}

export async function serverGroup(
  count: number,
  settings: Readonly<Record<string, string>> = {},
  {
    folder,
    program = serverProgram,
    pages = false,
  }: { folder?: string; program?: string; pages?: boolean } = {},
): Promise<ServerGroup> {
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'bowerbird-group-')));
  const environment = {
    DATA_DIR: place,
    PROCESSES: String(count),
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const supervisor = spawn(process.execPath, [program, 'serve', ...(pages ? [] : ['--api'])], {
    env: { ...processEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(supervisor, 'exit') as Promise<[number | null]>;
  const logged: Record<string, unknown>[] = [];
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: supervisor.stdout }).on('line', (line) => {
      if (line.startsWith('{')) logged.push(JSON.parse(line) as Record<string, unknown>);
      const port = /ready at http:\/\/localhost:(\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    void ended.then(() => reject(new Error('The servers ended before they were ready')));
  });
  const agents: Agent[] = [];

  function pids(): Map<number, number> {
    const found = new Map<number, number>();
    for (const pid of childrenOf(supervisor.pid!)) {
      const entry = placeOf(pid);
      if (entry) found.set(entry.number, pid);
    }
    return found;
  }

  /** Number of the process that answered a request, from the line that it logged. */
  async function answeredBy(reply: Response): Promise<number> {
    const id = reply.headers.get('x-request-id');
    for (;;) {
      const line = logged.find((entry) => entry['id'] === id);
      if (line) return line['process'] as number;
      await sleep(5);
    }
  }

  const group: ServerGroup = {
    origin,
    environment,
    logged,
    supervisor: { pid: supervisor.pid!, ended: async () => (await ended)[0] },
    pids,
    async connect(number) {
      for (;;) {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        agents.push(agent);
        const send = sendThrough(agent);
        const reply = await send(`${origin}/healthz`, { method: 'GET', headers: {} });
        if ((await answeredBy(reply)) === number) return { send, call: callTo(origin, send) };
        agent.destroy();
      }
    },
    async whole(except = []) {
      for (;;) {
        const now = [...pids().values()];
        if (now.length === count && now.every((pid) => !except.includes(pid))) break;
        await sleep(20);
      }
      for (let number = 1; number <= count; number++) await group.connect(number);
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) agent.destroy();
      // Stopped, it can't start another one in the meantime.
      supervisor.kill('SIGSTOP');
      const left = childrenOf(supervisor.pid!);
      supervisor.kill('SIGKILL');
      for (const pid of left) kill(pid);
      await ended;
      if (folder === undefined) await rm(place, { recursive: true, force: true });
    },
  };
  await group.whole();
  return group;
}

function sendThrough(agent: Agent): Send {
  return async (url, { method, headers, body }) => {
    const asked = request(url, { agent, method, headers }).end(body);
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    const bytes = await buffer(reply);
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status: reply.statusCode!,
      headers: Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
    });
  };
}

/** Process ids of the processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) =>
      read(`/proc/${other}/stat`)
        .replace(/^.*\) . /, '')
        .startsWith(`${pid} `),
    );
}

function placeOf(pid: number): Place | undefined {
  const variable = read(`/proc/${pid}/environ`)
    .split('\0')
    .find((entry) => entry.startsWith(`${PLACE}=`));
  return variable === undefined ? undefined : (JSON.parse(variable.slice(PLACE.length + 1)) as Place);
}

/** Empty for a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
