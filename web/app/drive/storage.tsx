import { isApiFailure, ledgerApi, LEDGER_RESOURCES, type ApiCall } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import {
  History,
  LimitCard,
  PERIODS,
  TrafficList,
  UsageCard,
  type HistoryFilter,
} from '#app/membership/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Card } from '#app/ui/card.tsx';
import type { Route } from './+types/storage';
import { PlaceTitle, TopBar } from './top-bar.tsx';

const DAY_MS = 24 * 3600 * 1000;
const PAGE = 50;

/** Reads the filters of the history from the address. */
function filterIn(url: URL): HistoryFilter {
  const parameter = (name: string): string => url.searchParams.get(name) ?? '';
  const period = PERIODS.find((days) => days === parameter('period')) ?? '';
  // A page's token fits only its own filters, so the start of a period is part of the address of older pages.
  const start = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - Number(period) * DAY_MS).toISOString();
  return {
    resource: LEDGER_RESOURCES.find((one) => one === parameter('show')) ?? '',
    cause: parameter('cause').slice(0, 64),
    period,
    since: period === '' ? '' : parameter('since') || start,
    page: parameter('page'),
  };
}

async function entriesOf(call: ApiCall, { resource, cause, since, page }: HistoryFilter) {
  const query = {
    ...(resource === '' ? {} : { resource }),
    ...(cause === '' ? {} : { cause }),
    ...(since === '' ? {} : { since }),
    limit: PAGE,
  };
  try {
    return await call(ledgerApi.entries, { query: { ...query, page_token: page } });
  } catch (error) {
    // An address from another time, or one that was edited: its filters still apply, from the beginning.
    if (!isApiFailure(error) || error.id !== 'invalid_argument' || page === '') throw error;
    return call(ledgerApi.entries, { query });
  }
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const filter = filterIn(url);
  const [limit, traffic, history] = await Promise.all([
    call(ledgerApi.limit, {}),
    call(ledgerApi.traffic, {}),
    entriesOf(call, filter),
  ]);
  return { limit, traffic, history, filter };
}

/** Parts of a member's storage limit, its usage, and every change of both. */
export default function StoragePage({
  loaderData: { limit, traffic, history, filter },
}: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const title = t('ledger.title', { size: format.bytes(limit.limit) });
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar>
        <PlaceTitle>{title}</PlaceTitle>
      </TopBar>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-240 gap-4 px-6 pt-2 pb-24 max-md:px-4 lg:grid-cols-2">
          <div className="grid content-start gap-4">
            <LimitCard limit={limit} />
            <Card title={t('ledger.traffic')}>
              <TrafficList traffic={traffic} />
            </Card>
          </div>
          <UsageCard limit={limit} />
          <History className="lg:col-span-2" history={history} filter={filter} />
        </div>
      </div>
    </>
  );
}
