import { ledgerApi, pageSize } from '@bowerbird/contract';
import type { Drive } from '../drive/index.ts';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Ledger, Plans, Quota, Traffic } from '../membership/index.ts';
import type { Reading } from './ledger-reading-service.ts';
import { causeItem, ledgerItem, limitView, trafficView, usageView } from './ledger-view.ts';

const PAGE = 50;
const PAGE_MAX = 1000;

interface Parts {
  database: Database;
  ledger: Ledger;
  quota: Pick<Quota, 'of'>;
  traffic: Pick<Traffic, 'state'>;
  plans: Plans;
  reading: Reading;
  drive: Pick<Drive, 'breakdown'>;
  cursors: Cursors;
  clock: Clock;
}

export function mountLedger(
  api: Api,
  { database, ledger, quota, traffic, plans, reading, drive, cursors, clock }: Parts,
): void {
  api.handle(ledgerApi.limit, async ({ viewer, caller }) => {
    const { quota: state, parts } = await ledger.limit(viewer.account);
    return limitView(state, parts, clock.now(), caller.locale);
  });

  api.handle(ledgerApi.usage, async ({ viewer }) => {
    const breakdown = await drive.breakdown(viewer.account);
    return usageView(await quota.of(database, viewer.account), breakdown);
  });

  api.handle(ledgerApi.traffic, async ({ viewer }) =>
    trafficView(await traffic.state(database, viewer.account)),
  );

  api.handle(ledgerApi.entries, async ({ query, viewer, caller }) => {
    const filter = reading.filter(query);
    const list = JSON.stringify(['ledger', viewer.account, filter]);
    const after = cursors.place(list, query.page_token)?.[0];
    const { entries, files, causes, next } = await reading.page(viewer.account, filter, {
      after: after === undefined ? undefined : String(after),
      limit: pageSize(query.limit, PAGE, PAGE_MAX),
    });
    return {
      entries: entries.map((entry) =>
        ledgerItem(entry, { plans, locale: caller.locale, file: files.get(entry.reference) }),
      ),
      next_page_token: next === undefined ? '' : cursors.token(list, [next]),
      causes: causes.map(causeItem),
    };
  });
}
