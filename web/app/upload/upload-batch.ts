import { ApiFailure, driveApi, ERRORS, isApiFailure, isErrorId, LIMITS } from '@bowerbird/contract';
import type { Entry, Shipment } from './upload-entry.ts';
import { dateOf, uploadFailure } from './upload-run.ts';
import type { UploadJob, UploadTools } from './upload-tools.ts';

export type BatchResult = { readonly nodeId: string; readonly name: string } | ApiFailure;

/** Up to this many small files are sent one by one. */
export const FEW = 8;
/**
 * Bytes of one request: its progress is unknown until it is answered. With the descriptions of the files it stays below
 * 1 MiB, the most that nginx accepts by default.
 */
const REQUEST_BYTES = 896 * 1024;
const TRIES = 6;

/** Queued files that are small enough to be sent together with others. */
export function smallFiles(entries: Iterable<Entry>): Entry[] {
  return [...entries].filter(
    ({ item, file }) => item.state === 'queued' && file && file.size <= LIMITS.uploadBatchFileBytes,
  );
}

/** Returns the files to send in the next request, if there are more than a few. */
export function nextShipment(small: readonly Entry[], freshKey: () => string): Shipment | undefined {
  const earlier = small[0]?.shipment;
  const stop = new AbortController();
  // The server may have received an earlier request that was not answered.
  if (earlier?.entries.every((entry) => small.includes(entry))) return { ...earlier, stop };
  if (small.length <= FEW) return undefined;
  const entries: Entry[] = [];
  let bytes = 0;
  for (const entry of small.slice(0, LIMITS.uploadBatch)) {
    bytes += entry.file!.size;
    if (bytes > REQUEST_BYTES && entries.length > 0) break;
    entries.push(entry);
  }
  return { entries, key: freshKey(), stop };
}

/** Uploads files in one request. Returns a result for each of them; rejects if the request failed as a whole. */
export async function uploadBatch(
  jobs: readonly UploadJob[],
  key: string,
  tools: UploadTools,
  signal: AbortSignal,
): Promise<BatchResult[]> {
  const contents = await Promise.all(jobs.map(({ file }) => file.arrayBuffer().catch(uploadFailure)));
  const readable = jobs.flatMap((job, at) => {
    const bytes = contents[at]!;
    return bytes instanceof ArrayBuffer ? [{ job, bytes }] : [];
  });
  const files = readable.map(({ job, bytes }) => ({
    name: job.name,
    parent_id: job.folderId,
    size: bytes.byteLength,
    conflict: job.conflict,
    ...dateOf(job.file),
  }));
  const input = { body: { files }, bytes: new Blob(readable.map(({ bytes }) => bytes)) };
  const results = files.length > 0 ? await sent(input, key, tools, signal) : [];
  const replies = results.values();
  return contents.map((bytes) => {
    if (!(bytes instanceof ArrayBuffer)) return bytes;
    const { id, name, error, error_description: text } = replies.next().value!;
    if (error === '') return { nodeId: id, name };
    return new ApiFailure(isErrorId(error) ? error : 'unknown', {}, text);
  });
}

/** Retries faults with growing pauses; when offline, waits for the network. */
async function sent(
  input: { body: { files: { name: string; size: number }[] }; bytes: Blob },
  key: string,
  { call, online, sleep }: UploadTools,
  signal: AbortSignal,
) {
  for (let tries = 1; ; tries++) {
    try {
      const { results } = await call(driveApi.uploadMany, input, { signal, idempotencyKey: key });
      return results;
    } catch (error) {
      signal.throwIfAborted();
      if (!isUncertain(error) || tries >= TRIES) throw error;
      await online(signal);
      await sleep(500 * 2 ** tries, signal);
    }
  }
}

/** Returns true if a request that failed this way may have taken effect, or may succeed later. */
export function isUncertain(error: unknown): boolean {
  return !isApiFailure(error) || ERRORS[error.id].status >= 500 || ERRORS[error.id].status === 429;
}
