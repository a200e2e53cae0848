import { fork, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { completionDocument, openTestApp, signV4 } from '../server/testing/index.ts';

// One GiB is uploaded in parts of 16 MiB, four in parallel, over loopback: hashed with SHA-1 and SHA-256, flushed, and
// complete in the drive at the end. For comparison, in alternation, `tee file | sha1sum` of the same bytes on the same
// disk, unflushed.

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
 * A virtual machine may have to get memory from its host before it can cache a file, which takes as long as everything
 * else. To exclude that from both sides, earlier files are deleted and as much memory is used and freed first.
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

/** Duration of `tee | sha1sum` in seconds. */
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

/**
 * Sends parts one after another, like an S3 client written in C: CPU time used by the client is not available to the
 * server. Returns their ETags.
 */
async function sendParts(
  parts: readonly { file: string; url: string; headers: object }[],
): Promise<string[]> {
  const curl = spawn('curl', ['--silent', '--show-error', '--fail', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const orders = parts.map(({ file, url, headers }) =>
    [
      `upload-file = ${JSON.stringify(file)}`,
      `url = ${JSON.stringify(url)}`,
      ...Object.entries({ ...headers, expect: '' }).map(
        ([name, value]) => `header = ${JSON.stringify(`${name}: ${value}`)}`,
      ),
      'output = /dev/null',
      String.raw`write-out = "%header{etag}\n"`,
    ].join('\n'),
  );
  curl.stdin.end(`${orders.join('\nnext\n')}\n`);
  const told = Buffer.concat(await Array.fromAsync<Buffer>(curl.stdout)).toString();
  return told.trim().split('\n');
}

/** Seconds from the ticket to the file in the drive; each part is read from a file of its own. */
async function upload(url: string, token: string, partFiles: readonly string[]): Promise<number> {
  const { host } = new URL(url);
  const started = performance.now();
  const created = await fetch(url + driveApi.create.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ kind: 'drive#file', name: 'big.bin', size: SIZE }),
  });
  const ticket = ((await created.json()) as { resumable: { params: Ticket } }).resumable.params;
  const path = `/${ticket.bucket}/${ticket.key}`;
  const order = (method: string, query: string) => ({
    url: `${url}${path}?${query}`,
    headers: signV4(ticket, { method, path, query, host, at: Date.now() }),
  });
  const send = async (query: string, body = ''): Promise<void> => {
    const { url: address, headers } = order('POST', query);
    const reply = await fetch(address, { method: 'POST', headers, body });
    if (!reply.ok) throw new Error(await reply.text());
  };
  await send('uploads=');
  const etags: Record<number, string> = {};
  const lane = async (first: number): Promise<void> => {
    const numbers = partFiles
      .keys()
      .map((at) => at + 1)
      .filter((number) => (number - 1) % LANES === first);
    const own = numbers.toArray();
    const found = await sendParts(
      own.map((number) => ({
        file: partFiles[number - 1]!,
        ...order('PUT', `partNumber=${number}&uploadId=${ticket.key}`),
      })),
    );
    for (const [at, number] of own.entries()) etags[number] = found[at]!;
  };
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
  await send(`uploadId=${ticket.key}`, completionDocument(etags));
  const seconds = (performance.now() - started) / 1000;
  const removed = await fetch(url + driveApi.remove.path.replace('{id}', ticket.key), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  if (!removed.ok) throw new Error(await removed.text());
  return seconds;
}

/** The bytes as one file and as one file per part; each is read once, so that neither side pays for the first read. */
async function makeSource(path: string): Promise<string[]> {
  const whole = await open(path, 'w');
  const bytes = Buffer.alloc(PART);
  const parts: string[] = [];
  for (let at = 0; at < SIZE; at += PART) {
    await whole.write(randomFillSync(bytes));
    parts.push(`${path}-${parts.length}`);
    await writeFile(parts.at(-1)!, bytes);
  }
  await whole.close();
  for (const file of [path, ...parts]) await pipeline(createReadStream(file), createHash('sha1'));
  return parts;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = fork(import.meta.filename, ['serve']);
  try {
    const [{ url, token }] = (await once(server, 'message')) as [{ url: string; token: string }];
    const source = join(folder, 'source');
    const parts = await makeSource(source);
    const before = await usageOf(server);
    const teed: number[] = [];
    const uploaded: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await warm(server, join(folder, 'scratch'));
      teed.push(await baseline(source, join(folder, 'teed')));
      await warm(server, join(folder, 'scratch'));
      uploaded.push(await upload(url, token, parts));
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
