import type { ErrorId } from '@bowerbird/contract';
import type { UploadRow } from './upload.ts';

export interface UploadTables {
  upload: {
    id: string;
    account: string;
    parent: string;
    name: string;
    size: number;
    reserved: number | null;
    announced_hash: string;
    conflict: UploadRow['conflict'];
    task: string;
    state: UploadRow['state'];
    store_key: string | null;
    chosen: string | null;
    hash: string | null;
    failure: ErrorId | null;
    modified_at: number | null;
    created_at: number;
    active_at: number;
    finished_at: number | null;
  };
  upload_part: {
    upload: string;
    number: number;
    version: string;
    size: number;
    position: number | null;
    digests: string;
    created_at: number;
  };
}
