import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { fetchSpeed, sendFiles, type HttpRequest } from '../support/curl.ts';
import type { Product, Upload } from './product.ts';

const ROWS = 100;
const LARGE = 10_000;
const NODES = 133_000;
const GIB = 2 ** 30;
const SMALL_FILE = 4096;
const SMALL_FILES = 1000;
const SMALL_LANES = 6;
const CONNECTIONS = 8;
const LOAD_SECONDS = 4;
const REST_MS = 30_000;

/** Measured value, and the CPU time of the server's processes for each request, file or GiB. */
export interface Reading {
  readonly value: number;
  readonly cpuMs?: number;
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly rounds: number;
  readonly measure: (drive: FilledDrive) => Promise<Reading>;
}

/** A product with the data that the figures need. */
export interface FilledDrive {
  readonly product: Product;
  readonly small: string;
  readonly large: string;
  readonly share: string;
  readonly download: string;
  /** For the bytes of the client. */
  readonly scratch: string;
}

export async function fill(product: Product, scratch: string): Promise<FilledDrive> {
  await product.start();
  await product.signUp();
  const [small, large, many, uploads] = [
    await product.addFolder('small'),
    await product.addFolder('large'),
    await product.addFolder('many'),
    await product.addFolder('uploads'),
  ];
  for (let at = 0; at < ROWS; at++) await sendWhole(product, small, `photo ${at}.jpg`, randomBytes(9000));
  for (const folder of [large, many]) await sendWhole(product, folder, 'photo.jpg', randomBytes(9000));
  const share = await product.share(small);
  await product.stop();
  await product.addRows(large, LARGE - 1);
  await product.addRows(many, NODES - LARGE - ROWS);
  await product.start();
  const { file } = await sendInParts(product, uploads, 'large.bin', 1, scratch);
  return { product, small, large, share, download: await product.downloadAddress(file), scratch };
}

function streams(lanes: number): string {
  return lanes === 1 ? '1 stream' : `${lanes} streams`;
}

export const FIGURES: readonly Figure[] = [
  rate('smallest request', 0, async ({ product }) => product.health()),
  rate(`list ${ROWS} of ${ROWS}`, ROWS, ({ product, small }) => product.listing(small)),
  rate(`list ${ROWS} of ${LARGE}`, ROWS, ({ product, large }) => product.listing(large)),
  rate(`share listing of ${ROWS}`, ROWS, ({ product, share }) => product.shareListing(share)),
  rate('share information', 0, ({ product, share }) => product.shareInformation(share)),
  upload(1),
  upload(4),
  {
    name: `${SMALL_FILES} files of 4 kB, ${SMALL_LANES} in parallel`,
    unit: 'files/s',
    better: 'more',
    rounds: 3,
    measure: smallFiles,
  },
  download(1),
  download(8),
  { name: 'start with data', unit: 'ms', better: 'less', rounds: 5, measure: restart },
  { name: 'memory at rest', unit: 'MB', better: 'less', rounds: 1, measure: rest },
  {
    name: `database of ${NODES} files`,
    unit: 'MB',
    better: 'less',
    rounds: 1,
    async measure({ product }) {
      await product.stop();
      const value = (await product.databaseSize()) / 1e6;
      await product.start();
      return { value };
    },
  },
];

/** Requests per second. The reply must have a number of entries, and its errors may have the status of a success. */
function rate(name: string, entries: number, prepare: (drive: FilledDrive) => Promise<HttpRequest>): Figure {
  return {
    name: `${name}, ${CONNECTIONS} in parallel`,
    unit: 'requests/s',
    better: 'more',
    rounds: 5,
    async measure(drive) {
      const { url, headers } = await prepare(drive);
      const reply = await (await fetch(url, { headers })).text();
      const found = reply.match(/"name":"(?:photo|picture)/g)?.length ?? 0;
      if (found < entries)
        throw new Error(`${url}: ${found} of ${entries} entries in ${reply.slice(0, 300)}`);
      const load = (duration: number) =>
        autocannon({ url, headers: { ...headers }, connections: CONNECTIONS, duration });
      await load(1);
      const before = await drive.product.usage();
      const { requests, non2xx, errors } = await load(LOAD_SECONDS);
      if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
      const after = await drive.product.usage();
      return { value: requests.average, cpuMs: (after.cpuMs - before.cpuMs) / requests.total };
    },
  };
}

function upload(lanes: number): Figure {
  return {
    name: `upload of 1 GiB, ${streams(lanes)}`,
    unit: 'MiB/s',
    better: 'more',
    rounds: 5,
    async measure({ product, scratch }) {
      const folder = await product.addFolder(`upload ${randomBytes(4).toString('hex')}`);
      const before = await product.usage();
      const { file, seconds } = await sendInParts(product, folder, 'large.bin', lanes, scratch);
      const after = await product.usage();
      await product.remove(file);
      return { value: 1024 / seconds, cpuMs: after.cpuMs - before.cpuMs };
    },
  };
}

function download(lanes: number): Figure {
  return {
    name: `download of 1 GiB, ${streams(lanes)}`,
    unit: 'MiB/s',
    better: 'more',
    rounds: 5,
    async measure({ product, download: url }) {
      const before = await product.usage();
      const speeds = await Promise.all(Array.from({ length: lanes }, () => fetchSpeed(url)));
      const after = await product.usage();
      return {
        value: speeds.reduce((sum, speed) => sum + speed, 0),
        cpuMs: (after.cpuMs - before.cpuMs) / lanes,
      };
    },
  };
}

/** Sends 1 GiB of new bytes in the product's own parts, from a file in the memory of the system. */
async function sendInParts(product: Product, folder: string, name: string, lanes: number, scratch: string) {
  const upload = await product.startUpload(folder, name, GIB);
  const { partSize } = upload;
  const count = Math.ceil(GIB / partSize);
  const bytes = randomBytes(partSize);
  const [whole, last] = [`${scratch}-part`, `${scratch}-last-part`];
  await writeFile(whole, bytes);
  await writeFile(last, bytes.subarray(0, GIB - (count - 1) * partSize));
  const order = (number: number) => ({ ...upload.part(number), file: number === count ? last : whole });
  const send = async (numbers: readonly number[]): Promise<[number, string][]> => {
    const etags = await sendFiles(numbers.map(order), upload.refusal);
    return numbers.map((number, at) => [number, etags[at]!]);
  };
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const final = upload.endsWithLastPart ? numbers.splice(-1) : [];
  const started = performance.now();
  const sent = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => send(numbers.filter((number) => number % lanes === lane))),
  );
  if (final.length > 0) sent.push(await send(final));
  const ordered = sent.flat().toSorted(([one], [other]) => one - other);
  await upload.complete(ordered.map(([, etag]) => etag));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all([rm(whole), rm(last)]);
  return { file: upload.file, seconds };
}

const agent = new Agent({ keepAlive: true });

async function sendBody(
  { method, url, headers }: HttpRequest,
  body: Buffer,
  refusal: RegExp | undefined,
): Promise<string> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { agent, method, headers: { ...headers, 'content-length': body.length } }, resolve)
      .on('error', reject)
      .end(body);
  });
  const told = await text(reply);
  if (reply.statusCode !== 200 || refusal?.test(told)) throw new Error(`${url}: ${reply.statusCode} ${told}`);
  return reply.headers.etag ?? '';
}

async function sendWhole(product: Product, folder: string, name: string, bytes: Buffer): Promise<void> {
  const upload: Upload = await product.startUpload(folder, name, bytes.length);
  await upload.complete([await sendBody(upload.part(1), bytes, upload.refusal)]);
}

async function smallFiles({ product }: FilledDrive): Promise<Reading> {
  const folder = await product.addFolder(`small files ${randomBytes(4).toString('hex')}`);
  const before = await product.usage();
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: SMALL_LANES }, async () => {
      while (next < SMALL_FILES)
        await sendWhole(product, folder, `note ${next++}.txt`, randomBytes(SMALL_FILE));
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const after = await product.usage();
  return { value: SMALL_FILES / seconds, cpuMs: (after.cpuMs - before.cpuMs) / SMALL_FILES };
}

async function restart({ product }: FilledDrive): Promise<Reading> {
  await product.stop();
  const started = performance.now();
  await product.start();
  return { value: performance.now() - started };
}

async function rest({ product }: FilledDrive): Promise<Reading> {
  await product.stop();
  await product.start();
  await sleep(REST_MS);
  return { value: (await product.usage()).memory / 1e6 };
}
