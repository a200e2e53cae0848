import {
  ApiFailure,
  driveApi,
  fileTime,
  isApiFailure,
  taskApi,
  type UploadTicket,
} from '@bowerbird/contract';
import { ObjectFailure, objects } from './object-requests.ts';
import { USUAL_PART, unitOf } from './part/part-plan.ts';
import type { PartSizes } from './part/part-sizes.ts';
import { sendParts } from './part/send-parts.ts';
import { patiently } from './patience.ts';
import { fingerprint, type ResumeRecord } from './resume-records.ts';
import type { UploadEvents, UploadJob, UploadTools } from './upload-tools.ts';

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
  const record = tools.records.find(print);
  if (record) {
    const nodeId = await sendRest(job, record, tools, events, signal);
    if (nodeId !== undefined) return nodeId;
  }
  const opened = await openTicket(job, tools, signal);
  if (opened.ticket === undefined) {
    events.loaded(job.file.size);
    return opened.nodeId;
  }
  const { ticket } = opened;
  if (fitsOneBody(job.file, tools.sizes)) {
    events.state('uploading');
    try {
      if (await sendWhole(job.file, ticket, tools, events, signal)) return opened.nodeId;
    } catch (error) {
      // The next attempt requests a new ticket; this one returns its quota.
      await tools.call(taskApi.remove, { query: { task_ids: opened.taskId } }).catch(() => undefined);
      throw error;
    }
    events.loaded(0);
  }
  const fresh: Omit<ResumeRecord, 'uploadId'> = {
    fingerprint: print,
    name: job.name,
    size: job.file.size,
    folderId: job.folderId,
    folderName: job.folderName,
    nodeId: opened.nodeId,
    taskId: opened.taskId,
    ticket,
    unit: unitOf(job.file.size),
    savedAt: tools.now(),
  };
  let uploadId: string;
  try {
    uploadId = await patiently(tools, signal, () => objects.begin(ticket, signal));
  } catch (error) {
    // The whole body may have arrived, although its response said that it took too long.
    if (!(error instanceof ObjectFailure && error.gone && (await objects.isWhole(ticket, signal))))
      throw error;
    events.loaded(job.file.size);
    return opened.nodeId;
  }
  const begun = { ...fresh, uploadId };
  tools.records.save(begun);
  return sendParts(job.file, begun, tools, events, signal);
}

/** Files that are sent in one request, if what is in between lets it through. */
const fitsOneBody = ({ size }: File, sizes: PartSizes): boolean =>
  size <= Math.max(unitOf(size), Math.min(USUAL_PART, sizes.next));

/** Sends a file in one body. Returns false if it's too large for that, on the network as it is. */
async function sendWhole(
  file: File,
  ticket: UploadTicket['params'],
  tools: UploadTools,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<boolean> {
  const isTooLarge = ({ status }: ObjectFailure): boolean =>
    status !== 0 && tools.sizes.failed(file.size, status) && file.size > unitOf(file.size);
  const began = tools.now();
  try {
    const put = () => objects.putWhole(ticket, file, signal, events.loaded);
    await patiently(tools, signal, put, ({ status }) => status === 408 || status === 504 || status === 524);
    tools.sizes.arrived(file.size, tools.now() - began);
    return true;
  } catch (error) {
    if (!signal.aborted && error instanceof ObjectFailure && isTooLarge(error)) return false;
    throw error;
  }
}

/** Continues an upload. Returns undefined if the server doesn't have it any more, so that it starts over. */
async function sendRest(
  job: UploadJob,
  record: ResumeRecord,
  tools: UploadTools,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await sendParts(job.file, record, tools, events, signal);
  } catch (error) {
    if (!(error instanceof ObjectFailure && error.gone)) throw error;
    // Either the server completed the upload in the meantime, or it deleted it and we start over.
    const isWhole = await patiently(tools, signal, () => objects.isWhole(record.ticket, signal));
    tools.records.forget(record.fingerprint);
    if (!isWhole) return undefined;
    events.loaded(job.file.size);
    return record.nodeId;
  }
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
