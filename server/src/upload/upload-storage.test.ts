import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driveApi, gcidBlockSize } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askTicket, objectClient, openTestApp, type Member, type TestApp } from '../../testing/index.ts';

const KIB = 1024;

/** Storage of its own: a bucket for an S3 service, a folder for the disk. */
function addressOf(engine: 'disk' | 's3', folder: string): string {
  if (engine === 'disk') return folder;
  const url = new URL(process.env['TEST_S3_URL']!);
  url.pathname += `/upload-${randomBytes(6).toString('hex')}`;
  return url.href;
}

function gcidOf(bytes: Buffer): string {
  const block = gcidBlockSize(bytes.length);
  const hash = createHash('sha1');
  for (let at = 0; at < bytes.length; at += block)
    hash.update(
      createHash('sha1')
        .update(bytes.subarray(at, at + block))
        .digest(),
    );
  return hash.digest('hex').toUpperCase();
}

describe.each(['disk', 's3'] as const)('on %s', (engine) => {
  let app: TestApp;
  let ann: Member;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bowerbird-upload-'));
    app = await openTestApp({ storage: await openBlobStore(addressOf(engine, folder)) });
    ann = await app.signUp('ann');
  });
  afterAll(async () => {
    for await (const { key } of app.storage.list('')) await app.storage.remove(key);
    for await (const { uploadId } of app.storage.staged()) await app.storage.discard(uploadId);
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const begin = async (size: number) => {
    const { resumable, file } = await askTicket(ann, { name: 'a.bin', size });
    return { client: objectClient(app, resumable!.params), id: file!.id };
  };
  const contentOf = async (id: string): Promise<Buffer> => {
    const file = await ann.call(driveApi.get, { params: { id }, query: {} });
    return (await ann.inject({ url: file.web_content_link.replace('http://drive.test', '') })).rawPayload;
  };

  test('parts that split blocks, in parallel and in any order, become the right file', async () => {
    const bytes = randomBytes(4500 * KIB + 1);
    const { client, id } = await begin(bytes.length);
    const size = 777 * KIB;
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => ({
      number: at + 1,
      body: bytes.subarray(at * size, (at + 1) * size),
    }));
    const etags = Object.fromEntries(
      await Promise.all(
        parts
          .toReversed()
          .map(async ({ number, body }) => [number, await client.putPart(number, body)] as const),
      ),
    );
    expect((await client.list()).all('PartNumber')).toEqual(parts.map(({ number }) => String(number)));
    expect((await client.complete(etags)).status).toBe(200);
    const file = await ann.call(driveApi.get, { params: { id }, query: {} });
    expect(file.hash).toBe(gcidOf(bytes));
    expect((await contentOf(id)).equals(bytes)).toBe(true);
  });

  test('a body in one piece, an empty file, and parallel completions succeed', async () => {
    const bytes = randomBytes(600 * KIB);
    const whole = await begin(bytes.length);
    expect((await whole.client.put(bytes)).status).toBe(200);
    expect((await contentOf(whole.id)).equals(bytes)).toBe(true);
    expect((await askTicket(ann, { name: 'empty', size: 0 })).file!.phase).toBe('PHASE_TYPE_COMPLETE');
    const several = await begin(10);
    const etag = await several.client.putPart(1, '0123456789');
    const replies = await Promise.all([1, 2, 3].map(() => several.client.complete({ 1: etag })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('an abort leaves nothing staged and nothing stored', async () => {
    const before = await Array.fromAsync(app.storage.list('blob/'));
    const { client } = await begin(1000);
    await client.putPart(1, randomBytes(900));
    expect((await client.abort()).status).toBe(204);
    await expect
      .poll(async () => (await Array.fromAsync(app.storage.staged())).map(({ uploadId }) => uploadId), {
        timeout: 5000,
      })
      .not.toContain(`up-${client.ticket.key}`);
    expect(await Array.fromAsync(app.storage.list('blob/'))).toEqual(before);
  });
});
