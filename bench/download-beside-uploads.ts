import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { openTestApp, plant, signV4 } from '../server/testing/index.ts';
import { sendFiles } from './support/curl.ts';

// Small downloads, one after another, while eight uploads of 2 GiB in all are written and flushed; each reads from
// another place of a large file. How long they take, as a multiple of the time that they take without uploads.

const SIZE = 2 ** 28;
const PIECE = 2 ** 16;
const PART = 2 ** 26;
const LANES = 8;
const PARTS_PER_LANE = 4;
const QUIET_MS = 4000;

interface Scene {
  readonly url: string;
  readonly token: string;
  readonly link: string;
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB', SITE_URL: '' },
  });
  const ann = await app.signUp('ann');
  const ids = await plant(app, ann.id, { 'large.bin': Buffer.alloc(SIZE, 'bowerbird ') });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const node = (await app.nodes.find(app.database, ann.id, ids['large.bin']!))!;
  const link = app.drive.links.download(node, { disposition: 'attachment', origin }).url;
  process.on('message', () => void app.close().then(() => process.exit()));
  process.send!({ url: origin, token: ann.accessToken, link } satisfies Scene);
}

/** One upload after another, each of a single body. */
async function uploads({ url, token }: Scene, lane: number, file: string): Promise<void> {
  for (let made = 0; made < PARTS_PER_LANE; made++) {
    const reply = await fetch(url + driveApi.create.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ kind: 'drive#file', name: `${lane}-${made}.bin`, size: PART }),
    });
    const ticket = ((await reply.json()) as { resumable: { params: UploadTicket['params'] } }).resumable
      .params;
    const path = `/${ticket.bucket}/${ticket.key}`;
    const order = { method: 'PUT', path, query: '', host: new URL(url).host, at: Date.now() };
    await sendFiles([{ method: 'PUT', url: url + path, headers: signV4(ticket, order), file }]);
  }
}

/** Milliseconds of each download, for as long as the work takes. */
async function timesDuring({ link }: Scene, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const end = work.finally(() => (isOver = true));
  while (!isOver) {
    const start = Math.floor(Math.random() * (SIZE - PIECE));
    const from = performance.now();
    const reply = await fetch(link, { headers: { range: `bytes=${start}-${start + PIECE - 1}` } });
    if (reply.status !== 206 || (await reply.arrayBuffer()).byteLength !== PIECE)
      throw new Error(`a download failed with ${reply.status}`);
    times.push(performance.now() - from);
    await sleep(2);
  }
  await end;
  return times.toSorted((a, b) => a - b);
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = fork(import.meta.filename, ['serve']);
  try {
    const [scene] = (await once(server, 'message')) as [Scene];
    const file = join(folder, 'body');
    await writeFile(file, randomBytes(PART));
    await timesDuring(scene, sleep(1000));
    const quiet = await timesDuring(scene, sleep(QUIET_MS));
    const started = performance.now();
    const busy = await timesDuring(
      scene,
      Promise.all(Array.from({ length: LANES }, (_, lane) => uploads(scene, lane, file))),
    );
    const seconds = (performance.now() - started) / 1000;
    const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)]!;
    const told = ([name, share]: readonly [string, number]): string =>
      `${name} ${(at(busy, share) / at(quiet, share)).toFixed(1)} times (${at(busy, share).toFixed(1)} ms against ${at(quiet, share).toFixed(1)} ms)`;
    console.log(
      `download of 64 KiB beside ${LANES} uploads: ${(
        [
          ['median', 0.5],
          ['p99', 0.99],
        ] as const
      )
        .map(told)
        .join(
          ', ',
        )}; longest ${busy.at(-1)!.toFixed(0)} ms; uploads at ${((LANES * PARTS_PER_LANE * PART) / 2 ** 20 / seconds).toFixed(0)} MiB/s`,
    );
  } finally {
    server.send('close');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'serve' ? serve() : measure());
