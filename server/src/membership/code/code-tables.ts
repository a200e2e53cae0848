import type { CodeAudience } from '@bowerbird/contract';
import type { Generated } from 'kysely';
import type { Batch } from './code.ts';

export interface CodeTables {
  activation_batch: {
    id: string;
    created_at: number;
    count: number;
    kind: Batch['kind'];
    plan: string;
    bytes: number;
    length: number;
    uses: number;
    audience: CodeAudience;
    note: string;
    starts_at: number;
    ends_at: number | null;
    /** Number of times that its codes were redeemed. */
    used: Generated<number>;
  };
  activation_code: {
    digest: string;
    batch: string;
    number: number;
    uses_left: number;
  };
}
