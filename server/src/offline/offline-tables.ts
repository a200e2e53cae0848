import type { SourceFileRow, SourceRow } from './offline.ts';

/** Columns as the migrations create them. */
export interface OfflineTables {
  source: {
    id: string;
    key: string;
    kind: SourceRow['kind'];
    /** A FetchSpec as JSON, encrypted: it may contain a member's cookies. */
    spec: string;
    state: SourceRow['state'];
    generation: number;
    name: string | null;
    size: number | null;
    file_count: number | null;
    validator: string | null;
    modified_at: number | null;
    resume: string | null;
    failure: string | null;
    looked_at: number | null;
    /** The torrent source that this address leads to. */
    leads_to: string | null;
    attempts: number;
    priority: number;
    queued_at: number | null;
    not_before: number;
    lease_owner: string | null;
    lease_until: number | null;
    created_at: number;
    updated_at: number;
  };
  source_file: {
    source: string;
    position: number;
    path: string;
    size: number | null;
    received: number;
    state: SourceFileRow['state'];
    failure: string | null;
    hash: string | null;
  };
  offline: {
    task: string;
    account: string;
    source: string;
    parent: string;
    selection: string | null;
    root: string | null;
    reserved: number;
    active: number;
    paused: number;
    priority: number;
    start_at: number;
    created_at: number;
  };
  offline_file: { task: string; position: number; node: string };
  offline_day: { account: string; day: string; tasks: number; bytes: number };
}
