import { Readable } from 'node:stream';
import {
  ApiFailure,
  LEDGER_FORMATS,
  ledgerApi,
  scopeOf,
  type LedgerFormat,
  type Locale,
} from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, memberOf } from '../foundation/http/index.ts';
import type { LedgerFilter, Plans } from '../membership/index.ts';
import { FORMATS } from './ledger-export.ts';
import type { Reading } from './ledger-reading-service.ts';
import { ledgerItem } from './ledger-view.ts';

const AT_ONCE = 500;

/** Offers the ledger as a file. It is written while it is read, so its length doesn't matter. */
export function mountLedgerExport(
  app: FastifyInstance,
  { reading, plans }: { reading: Reading; plans: Plans },
): void {
  async function* write(
    account: string,
    filter: LedgerFilter,
    { format, locale }: { format: LedgerFormat; locale: Locale },
  ): AsyncGenerator<string, void, undefined> {
    const { start, item, end } = FORMATS[format];
    yield start;
    let isFirst = true;
    for (let after: string | undefined, more = true; more;) {
      const { entries, files, next } = await reading.page(account, filter, { after, limit: AT_ONCE });
      const items = entries.map((entry) =>
        ledgerItem(entry, { plans, locale, file: files.get(entry.reference) }),
      );
      if (items.length > 0) yield items.map((one, at) => item(one, isFirst && at === 0)).join('');
      isFirst &&= items.length === 0;
      after = next;
      more = next !== undefined;
    }
    yield end;
  }

  app.get('/vip/v1/ledger/export', { exposeHeadRoute: false }, async ({ query, caller }, reply) => {
    const { account } = await memberOf(caller, scopeOf(ledgerApi.entries));
    const asked = query as Record<string, unknown>;
    const format = LEDGER_FORMATS.find((one) => one === asked['format']);
    if (!format) throw new ApiFailure('invalid_argument', { field: 'format' });
    const filter = reading.filter(asked);
    return reply
      .headers(attachment(FORMATS[format].type, `storage-history.${format}`))
      .send(Readable.from(write(account, filter, { format, locale: caller.locale })));
  });
}
