import {
  ApiFailure,
  driveApi,
  fileTime,
  isApiFailure,
  taskApi,
  type ApiCall,
  type UploadTicket,
} from '@bowerbird/contract';
import { ObjectFailure, objects } from './object-requests.ts';
import { planParts, SINGLE_UP_TO, type Part } from './part-plan.ts';
import { fingerprint, type ResumeRecord, type ResumeRecords } from './resume-records.ts';
import type { ConflictChoice, UploadState } from './upload-item.ts';

export interface UploadJob {
  readonly file: File;
  readonly name: string;
  readonly folderId: string;
  readonly folderName: string;
  readonly conflict: ConflictChoice;
}

export interface UploadTools {
  readonly call: ApiCall;
  readonly user: string;
  readonly records: ResumeRecords;
  readonly freshKey: () => string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly online: (signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

export interface UploadEvents {
  state(state: UploadState): void;
  loaded(bytes: number): void;
}

/** Parts of one file sent in parallel. */
const PARTS_AT_ONCE = 3;
const TRIES = 6;

/**
 * Uploads one file with the same ticket as any other client. Resolves with the file's id once it is complete and
 * visible. Aborting keeps the data on the server, so that another run can resume.
 */
export async function runUpload(
  job: UploadJob,
  tools: UploadTools,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<string> {
  const print = fingerprint(tools.user, job.folderId, job.file);
  events.state('preparing');
  const record = job.file.size > SINGLE_UP_TO ? tools.records.find(print) : undefined;
  if (record) {
    try {
      return await sendParts(job, record, tools, events, signal);
    } catch (error) {
      if (!(error instanceof ObjectFailure && error.gone)) throw error;
      // Either the server completed the upload in the meantime, or it deleted it and we start over.
      const isWhole = await patiently(tools, signal, () => objects.isWhole(record.ticket, signal));
      tools.records.forget(print);
      if (isWhole) {
        events.loaded(job.file.size);
        return record.nodeId;
      }
    }
  }
  const opened = await openTicket(job, tools, signal);
  if (opened.ticket === undefined) {
    events.loaded(job.file.size);
    return opened.nodeId;
  }
  const { ticket } = opened;
  if (job.file.size <= SINGLE_UP_TO) {
    events.state('uploading');
    try {
      await patiently(tools, signal, () => objects.putWhole(ticket, job.file, signal, events.loaded));
    } catch (error) {
      // The next attempt requests a new ticket; this one returns its quota.
      await tools.call(taskApi.remove, { query: { task_ids: opened.taskId } }).catch(() => undefined);
      throw error;
    }
    return opened.nodeId;
  }
  const uploadId = await patiently(tools, signal, () => objects.begin(ticket, signal));
  const fresh: ResumeRecord = {
    fingerprint: print,
    name: job.name,
    size: job.file.size,
    folderId: job.folderId,
    folderName: job.folderName,
    nodeId: opened.nodeId,
    taskId: opened.taskId,
    ticket,
    uploadId,
    savedAt: tools.now(),
  };
  tools.records.save(fresh);
  return sendParts(job, fresh, tools, events, signal);
}

async function openTicket(
  job: UploadJob,
  { call, freshKey }: UploadTools,
  signal: AbortSignal,
): Promise<{ nodeId: string; taskId: string; ticket: UploadTicket['params'] | undefined }> {
  const { file, resumable, task } = await call(
    driveApi.create,
    {
      body: {
        kind: 'drive#file',
        name: job.name,
        parent_id: job.folderId,
        size: job.file.size,
        upload_type: 'UPLOAD_TYPE_RESUMABLE',
        resumable: { provider: 'PROVIDER_ALIYUN' },
        conflict: job.conflict,
        ...dateOf(job.file),
      },
    },
    { signal, idempotencyKey: freshKey() },
  );
  if (!file) throw new ApiFailure('internal');
  return { nodeId: file.id, taskId: task?.id ?? '', ticket: resumable?.params };
}

/** Some systems assign files dates that no calendar has. */
export function dateOf({ lastModified }: File): { user_modified_time?: string } {
  const time = fileTime(lastModified);
  return time === undefined ? {} : { user_modified_time: new Date(time).toISOString() };
}

async function sendParts(
  job: UploadJob,
  record: ResumeRecord,
  tools: UploadTools,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<string> {
  const { ticket, uploadId } = record;
  const held = await patiently(tools, signal, () => objects.listParts(ticket, uploadId, signal));
  const plan = planParts(job.file.size);
  const etags = new Map<number, string>();
  for (const part of plan) {
    const known = held.get(part.number);
    if (known?.size === part.end - part.start) etags.set(part.number, known.etag);
  }
  events.state('uploading');
  const missing = plan.filter((part) => !etags.has(part.number));
  const underWay = new Map<number, number>();
  let landed = plan
    .filter((part) => etags.has(part.number))
    .reduce((sum, part) => sum + part.end - part.start, 0);
  const tell = (): void =>
    events.loaded(landed + [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0));
  tell();

  const sendOne = async (part: Part): Promise<void> => {
    const body = job.file.slice(part.start, part.end);
    const etag = await patiently(tools, signal, () =>
      objects.putPart(ticket, uploadId, part.number, body, signal, (bytes) => {
        underWay.set(part.number, bytes);
        tell();
      }),
    );
    underWay.delete(part.number);
    landed += part.end - part.start;
    tools.records.reached(record.fingerprint, landed);
    etags.set(part.number, etag);
    tell();
  };
  const failed = new AbortController();
  const lane = async (): Promise<void> => {
    for (let part = missing.shift(); part && !failed.signal.aborted; part = missing.shift())
      await sendOne(part);
  };
  await Promise.all(
    Array.from({ length: PARTS_AT_ONCE }, () =>
      lane().catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  events.state('finishing');
  await patiently(tools, signal, () => objects.complete(ticket, uploadId, etags, signal));
  tools.records.forget(record.fingerprint);
  return record.nodeId;
}

/** Retries recoverable errors with growing pauses; when offline, waits for the network. */
async function patiently<R>(
  { sleep, online }: UploadTools,
  signal: AbortSignal,
  request: () => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ObjectFailure) || !error.retry || tries >= TRIES) throw error;
      await online(signal);
      await sleep(500 * 2 ** tries, signal);
    }
  }
}

/** Converts the error of an upload to one of the error catalog. */
export function uploadFailure(error: unknown): ApiFailure {
  if (isApiFailure(error)) return error;
  if (error instanceof ObjectFailure)
    return new ApiFailure(
      error.reason ?? (error.status === 0 ? 'unreachable' : error.gone ? 'upload_not_found' : 'unavailable'),
    );
  // Reading the file failed: it was moved, changed or can't be opened.
  return new ApiFailure(
    error instanceof DOMException && error.name.startsWith('Not') ? 'upload_size_mismatch' : 'internal',
  );
}
