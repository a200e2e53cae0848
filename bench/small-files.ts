import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driveApi, type UploadTicket } from '@bowerbird/contract';
import { openTestApp, signV4 } from '../server/testing/index.ts';
import { serveMeasured, startMeasured } from './support/measured-server.ts';
import { median } from './support/median.ts';
import { batchRate, makeFolder, post, rate, SMALL_FILE, type Uploader } from './support/small-files.ts';

// A thousand files of 4 KiB are uploaded over loopback: six in parallel, each with a ticket and one PUT; and in
// batches, two in parallel, as the web client does. All of them are durable at the end. For comparison, in alternation,
// the same files are written to the same disk by this process, six in parallel, each flushed.

const FILES = 1000;
const LANES = 6;
const ROUNDS = Number(process.argv[2]) || 3;

type Ticket = UploadTicket['params'];

async function serve(): Promise<void> {
  const app = await openTestApp({ environment: { LOG_LEVEL: 'error', MEMBER_STORAGE: '1 TB' } });
  const ann = await app.signUp('ann');
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  serveMeasured(app, { url, token: ann.accessToken } satisfies Uploader);
}

/** Files per second that are uploaded to a folder one by one. */
function singleRate(uploader: Uploader, parent: string): Promise<number> {
  const { host } = new URL(uploader.url);
  const send = async (file: number): Promise<void> => {
    const order = { kind: 'drive#file', parent_id: parent, name: `${file}.bin`, size: SMALL_FILE };
    const created = await post(uploader, driveApi.create.path, JSON.stringify(order));
    const { resumable } = (await created.json()) as { resumable: { params: Ticket } };
    const ticket = resumable.params;
    const path = `/${ticket.bucket}/${ticket.key}`;
    const reply = await fetch(uploader.url + path, {
      method: 'PUT',
      headers: signV4(ticket, { method: 'PUT', path, query: '', host, at: Date.now() }),
      body: randomBytes(SMALL_FILE),
    });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
  };
  return rate(FILES, send, { lanes: LANES });
}

/** Files per second that are written and flushed. */
function writtenRate(folder: string, round: number): Promise<number> {
  const write = async (file: number): Promise<void> => {
    const opened = await open(join(folder, `${round}-${file}`), 'wx');
    await opened.write(randomBytes(SMALL_FILE));
    await opened.sync();
    await opened.close();
  };
  return rate(FILES, write, { lanes: LANES });
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
  const server = await startMeasured<Uploader>(import.meta.filename);
  try {
    const uploader = server.scene;
    const written: number[] = [];
    const ways = {
      alone: { uploaded: [] as number[], cpu: 0 },
      together: { uploaded: [] as number[], cpu: 0 },
    };
    const measured = async (
      way: keyof typeof ways,
      round: number,
      work: (parent: string) => Promise<number>,
    ): Promise<void> => {
      const parent = await makeFolder(uploader, `${way} ${round}`);
      const before = await server.cpuMs();
      ways[way].uploaded.push(await work(parent));
      ways[way].cpu += (await server.cpuMs()) - before;
    };
    for (let round = 0; round < ROUNDS; round++) {
      written.push(await writtenRate(folder, round));
      await measured('alone', round, (parent) => singleRate(uploader, parent));
      await measured('together', round, (parent) => batchRate(uploader, parent, FILES));
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
