import type { ItemState, SubscriptionKind } from '@bowerbird/contract';

/** Columns as the migrations create them. */
export interface SubscriptionTables {
  subscription: {
    id: string;
    account: string;
    kind: SubscriptionKind;
    /** Encrypted, because addresses of feeds may contain secret keys of their readers. */
    url: string;
    revision: number;
    name: string;
    parent: string | null;
    every_minutes: number;
    filters: string;
    active: number;
    take_existing: number;
    begun: number;
    validator: string | null;
    version: string | null;
    failures: number;
    failure: string | null;
    last_run_at: number | null;
    next_run_at: number;
    running_since: number | null;
    removed_at: number | null;
    created_at: number;
    updated_at: number;
  };
  subscription_item: {
    subscription: string;
    key: string;
    title: string;
    /** Encrypted as well. */
    url: string | null;
    size: number | null;
    published_at: number | null;
    found_at: number;
    place: number;
    state: ItemState;
    task: string | null;
    failure: string | null;
  };
}
