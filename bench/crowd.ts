import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, shareApi, type UploadTicket } from '@bowerbird/contract';
import { openTestApp, plant, signV4 } from '../server/testing/index.ts';

// A thousand visitors open one share while fifty members list a folder, upload small files, and save the share, each at
// a person's pace. The time of a list at the 99th percentile, as a multiple of the CPU time of /healthz.

const VISITORS = 1000;
const MEMBERS = 50;
const FILES = 100;
const SECONDS = Number(process.argv[2]) || 60;
/** Seconds between two actions of one person. */
const PACE = { visit: 30, list: 1, upload: 10, save: 30 };
const BYTES = 4096;

interface Scene {
  readonly url: string;
  readonly shareId: string;
  readonly tokens: readonly string[];
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB', TRUSTED_PROXIES: '127.0.0.1' },
    pages: { built: join(import.meta.dirname, '../web/build') },
  });
  const ann = await app.signUp('ann');
  const ids = await plant(
    app,
    ann.id,
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`photo ${at}.jpg`, String(at)])),
  );
  const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: Object.values(ids) } });
  const tokens: string[] = [];
  for (let made = 0; made < MEMBERS; made++) tokens.push((await app.signUp(`member-${made}`)).accessToken);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  app.jobs.start();
  process.on('message', (what) => {
    if (what === 'cpu') process.send!(process.cpuUsage());
    else void app.close().then(() => process.exit());
  });
  process.send!({ url, shareId, tokens } satisfies Scene);
}

const agent = new Agent({ keepAlive: true });

async function send(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<string> {
  const { body, ...options } = init;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, ...options }, resolve)
      .on('error', reject)
      .end(body);
  });
  const content = await text(reply);
  if (reply.statusCode! >= 400) throw new Error(`${url}: ${reply.statusCode} ${content.slice(0, 200)}`);
  return content;
}

async function upload(url: string, headers: Record<string, string>): Promise<void> {
  const name = `${randomBytes(8).toString('hex')}.bin`;
  const order = JSON.stringify({ kind: 'drive#file', parent_id: '', name, size: BYTES });
  const made = JSON.parse(
    await send(url + driveApi.create.path, { method: 'POST', headers, body: order }),
  ) as {
    resumable: { params: UploadTicket['params'] };
  };
  const ticket = made.resumable.params;
  const path = `/${ticket.bucket}/${ticket.key}`;
  await send(url + path, {
    method: 'PUT',
    headers: signV4(ticket, { method: 'PUT', path, query: '', host: new URL(url).host, at: Date.now() }),
    body: randomBytes(BYTES),
  });
}

async function measure(): Promise<void> {
  const server = fork(import.meta.filename, ['serve']);
  const [{ url, shareId, tokens }] = (await once(server, 'message')) as [Scene];
  const cpu = async (): Promise<number> => {
    server.send('cpu');
    const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
    return (user + system) / 1000;
  };
  for (let warming = 0; warming < 2000; warming++) await send(`${url}/healthz`);
  const before = await cpu();
  for (let asked = 0; asked < 2000; asked++) await send(`${url}/healthz`);
  const health = ((await cpu()) - before) / 2000;

  const end = performance.now() + SECONDS * 1000;
  const failures: string[] = [];
  const times = { visit: [] as number[], list: [] as number[], upload: [] as number[], save: [] as number[] };
  /** Acts again and again, at random moments. */
  async function act(what: keyof typeof PACE, action: () => Promise<unknown>): Promise<void> {
    await sleep(Math.random() * PACE[what] * 1000);
    while (performance.now() < end) {
      const started = performance.now();
      await action().catch((error: unknown) => failures.push(String(error)));
      times[what].push(performance.now() - started);
      await sleep(PACE[what] * 1000 * (0.5 + Math.random()));
    }
  }
  const visitors = Array.from({ length: VISITORS }, (_, at) => {
    const headers = { 'x-forwarded-for': `100.64.${at >> 8}.${at & 255}`, 'accept-encoding': 'gzip' };
    return act('visit', () => send(`${url}/s/${shareId}`, { headers }));
  });
  const members = tokens.flatMap((token) => {
    const headers = { authorization: `Bearer ${token}` };
    const save = JSON.stringify({ share_id: shareId });
    return [
      act('list', () => send(`${url}/drive/v1/files?parent_id=&limit=100`, { headers })),
      act('upload', () => upload(url, headers)),
      act('save', () => send(url + shareApi.restore.path, { method: 'POST', headers, body: save })),
    ];
  });
  await Promise.all([...visitors, ...members]);
  const p99 = (list: readonly number[]): number =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.99)] ?? 0;
  const said = Object.entries(times).map(
    ([what, list]) => `${list.length} ${what}s at p99 ${p99(list).toFixed(0)} ms`,
  );
  console.log(
    `${VISITORS} visitors and ${MEMBERS} members for ${SECONDS} s: lists at p99 ${(p99(times.list) / health).toFixed(0)} times the CPU time of /healthz; ${said.join(', ')}; ${failures.length} failures${failures.length > 0 ? ` (${failures[0]})` : ''}`,
  );
  agent.destroy();
  server.send('close');
}

await (process.argv[2] === 'serve' ? serve() : measure());
