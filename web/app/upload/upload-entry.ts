import type { Incoming } from './dropped.ts';
import type { ResumeRecord } from './resume-records.ts';
import type { ConflictChoice, Target, UploadItem } from './upload-item.ts';

/** Upload in the queue: what the screen shows of it, and what running it needs. */
export interface Entry {
  item: UploadItem;
  file: File | undefined;
  conflict: ConflictChoice;
  /** True if the name was taken: the server may choose another. */
  clashed: boolean;
  merge: boolean;
  stop: AbortController | undefined;
  record: ResumeRecord | undefined;
  /** Request that sends the file together with others, or has sent it without being answered. */
  shipment: Shipment | undefined;
}

/** Files that are sent in one request. */
export interface Shipment {
  readonly entries: readonly Entry[];
  /** With the same key, the request takes effect once, however often it is sent. */
  readonly key: string;
  readonly stop: AbortController;
}

/** Returns the entry of a file that was just chosen; `chosen` answers the question about its name, if there was one. */
export function newEntry(
  { id, batch }: { id: number; batch: number },
  { file, folders }: Incoming,
  target: Target,
  chosen: ConflictChoice | undefined,
): Entry {
  const choice = chosen ?? 'rename';
  return {
    item: {
      id,
      batch,
      name: file.name,
      size: file.size,
      targetId: target.id,
      targetName: target.name,
      folders,
      state: choice === 'skip' ? 'skipped' : 'queued',
      loaded: 0,
      error: undefined,
      errorText: undefined,
      nodeId: undefined,
      folderId: folders.length === 0 ? target.id : undefined,
    },
    file,
    conflict: choice,
    clashed: chosen === 'rename' && folders.length === 0,
    merge: choice === 'replace',
    stop: undefined,
    record: undefined,
    shipment: undefined,
  };
}

/** Returns the entry of an upload that was interrupted by a reload and waits for its file. */
export function interruptedEntry({ id, batch }: { id: number; batch: number }, record: ResumeRecord): Entry {
  return {
    item: {
      id,
      batch,
      name: record.name,
      size: record.size,
      targetId: record.folderId,
      targetName: record.folderName,
      folders: [],
      state: 'waiting',
      loaded: record.arrived ?? 0,
      error: undefined,
      errorText: undefined,
      nodeId: record.nodeId,
      folderId: record.folderId,
    },
    file: undefined,
    conflict: 'rename',
    clashed: false,
    merge: false,
    stop: undefined,
    record,
    shipment: undefined,
  };
}
