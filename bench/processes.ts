import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/foundation/index.ts';
import { signUp } from '../server/testing/member.ts';
import { plant } from '../server/testing/planting.ts';

// Lists of 100 files from one and from two server processes on the same SQLite file, in alternation. The client needs a
// core too, so the throughput of two processes on two cores is not all they could do: the line also says how much work
// they do with the same processor time.

const ROWS = 100;
const CONNECTIONS = 16;
const ROUNDS = Number(process.argv[2]) || 3;
const WARM_MS = 1500;
const MEASURED_MS = 3000;
const TICKS_PER_SECOND = 100;
const main = join(import.meta.dirname, '../.cache/server/main.js');

interface Measured {
  /** Requests per second. */
  readonly rate: number;
  /** Cores that the server processes used. */
  readonly cores: number;
}

/** Repeats a request on each connection; all responses have the same length, so the client doesn't read them. */
async function load(port: number, request: string): Promise<{ count: () => number; end: () => void }> {
  let answered = 0;
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay();
      await once(socket, 'connect');
      return socket;
    }),
  );
  const [first] = sockets;
  first!.write(request);
  let head = '';
  let length = 0;
  for (let got = 0; length === 0 || got < length;) {
    const [chunk] = (await once(first!, 'data')) as [Buffer];
    got += chunk.length;
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end > 0) length = end + 4 + Number(/content-length: (\d+)/i.exec(head)![1]);
  }
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, 200));
  for (const socket of sockets) {
    let left = length;
    socket.on('data', (chunk) => {
      left -= chunk.length;
      if (left > 0) return;
      answered += 1;
      left += length;
      socket.write(request);
    });
    socket.write(request);
  }
  return { count: () => answered, end: () => sockets.forEach((socket) => socket.destroy()) };
}

/** Seconds of processor time that a process and its children have used. */
function processorTime(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let stat = '';
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      continue; // It has ended.
    }
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(name) === pid || Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

async function start(environment: Record<string, string>): Promise<{ server: ChildProcess; port: number }> {
  const server = spawn(process.execPath, [main, 'serve', '--api'], {
    env: { ...process.env, ...environment, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout!.setEncoding('utf8'), 'data')) as [string];
  return { server, port: Number(/localhost:(\d+)/.exec(line)![1]) };
}

async function measure(
  environment: Record<string, string>,
  count: number,
  request: string,
): Promise<Measured> {
  const { server, port } = await start({ ...environment, PROCESSES: String(count) });
  // All processes have to be listening before the connections are distributed.
  await sleep(count > 1 ? 4000 : 0);
  const running = await load(port, request);
  await sleep(WARM_MS);
  const [cpu, answered, at] = [processorTime(server.pid!), running.count(), performance.now()];
  await sleep(MEASURED_MS);
  const seconds = (performance.now() - at) / 1000;
  const result = {
    rate: (running.count() - answered) / seconds,
    cores: (processorTime(server.pid!) - cpu) / seconds,
  };
  running.end();
  server.kill('SIGTERM');
  await once(server, 'exit');
  return result;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-processes-'));
try {
  const environment = { DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' };
  const app = await openApp(readConfig(environment));
  const ann = await signUp(app.http, 'ann');
  const files = Object.fromEntries(Array.from({ length: ROWS }, (_, at) => [`photo ${at}.jpg`, String(at)]));
  const { photos } = await plant(app, ann.id, { photos: files });
  await app.close();
  const filters = encodeURIComponent('{"trashed":{"eq":false}}');
  const request = `GET /drive/v1/files?parent_id=${photos}&limit=${ROWS}&filters=${filters} HTTP/1.1\r\nhost: drive\r\nauthorization: Bearer ${ann.accessToken}\r\n\r\n`;
  const rounds: { one: Measured; two: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      one: await measure(environment, 1, request),
      two: await measure(environment, 2, request),
    });
  const [one, two] = (['one', 'two'] as const).map((name) => ({
    rate: middle(rounds.map((round) => round[name].rate)),
    cores: middle(rounds.map((round) => round[name].cores)),
  })) as [Measured, Measured];
  const ratio = middle(rounds.map((round) => round.two.rate / round.one.rate));
  const perCore = middle(
    rounds.map((round) => round.two.rate / round.two.cores / (round.one.rate / round.one.cores)),
  );
  console.log(
    `lists of ${ROWS} from two processes: ${ratio.toFixed(2)} times as many as from one, beside the client on the same cores (${Math.round(two.rate)}/s on ${two.cores.toFixed(2)} cores, ${Math.round(one.rate)}/s on ${one.cores.toFixed(2)}); ${perCore.toFixed(2)} times as many with the same processor time, so ${(2 * perCore).toFixed(2)} times as many with two cores of their own`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
