export interface UploadTables {
  upload: {
    id: string;
    account: string;
    parent: string;
    name: string;
    size: number;
    announced_hash: string;
    conflict: string;
    task: string;
    state: string;
    store_key: string | null;
    chosen: string | null;
    hash: string | null;
    failure: string | null;
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
