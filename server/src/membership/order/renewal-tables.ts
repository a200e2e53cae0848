import type { RenewalState } from '@bowerbird/contract';

export interface RenewalTables {
  renewal: {
    id: string;
    account: string;
    subscription: string;
    first_order: string;
    last_order: string;
    plan: string;
    state: RenewalState;
    next_at: number | null;
    told: string;
    asks: number;
    answered: number;
    asked_at: number;
    created_at: number;
    ended_at: number | null;
  };
}
