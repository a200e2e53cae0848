import type { Audience, Batch } from './code.ts';

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
    audience: Audience;
    note: string;
    starts_at: number;
    ends_at: number | null;
  };
  activation_code: {
    digest: string;
    batch: string;
    number: number;
    uses_left: number;
  };
}
