import type { Mark } from './share.ts';

export interface ShareTables {
  share: {
    id: string;
    account: string;
    title: string;
    passcode: string | null;
    passcode_version: number;
    expires_at: number | null;
    expiration_days: number;
    restore_limit: number;
    restore_count: number;
    restore_reserved: number;
    view_count: number;
    download_count: number;
    root_count: number;
    root_size: number;
    mark: Mark;
    mark_covered: number;
    paused_at: number | null;
    cancelled_at: number | null;
    share_to: string;
    created_at: number;
    updated_at: number;
  };
  share_root: {
    share: string;
    node: string;
    position: number;
  };
}
