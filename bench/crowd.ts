import { randomBytes } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, shareApi, type UploadTicket } from '@bowerbird/contract';
import { captchaHeaders, openTestApp, plant, signV4 } from '../server/testing/index.ts';
import { serveMeasured, startMeasured } from './support/measured-server.ts';

// A thousand visitors look at one share while fifty members list a folder, upload small files and save the share. Each
// person has a connection and an address of their own, waits for each reply and then for a random time, on average
// the one in PACE: about 33 visits, 33 lists of visitors, 50 lists of members, 5 uploads and 2 saves in a second. The time
// of a list at the 99th percentile, as a multiple of the CPU time of /healthz.

const VISITORS = 1000;
const MEMBERS = 50;
const FILES = 100;
const SECONDS = Number(process.argv[2]) || 60;
/** Seconds between two actions of one person; a visitor opens the page of the share, then lists the share. */
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
  serveMeasured(app, { url, shareId, tokens } satisfies Scene);
}

interface Order {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

type Send = (path: string, order?: Order) => Promise<Buffer>;

/** Sends requests to the server over connections of its own, with these headers. */
function personTo(url: string, own: Record<string, string>): Send {
  const agent = new Agent({ keepAlive: true });
  return async (path, { body, headers, ...order } = {}) => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url + path, { agent, headers: { ...own, ...headers }, ...order }, resolve)
        .on('error', reject)
        .end(body);
    });
    const content = await buffer(reply);
    if (reply.statusCode! >= 400)
      throw new Error(`${path}: ${reply.statusCode} ${content.toString().slice(0, 200)}`);
    return content;
  };
}

async function upload(send: Send, host: string): Promise<void> {
  const name = `${randomBytes(8).toString('hex')}.bin`;
  const order = JSON.stringify({ kind: 'drive#file', parent_id: '', name, size: BYTES });
  const made = await send(driveApi.create.path, { method: 'POST', body: order });
  const { resumable } = JSON.parse(made.toString()) as { resumable: { params: UploadTicket['params'] } };
  const ticket = resumable.params;
  const path = `/${ticket.bucket}/${ticket.key}`;
  await send(path, {
    method: 'PUT',
    headers: signV4(ticket, { method: 'PUT', path, query: '', host, at: Date.now() }),
    body: randomBytes(BYTES),
  });
}

async function measure(): Promise<void> {
  const server = await startMeasured<Scene>(import.meta.filename);
  const { url, shareId, tokens } = server.scene;
  const nobody = personTo(url, {});
  for (let warming = 0; warming < 2000; warming++) await nobody('/healthz');
  const before = await server.cpuMs();
  for (let asked = 0; asked < 2000; asked++) await nobody('/healthz');
  const health = ((await server.cpuMs()) - before) / 2000;

  const started = performance.now();
  const failures: string[] = [];
  const times = { visit: [] as number[], list: [] as number[], upload: [] as number[], save: [] as number[] };
  async function timed(what: keyof typeof PACE, action: () => Promise<unknown>): Promise<void> {
    const from = performance.now();
    await action().catch((error: unknown) => failures.push(String(error)));
    times[what].push(performance.now() - from);
  }
  const end = started + SECONDS * 1000;
  const pause = (seconds: number): Promise<void> =>
    sleep(Math.min(seconds * 1000, Math.max(0, end - performance.now())));
  /** Acts again and again, at random moments. */
  async function act(pace: number, action: () => Promise<void>): Promise<void> {
    await pause(Math.random() * pace);
    while (performance.now() < end) {
      await action();
      await pause(pace * (0.5 + Math.random()));
    }
  }
  const visitors = Array.from({ length: VISITORS }, async (_, at) => {
    const send = personTo(url, {
      'x-forwarded-for': `100.64.${at >> 8}.${at & 255}`,
      'accept-encoding': 'gzip',
    });
    let headers: Record<string, string> = {};
    await act(PACE.visit, async () => {
      await timed('visit', async () => {
        await send(`/s/${shareId}`);
        const token = await captchaHeaders(
          async (path, told, body) =>
            JSON.parse((await send(path, { method: 'POST', headers: told, body })).toString()) as object,
          shareApi.open,
          {},
          headers,
        );
        headers = { ...headers, ...token };
      });
      await timed('list', () =>
        send(`${shareApi.open.path}?share_id=${shareId}&limit=${FILES}`, { headers }),
      );
    });
  });
  const members = tokens.flatMap((token) => {
    const send = personTo(url, { authorization: `Bearer ${token}` });
    const save = JSON.stringify({ share_id: shareId });
    return [
      act(PACE.list, () => timed('list', () => send(`${driveApi.list.path}?parent_id=&limit=${FILES}`))),
      act(PACE.upload, () => timed('upload', () => upload(send, new URL(url).host))),
      act(PACE.save, () => timed('save', () => send(shareApi.restore.path, { method: 'POST', body: save }))),
    ];
  });
  const busyFrom = await server.cpuMs();
  await Promise.all([...visitors, ...members]);
  const busy = ((await server.cpuMs()) - busyFrom) / (performance.now() - started);
  const p99 = (list: readonly number[]): number =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.99)] ?? 0;
  const said = Object.entries(times).map(
    ([what, list]) => `${list.length} ${what}s at p99 ${p99(list).toFixed(0)} ms`,
  );
  console.log(
    `${VISITORS} visitors and ${MEMBERS} members for ${SECONDS} s: lists at p99 ${(p99(times.list) / health).toFixed(0)} times the CPU time of /healthz (${p99(times.list).toFixed(1)} ms against ${health.toFixed(3)} ms), ${failures.length} failed requests${failures.length > 0 ? ` (${failures[0]})` : ''}; ${said.join(', ')}; ${Math.round(busy * 100)} % of a core`,
  );
  if (failures.length > 0) process.exitCode = 1;
  await server.close();
  process.exit();
}

await (process.argv[2] === 'serve' ? serve() : measure());
