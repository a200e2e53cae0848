import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, LIVE_PATH } from '@bowerbird/contract';
import { callTo, openTestApp } from '../server/testing/index.ts';
import { median } from './support/median.ts';
import { memoryOf } from './support/product.ts';
import { serveMeasured, startMeasured } from './support/measured-server.ts';

// Streams of events that wait for changes: the memory and the CPU time of the server for each, at rest; the time from a
// change to the event that tells of it, while all others wait; and the time of a list while many accounts are told.

const STREAMS = [2_000, 10_000];
const OF_ACCOUNT = 50;
const REST_SECONDS = 30;
const CHANGES = 100;

interface Scene {
  readonly url: string;
  readonly pid: number;
  readonly tokens: readonly string[];
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1' },
  });
  const tokens: string[] = [];
  for (let made = 0; made < STREAMS.at(-1)! / OF_ACCOUNT; made++)
    tokens.push((await app.signUp(`member-${made}`)).accessToken);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  serveMeasured(app, { url, pid: process.pid, tokens } satisfies Scene);
}

/** Opens a stream like a client that only reads; calls `hear` with what arrives. */
function open(scene: Scene, at: number, hear: (text: string) => void = () => {}): Promise<Socket> {
  const { port } = new URL(scene.url);
  const token = scene.tokens[at % scene.tokens.length]!;
  const address = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.write(
    `GET ${LIVE_PATH} HTTP/1.1\r\nhost: drive.test\r\nauthorization: Bearer ${token}\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once('data', (first: Buffer) => {
      if (first.toString().startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(first.toString().slice(0, 200)));
    });
    socket.on('data', (data: Buffer) => hear(data.toString()));
    socket.once('error', reject);
  });
}

const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;

async function measure(): Promise<void> {
  const server = await startMeasured<Scene>(import.meta.filename);
  const { scene } = server;
  const call = callTo(scene.url);
  const list = () => call(driveApi.list, { query: { limit: 100 } }, scene.tokens[0]);
  // The memory of the first requests isn't that of a stream.
  for (let at = 0; at < 200; at++) await list();
  (await open(scene, 0)).destroy();
  await sleep(3_000);
  const cpuAtRest = await cpuShare(server.cpuMs);
  const before = (await memoryOf(scene.pid)).resident;
  const sockets: Socket[] = [];
  for (const wanted of STREAMS) {
    while (sockets.length < wanted)
      sockets.push(
        ...(await Promise.all(Array.from({ length: 50 }, (_, at) => open(scene, sockets.length + at)))),
      );
    await sleep(5_000);
    const used = (await memoryOf(scene.pid)).resident - before;
    const cpu = await cpuShare(server.cpuMs);
    console.log(
      `${wanted} idle streams: ${(used / 200).toFixed(2)} times 200 MB (${used.toFixed(0)} MB, ${((used * 1024) / wanted).toFixed(1)} KiB each), ${(cpu * 100).toFixed(2)} % of a core (${(cpuAtRest * 100).toFixed(2)} % without them)`,
    );
  }

  const [delays, lists]: [number[], number[]] = [[], []];
  let heard: (() => void) | undefined;
  await open(scene, 0, (text) => {
    if (text.includes('"files"')) heard?.();
  });
  for (let at = 0; at < CHANGES; at++) {
    const told = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await call(driveApi.create, { body: { kind: 'drive#folder', name: `nest ${at}` } }, scene.tokens[0]);
    const from = performance.now();
    await told;
    delays.push(performance.now() - from);
    await sleep(600);
  }
  console.log(
    `from a change to its event, with ${sockets.length} other streams: ${(median(delays) / 80).toFixed(2)} times the 80 ms that changes are gathered (${median(delays).toFixed(0)} ms, p99 ${p99(delays).toFixed(0)} ms)`,
  );

  const quiet = await timesOf(list);
  let isOver = false;
  let changes = 0;
  const changing = Promise.all(
    scene.tokens.slice(0, 100).map(async (token, lane) => {
      for (let at = 0; !isOver; at++) {
        await call(driveApi.create, { body: { kind: 'drive#folder', name: `busy ${at}` } }, token);
        changes += 1;
        await sleep(1_000 + lane);
      }
    }),
  );
  await sleep(1_000);
  lists.push(...(await timesOf(list)));
  isOver = true;
  await changing;
  console.log(
    `lists while 100 accounts with ${OF_ACCOUNT} streams each change something every second: ${(median(lists) / median(quiet)).toFixed(2)} times those without changes (${median(lists).toFixed(1)} ms, p99 ${p99(lists).toFixed(1)} ms; ${changes} changes)`,
  );
  for (const socket of sockets) socket.destroy();
  await server.close();
  process.exit();
}

/** Share of a core that the server uses while nothing happens. */
async function cpuShare(cpuMs: () => Promise<number>): Promise<number> {
  const from = await cpuMs();
  await sleep(REST_SECONDS * 1000);
  return ((await cpuMs()) - from) / (REST_SECONDS * 1000);
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < 300; at++) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
    await sleep(5);
  }
  return times;
}

if (process.argv[2] === 'serve') await serve();
else await measure();
