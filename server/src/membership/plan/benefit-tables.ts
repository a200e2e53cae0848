import type { Generated } from 'kysely';
import type { Cause } from './benefit.ts';

export interface BenefitTables {
  benefit: {
    id: string;
    account: string;
    kind: 'plan' | 'storage' | 'traffic';
    plan: string;
    bytes: number;
    length: number | null;
    cause: Cause;
    reference: string;
    granted_at: number;
    revoked_at: number | null;
    starts_at: number;
    ends_at: number | null;
    /** When the member is to be reminded of the end; null for never. */
    remind_at: number | null;
    /** Number of reminders that were sent or skipped. */
    reminded: Generated<number>;
  };
}
