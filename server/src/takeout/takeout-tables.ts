import type { TakeoutState } from './takeout.ts';

export interface TakeoutTables {
  takeout: {
    id: string;
    account: string;
    state: TakeoutState;
    progress: number;
    locale: string;
    store_key: string | null;
    size: number | null;
    created_at: number;
    expires_at: number | null;
  };
}
