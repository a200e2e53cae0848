import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Scene } from '../client.ts';
import { readyPackage } from '../node-packages.ts';
import { askTickets, contentFor, proveUploads, type Ticket } from '../tickets.ts';

const MIB = 2 ** 20;
const PART = 2 * MIB;

interface Done {
  readonly etag: string;
  readonly res: { readonly status: number };
}

interface OssPart {
  readonly number: number;
  readonly etag: string;
}

/** The parts of the SDK that we use. */
interface Oss {
  put(name: string, content: Buffer): Promise<{ res: Done['res'] }>;
  putStream(name: string, content: NodeJS.ReadableStream): Promise<{ res: Done['res'] }>;
  multipartUpload(
    name: string,
    file: string,
    options: {
      partSize: number;
      parallel: number;
      checkpoint?: object;
      progress?: (...told: never[]) => unknown;
    },
  ): Promise<{ res: Done['res'] }>;
  initMultipartUpload(name: string): Promise<{ uploadId: string }>;
  uploadPart(
    name: string,
    upload: string,
    number: number,
    file: string,
    start: number,
    end: number,
  ): Promise<{ etag: string }>;
  listParts(
    name: string,
    upload: string,
  ): Promise<{ parts: { PartNumber: string }[] | { PartNumber: string } }>;
  completeMultipartUpload(name: string, upload: string, parts: OssPart[]): Promise<{ res: Done['res'] }>;
  abortMultipartUpload(name: string, upload: string): Promise<{ res: Done['res'] }>;
  cancel(): void;
}

type Sdk = { default: new (options: object) => Oss };

/** Alibaba's own SDK for Node, with the tickets that our server issues for uploads. */
export const aliOss: Client = {
  title: 'ali-oss (Alibaba’s SDK for Node)',
  async ready(say) {
    const found = await readyPackage<Sdk>(say, 'ali-oss', '6.23.0');
    if ('absent' in found) return found;
    return { version: found.version, run: async (scene) => runOss(scene, await found.load()) };
  },
};

async function runOss(scene: Scene, { default: Sdk }: Sdk): Promise<void> {
  const { step, folder } = scene;
  const tickets = await askTickets(scene, {
    ...{ 'put-v1': 5000, 'put-v4': 5000, 'stream-v1': MIB, 'aborted-v1': 300_000 },
    ...{ 'multipart-v1': 12 * MIB, 'multipart-v4': 12 * MIB, 'resumed-v1': 12 * MIB },
    ...{ 'parts-v1': 6 * MIB, 'parts-v4': 6 * MIB },
  });
  const client = (ticket: Ticket, wrong: Partial<Ticket> = {}): Oss => {
    const told = { ...ticket, ...wrong };
    return new Sdk({
      accessKeyId: told.access_key_id,
      accessKeySecret: told.access_key_secret,
      stsToken: told.security_token,
      bucket: told.bucket,
      endpoint: `http://${told.endpoint}`,
      region: 'anywhere',
      authorizationV4: told.name.endsWith('v4'),
      retryMax: 0,
    });
  };
  const fileFor = async (ticket: Ticket): Promise<string> => {
    const file = join(folder, ticket.name);
    await writeFile(file, contentFor(ticket));
    return file;
  };

  for (const name of ['put-v1', 'put-v4'] as const)
    await step(`put (${name})`, async () => {
      const ticket = tickets[name];
      assert.equal((await client(ticket).put(ticket.key, contentFor(ticket))).res.status, 200);
    });
  await step('putStream', async () => {
    const ticket = tickets['stream-v1'];
    const stream = createReadStream(await fileFor(ticket));
    assert.equal((await client(ticket).putStream(ticket.key, stream)).res.status, 200);
  });
  for (const name of ['multipart-v1', 'multipart-v4'] as const)
    await step(`multipartUpload in parallel (${name})`, async () => {
      const ticket = tickets[name];
      const options = { partSize: PART, parallel: 3 };
      const { res } = await client(ticket).multipartUpload(ticket.key, await fileFor(ticket), options);
      assert.equal(res.status, 200);
    });

  const resumed = tickets['resumed-v1'];
  const checkpoint = await step('multipartUpload that is cancelled after two parts', async () => {
    const oss = client(resumed);
    let kept: object | undefined;
    let parts = 0;
    const progress = (_: never, state: never): void => {
      kept = state;
      if ((parts += 1) === 3) oss.cancel();
    };
    const options = { partSize: PART, parallel: 1, progress };
    await assert.rejects(oss.multipartUpload(resumed.key, await fileFor(resumed), options), {
      name: 'cancel',
    });
    return kept!;
  });
  const begun = new Map<'parts-v1' | 'parts-v4', { upload: string; parts: OssPart[] }>();
  for (const name of ['parts-v1', 'parts-v4'] as const)
    await step(`initMultipartUpload, uploadPart (${name})`, async () => {
      const ticket = tickets[name];
      const oss = client(ticket);
      const { uploadId: upload } = await oss.initMultipartUpload(ticket.key);
      const { etag } = await oss.uploadPart(ticket.key, upload, 1, await fileFor(ticket), 0, PART);
      begun.set(name, { upload, parts: [{ number: 1, etag }] });
    });

  await scene.pause();
  await step('multipartUpload goes on from its checkpoint after the pause', async () => {
    const options = { partSize: PART, parallel: 1, checkpoint };
    const { res } = await client(resumed).multipartUpload(resumed.key, join(folder, resumed.name), options);
    assert.equal(res.status, 200);
  });
  for (const [name, { upload, parts }] of begun)
    await step(`uploadPart, listParts, completeMultipartUpload after the pause (${name})`, async () => {
      const ticket = tickets[name];
      const oss = client(ticket);
      for (const number of [2, 3]) {
        const [start, end] = [(number - 1) * PART, number * PART];
        const { etag } = await oss.uploadPart(ticket.key, upload, number, join(folder, name), start, end);
        parts.push({ number, etag });
      }
      const listed = [(await oss.listParts(ticket.key, upload)).parts].flat();
      assert.deepEqual(
        listed.map(({ PartNumber: number }) => Number(number)),
        [1, 2, 3],
      );
      assert.equal((await oss.completeMultipartUpload(ticket.key, upload, parts)).res.status, 200);
    });
  await step('abortMultipartUpload', async () => {
    const ticket = tickets['aborted-v1'];
    const { uploadId } = await client(ticket).initMultipartUpload(ticket.key);
    assert.equal((await client(ticket).abortMultipartUpload(ticket.key, uploadId)).res.status, 204);
  });
  await step('refusals name their code and request', async () => {
    const ticket = tickets['put-v1'];
    for (const wrong of [{ access_key_secret: 'wrong' }, { security_token: 'wrong' }])
      await assert.rejects(client(ticket, wrong).put(ticket.key, Buffer.from('x')), (error: object) => {
        const { status, code, requestId } = error as { status: number; code: string; requestId: string };
        return status === 403 && code !== '' && requestId !== '';
      });
  });
  const { 'aborted-v1': _, ...kept } = tickets;
  await step('what was uploaded is there', () => proveUploads(scene, kept));
}
