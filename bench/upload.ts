import { fork, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { Agent, request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { completionDocument, openTestApp, signV4 } from '../server/testing/index.ts';

// One GiB goes up in parts of 16 MiB, four at once, over loopback: hashed with SHA-1 and SHA-256, flushed, whole in the
// drive when it ends. Beside it, taking turns, `tee file | sha1sum` of the same bytes on the same disk, unflushed.

const SIZE = 2 ** 30;
const PART = 16 * 2 ** 20;
const LANES = 4;
const ROUNDS = Number(process.argv[2]) || 3;

type Ticket = UploadTicket['params'];

async function serve(): Promise<void> {
  const app = await openTestApp({ environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB' } });
  const ann = await app.signUp('ann');
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  process.on('message', (what) => {
    if (what === 'usage')
      process.send!({
        cpu: process.cpuUsage(),
        main: process.threadCpuUsage(),
        memory: process.memoryUsage.rss(),
      });
    else if (what === 'collect') {
      void app.drive.collector
        .collect(new AbortController().signal, 0)
        .then(() => process.send!('collected'));
    } else void app.close().then(() => process.exit());
  });
  process.send!({ url, token: ann.accessToken });
}

interface Usage {
  readonly cpu: NodeJS.CpuUsage;
  readonly main: NodeJS.CpuUsage;
  readonly memory: number;
}

async function usageOf(server: ChildProcess): Promise<{ cpu: number; main: number; memory: number }> {
  server.send('usage');
  const [{ cpu, main, memory }] = (await once(server, 'message')) as [Usage];
  return { cpu: (cpu.user + cpu.system) / 1e6, main: (main.user + main.system) / 1e6, memory };
}

/**
 * A virtual machine may have to get memory from its host before a file can lie in it, which takes as long as all else.
 * Neither side shall pay for that: what was written before is gone, and as much memory was just in use.
 */
async function warm(server: ChildProcess, scratch: string): Promise<void> {
  server.send('collect');
  await once(server, 'message');
  const file = await open(scratch, 'w');
  const bytes = Buffer.alloc(PART, 1);
  for (let at = 0; at < SIZE * 1.25; at += PART) await file.write(bytes);
  await file.close();
  await rm(scratch);
}

/** Seconds that `tee | sha1sum` takes. */
async function baseline(source: string, target: string): Promise<number> {
  const started = performance.now();
  const shell = spawn('sh', ['-c', 'tee "$1" < "$0" | sha1sum', source, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(shell, 'exit');
  const seconds = (performance.now() - started) / 1000;
  await rm(target);
  return seconds;
}

/** Sends a stretch of a file from memory that is used again, so that the client takes as little as it can from the server. */
async function pour(
  source: FileHandle,
  { start, end }: { start: number; end: number },
  into: ClientRequest,
): Promise<void> {
  const memory = [Buffer.allocUnsafeSlow(2 ** 20), Buffer.allocUnsafeSlow(2 ** 20)];
  let sending = Promise.resolve();
  for (let at = start, turn = 0; at < end; turn = 1 - turn) {
    const { bytesRead } = await source.read(memory[turn]!, 0, Math.min(2 ** 20, end - at), at);
    await sending;
    sending = new Promise((resolve, reject) =>
      into.write(memory[turn]!.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve())),
    );
    at += bytesRead;
  }
  await sending;
  into.end();
}

/** Seconds from the ticket to the file in the drive. */
async function upload(url: string, token: string, source: FileHandle): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const { host, hostname, port } = new URL(url);
  const send = (
    ticket: Ticket,
    method: string,
    query: string,
    body: string | { start: number; end: number } = '',
  ) =>
    new Promise<{ etag: string; text: string }>((resolve, reject) => {
      const path = `/${ticket.bucket}/${ticket.key}`;
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.end - body.start;
      const headers = {
        ...signV4(ticket, { method, path, query, host, at: Date.now() }),
        'content-length': length,
      };
      const sent = request(
        { hostname, port, method, path: `${path}?${query}`, agent, headers },
        async (reply) => {
          const text = Buffer.concat(await Array.fromAsync(reply)).toString();
          if (reply.statusCode === 200) resolve({ etag: String(reply.headers.etag), text });
          else reject(new Error(text));
        },
      );
      sent.on('error', reject);
      if (typeof body === 'string') sent.end(body);
      else pour(source, body, sent).catch(reject);
    });

  const started = performance.now();
  const created = await fetch(url + driveApi.create.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ kind: 'drive#file', name: 'big.bin', size: SIZE }),
  });
  const ticket = ((await created.json()) as { resumable: { params: Ticket } }).resumable.params;
  await send(ticket, 'POST', 'uploads=');
  const etags: Record<number, string> = {};
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at * PART < SIZE; at = next++) {
      const { etag } = await send(ticket, 'PUT', `partNumber=${at + 1}&uploadId=${ticket.key}`, {
        start: at * PART,
        end: Math.min(SIZE, (at + 1) * PART),
      });
      etags[at + 1] = etag;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await send(ticket, 'POST', `uploadId=${ticket.key}`, completionDocument(etags));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  const removed = await fetch(url + driveApi.remove.path.replace('{id}', ticket.key), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  if (!removed.ok) throw new Error(await removed.text());
  return seconds;
}

async function makeSource(path: string): Promise<void> {
  const file = await open(path, 'w');
  const bytes = Buffer.alloc(PART);
  for (let at = 0; at < SIZE; at += PART) await file.write(randomFillSync(bytes));
  await file.close();
  // Read once, so that neither side pays for the first reading.
  await pipeline(createReadStream(path), createHash('sha1'));
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = fork(import.meta.filename, ['serve']);
  try {
    const [{ url, token }] = (await once(server, 'message')) as [{ url: string; token: string }];
    const source = join(folder, 'source');
    await makeSource(source);
    await using file = await open(source);
    const before = await usageOf(server);
    const teed: number[] = [];
    const uploaded: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await warm(server, join(folder, 'scratch'));
      teed.push(await baseline(source, join(folder, 'teed')));
      await warm(server, join(folder, 'scratch'));
      uploaded.push(await upload(url, token, file));
    }
    const after = await usageOf(server);
    const ratios = teed.map((seconds, at) => seconds / uploaded[at]!);
    const each = (seconds: number): string => `${(seconds / ROUNDS).toFixed(1)} s`;
    console.log(
      `upload of 1 GiB in parts: ${middle(ratios).toFixed(2)} of tee | sha1sum (${middle(uploaded).toFixed(2)} s against ${middle(teed).toFixed(2)} s, ${ROUNDS} rounds); ` +
        `server: ${each(after.cpu - before.cpu)} of CPU each, ${each(after.main - before.main)} of it on the main thread, ${Math.round(after.memory / 2 ** 20)} MB resident`,
    );
  } finally {
    server.send('close');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

await (process.argv[2] === 'serve' ? serve() : measure());
