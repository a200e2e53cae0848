import type { ApiCall } from '@bowerbird/contract';
import type { PartSizes } from './part/part-sizes.ts';
import type { ResumeRecords } from './resume-records.ts';
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
  readonly sizes: PartSizes;
}

export interface UploadEvents {
  state(state: UploadState): void;
  loaded(bytes: number): void;
}
