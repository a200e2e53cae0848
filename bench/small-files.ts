import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driveApi, LIMITS, type UploadTicket } from '@bowerbird/contract';
import { batchBody, openTestApp, signV4, type BatchReply } from '../server/testing/index.ts';
import { serveMeasured, startMeasured } from './support/measured-server.ts';
import { median } from './support/median.ts';

// A thousand files of 4 KiB are uploaded over loopback: six in parallel, each with a ticket and one PUT; and in
// batches, two in parallel, as the web client does. All of them are durable at the end. For comparison, in alternation,
// the same files are written to the same disk by this process, six in parallel, each flushed.

const FILES = 1000;
const BYTES = 4096;
const LANES = 6;
const ROUNDS = Number(process.argv[2]) || 3;

type Ticket = UploadTicket['params'];

async function serve(): Promise<void> {
  const app = await openTestApp({ environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB' } });
  const ann = await app.signUp('ann');
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  serveMeasured(app, { url, token: ann.accessToken });
}

/** Runs `work` for each file, or for several at a time, in parallel. Returns the number of files per second. */
async function rate(
  work: (file: number) => Promise<void>,
  { lanes = LANES, step = 1 } = {},
): Promise<number> {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < FILES) {
        const file = next;
        next += step;
        await work(file);
      }
    }),
  );
  return FILES / ((performance.now() - started) / 1000);
}

async function post(
  url: string,
  path: string,
  token: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body,
  });
  if (!reply.ok) throw new Error(await reply.text());
  return reply;
}

async function makeFolder(url: string, token: string, name: string): Promise<string> {
  const body = JSON.stringify({ kind: 'drive#folder', name });
  const made = (await (await post(url, driveApi.create.path, token, body)).json()) as {
    file: { id: string };
  };
  return made.file.id;
}

async function uploader(url: string, token: string, round: number): Promise<(file: number) => Promise<void>> {
  const { host } = new URL(url);
  const parent = await makeFolder(url, token, `alone ${round}`);
  return async (file) => {
    const order = { kind: 'drive#file', parent_id: parent, name: `${file}.bin`, size: BYTES };
    const created = await post(url, driveApi.create.path, token, JSON.stringify(order));
    const { resumable } = (await created.json()) as { resumable: { params: Ticket } };
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

async function batchUploader(
  url: string,
  token: string,
  round: number,
): Promise<(file: number) => Promise<void>> {
  const parent = await makeFolder(url, token, `together ${round}`);
  return async (first) => {
    const files = Array.from({ length: LIMITS.uploadBatch }, (_, at) => ({
      name: `${first + at}.bin`,
      parent_id: parent,
      bytes: randomBytes(BYTES),
    }));
    const key = { 'idempotency-key': randomUUID() };
    const reply = await post(url, driveApi.uploadMany.path, token, batchBody(files), key);
    const { results } = (await reply.json()) as BatchReply;
    if (results.some(({ error }) => error !== '')) throw new Error(JSON.stringify(results));
  };
}

const writer = (folder: string, round: number) => async (file: number) => {
  const opened = await open(join(folder, `${round}-${file}`), 'wx');
  await opened.write(randomBytes(BYTES));
  await opened.sync();
  await opened.close();
};

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = await startMeasured<{ url: string; token: string }>(import.meta.filename);
  try {
    const { url, token } = server.scene;
    const written: number[] = [];
    const ways = {
      alone: { uploaded: [] as number[], cpu: 0 },
      together: { uploaded: [] as number[], cpu: 0 },
    };
    const measured = async (way: keyof typeof ways, work: () => Promise<number>): Promise<void> => {
      const before = await server.cpuMs();
      ways[way].uploaded.push(await work());
      ways[way].cpu += (await server.cpuMs()) - before;
    };
    const batches = { lanes: 2, step: LIMITS.uploadBatch };
    for (let round = 0; round < ROUNDS; round++) {
      written.push(await rate(writer(folder, round)));
      await measured('alone', async () => rate(await uploader(url, token, round)));
      await measured('together', async () => rate(await batchUploader(url, token, round), batches));
    }
    const told = ({ uploaded, cpu: spent }: (typeof ways)['alone']): string => {
      const ratio = median(uploaded.map((files, at) => files / written[at]!));
      const each = spent / (FILES * ROUNDS);
      return `${ratio.toFixed(2)} of flushed writes (${median(uploaded).toFixed(0)}/s against ${median(written).toFixed(0)}/s); server: ${each.toFixed(1)} ms of CPU each`;
    };
    const rounds = `${ROUNDS} rounds of ${FILES}`;
    console.log(`upload of files of 4 KiB, ${LANES} in parallel: ${told(ways.alone)}; ${rounds}`);
    console.log(`upload of files of 4 KiB in batches: ${told(ways.together)}; ${rounds}`);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'serve' ? serve() : measure());
