import { randomBytes, randomUUID } from 'node:crypto';
import { driveApi, LIMITS } from '@bowerbird/contract';
import { batchBody, type BatchReply } from '../../server/testing/index.ts';

export const SMALL_FILE = 4096;

/** A server, and a member who uploads to it. */
export interface Uploader {
  readonly url: string;
  readonly token: string;
}

/**
 * Runs `work` for each file, or for `step` of them at a time, in parallel `lanes`. Returns the number of files per
 * second.
 */
export async function rate(
  files: number,
  work: (file: number) => Promise<void>,
  { lanes, step = 1 }: { lanes: number; step?: number },
): Promise<number> {
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < files) {
        const file = next;
        next += step;
        await work(file);
      }
    }),
  );
  return files / ((performance.now() - started) / 1000);
}

export async function post(
  { url, token }: Uploader,
  path: string,
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

export async function makeFolder(uploader: Uploader, name: string): Promise<string> {
  const body = JSON.stringify({ kind: 'drive#folder', name });
  const made = (await (await post(uploader, driveApi.create.path, body)).json()) as { file: { id: string } };
  return made.file.id;
}

/** Files per second of small files that are uploaded to a folder in batches, two in parallel, as the web client does. */
export function batchRate(uploader: Uploader, parent: string, files: number): Promise<number> {
  const send = async (first: number): Promise<void> => {
    const batch = Array.from({ length: LIMITS.uploadBatch }, (_, at) => ({
      name: `${first + at}.bin`,
      parent_id: parent,
      bytes: randomBytes(SMALL_FILE),
    }));
    const key = { 'idempotency-key': randomUUID() };
    const reply = await post(uploader, driveApi.uploadMany.path, batchBody(batch), key);
    const { results } = (await reply.json()) as BatchReply;
    if (results.some(({ error }) => error !== '')) throw new Error(JSON.stringify(results));
  };
  return rate(files, send, { lanes: 2, step: LIMITS.uploadBatch });
}
