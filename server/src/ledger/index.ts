import type { Drive } from '../drive/index.ts';
import type { Domain, Foundation } from '../foundation/domain/index.ts';
import type { Ledger, Plans, Quota, Traffic } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import { mountLedgerExport } from './ledger-export-routes.ts';
import { createReading } from './ledger-reading-service.ts';
import { mountLedger } from './ledger-routes.ts';

interface Parts extends Foundation {
  ledger: Ledger;
  quota: Pick<Quota, 'of'>;
  traffic: Pick<Traffic, 'state'>;
  plans: Plans;
  tasks: Tasks;
  drive: Pick<Drive, 'breakdown' | 'nodes'>;
}

/** Explains a member's storage: what the limit and the usage consist of, and every change of both. */
export function createLedgerDomain(parts: Parts): Domain {
  const reading = createReading(parts);
  return {
    mount({ api, http }) {
      mountLedger(api, { ...parts, reading });
      mountLedgerExport(http, { ...parts, reading });
    },
  };
}
