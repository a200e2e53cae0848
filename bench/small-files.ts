import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { openTestApp, signV4 } from '../server/testing/index.ts';

// A thousand files of 4 KiB are uploaded over loopback, six in parallel, each with a ticket and one PUT; all of them are
// durable at the end. For comparison, in alternation, the same files are written to the same disk by this process, six
// in parallel, each flushed.

const FILES = 1000;
const BYTES = 4096;
const LANES = 6;
const ROUNDS = Number(process.argv[2]) || 3;

type Ticket = UploadTicket['params'];

async function serve(): Promise<void> {
  const app = await openTestApp({ environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB' } });
  const ann = await app.signUp('ann');
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  process.on('message', (what) => {
    if (what === 'cpu') process.send!(process.cpuUsage());
    else void app.close().then(() => process.exit());
  });
  process.send!({ url, token: ann.accessToken });
}

/** Runs `work` for each file, several at once. Returns the number of files per second. */
async function rate(work: (file: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (next < FILES) await work(next++);
    }),
  );
  return FILES / ((performance.now() - started) / 1000);
}

async function uploader(url: string, token: string, round: number): Promise<(file: number) => Promise<void>> {
  const { host } = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  const create = async (body: object): Promise<Response> => {
    const reply = await fetch(url + driveApi.create.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return reply;
  };
  const made = (await (await create({ kind: 'drive#folder', name: `round ${round}` })).json()) as {
    file: { id: string };
  };
  return async (file) => {
    const order = { kind: 'drive#file', parent_id: made.file.id, name: `${file}.bin`, size: BYTES };
    const { resumable } = (await (await create(order)).json()) as { resumable: { params: Ticket } };
    const ticket = resumable.params;
    const path = `/${ticket.bucket}/${ticket.key}`;
    const reply = await fetch(url + path, {
      method: 'PUT',
      headers: signV4(ticket, { method: 'PUT', path, query: '', host, at: Date.now() }),
      body: randomBytes(BYTES),
    });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
  };
}

const writer = (folder: string, round: number) => async (file: number) => {
  const opened = await open(join(folder, `${round}-${file}`), 'wx');
  await opened.write(randomBytes(BYTES));
  await opened.sync();
  await opened.close();
};

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = fork(import.meta.filename, ['serve']);
  const cpu = async (): Promise<number> => {
    server.send('cpu');
    const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
    return (user + system) / 1000;
  };
  try {
    const [{ url, token }] = (await once(server, 'message')) as [{ url: string; token: string }];
    const uploaded: number[] = [];
    const written: number[] = [];
    const before = await cpu();
    for (let round = 0; round < ROUNDS; round++) {
      written.push(await rate(writer(folder, round)));
      uploaded.push(await rate(await uploader(url, token, round)));
    }
    const each = ((await cpu()) - before) / (FILES * ROUNDS);
    const ratios = uploaded.map((files, at) => files / written[at]!);
    console.log(
      `upload of files of 4 KiB: ${middle(ratios).toFixed(2)} of flushed writes (${middle(uploaded).toFixed(0)}/s against ${middle(written).toFixed(0)}/s, ${LANES} in parallel, ${ROUNDS} rounds of ${FILES}); server: ${each.toFixed(1)} ms of CPU each`,
    );
  } finally {
    server.send('close');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'serve' ? serve() : measure());
