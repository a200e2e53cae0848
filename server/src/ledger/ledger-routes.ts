import { ledgerApi, pageSize } from '@bowerbird/contract';
import type { Drive } from '../drive/index.ts';
import type { Cursors } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Ledger, Plans } from '../membership/index.ts';
import type { Reading } from './ledger-reading-service.ts';
import { causeItem, ledgerItem, limitView, usageView } from './ledger-view.ts';

const PAGE = 50;
const PAGE_MAX = 1000;

interface Parts {
  ledger: Ledger;
  plans: Plans;
  reading: Reading;
  drive: Pick<Drive, 'breakdown'>;
  cursors: Cursors;
  clock: Clock;
}

export function mountLedger(api: Api, { ledger, plans, reading, drive, cursors, clock }: Parts): void {
  api.handle(ledgerApi.limit, async ({ viewer, caller }) => {
    const { quota, parts } = await ledger.limit(viewer.account);
    return limitView(quota, parts, clock.now(), caller.locale);
  });

  api.handle(ledgerApi.usage, async ({ viewer }) => {
    const breakdown = await drive.breakdown(viewer.account);
    const { quota } = await ledger.limit(viewer.account);
    return usageView(quota, breakdown);
  });

  api.handle(ledgerApi.entries, async ({ query, viewer, caller }) => {
    const filter = reading.filter(query);
    const list = JSON.stringify(['ledger', viewer.account, filter]);
    const after = cursors.place(list, query.page_token)?.[0];
    const { entries, files, next } = await reading.page(viewer.account, filter, {
      after: after === undefined ? undefined : String(after),
      limit: pageSize(query.limit, PAGE, PAGE_MAX),
    });
    return {
      entries: entries.map((entry) =>
        ledgerItem(entry, { plans, locale: caller.locale, file: files.get(entry.reference) }),
      ),
      next_page_token: next === undefined ? '' : cursors.token(list, [next]),
      causes: (await ledger.causes(viewer.account)).map(causeItem),
    };
  });
}
