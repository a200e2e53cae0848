import { Download } from 'lucide-react';
import { Form, useNavigation, useSubmit } from 'react-router';
import type { LedgerFormat, LedgerItem, ledgerApi, LedgerResource, ReplyOf } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Select } from '#app/ui/form/select.tsx';
import { causeText, changeText, entryText, PERIODS, type Period } from './ledger-words.ts';

export interface HistoryFilter {
  readonly resource: LedgerResource | '';
  readonly cause: string;
  readonly period: Period;
  /** Start of the period, RFC 3339; "" for all times. */
  readonly since: string;
  /** Token of the page; "" for the newest. */
  readonly page: string;
}

const ADDRESS = '/drive/storage';

/** Address of the page with these filters, without those that are empty. */
function addressOf({ resource, cause, period, since, page }: HistoryFilter): string {
  const parameters = { show: resource, cause, period, ...(page === '' ? {} : { since, page }) };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return query.size === 0 ? ADDRESS : `${ADDRESS}?${query.toString()}`;
}

/** Address of the export with these filters. */
function exportOf(format: LedgerFormat, { resource, cause, since }: HistoryFilter): string {
  const parameters = { format, resource, cause, since };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return `/vip/v1/ledger/export?${query.toString()}`;
}

/** Every change of the limit and of the usage, with filters, a page at a time. */
export function History({
  history: { entries, next_page_token: next, causes },
  filter,
  className,
}: {
  history: ReplyOf<typeof ledgerApi.entries>;
  filter: HistoryFilter;
  className?: string;
}) {
  const t = useT();
  return (
    <Card title={t('ledger.history')} className={className}>
      <Filters filter={filter} causes={causes} />
      {entries.length === 0 ? (
        <p className="py-8 text-center text-ink-2">{t('ledger.none')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {filter.page !== '' && (
          <Button href={addressOf({ ...filter, page: '' })}>{t('ledger.newest')}</Button>
        )}
        {next !== '' && <Button href={addressOf({ ...filter, page: next })}>{t('ledger.older')}</Button>}
        <span className="ml-auto flex flex-wrap gap-2">
          {(['csv', 'json'] as const).map((format) => (
            <Button key={format} variant="plain" icon={<Download />} href={exportOf(format, filter)} download>
              {t('ledger.export', { format: format.toUpperCase() })}
            </Button>
          ))}
        </span>
      </div>
    </Card>
  );
}

/** Applied as soon as one is changed. Without scripts, the browser sends them with Enter. */
function Filters({
  filter,
  causes,
}: {
  filter: HistoryFilter;
  causes: readonly { readonly resource: LedgerResource; readonly cause: string }[];
}) {
  const t = useT();
  const path = useLocalePath();
  const submit = useSubmit();
  const { location } = useNavigation();
  // The latest choice stays selected while its page is loading.
  const chosen =
    location?.pathname === path(ADDRESS)
      ? Object.fromEntries(new URLSearchParams(location.search))
      : { show: filter.resource, cause: filter.cause, period: filter.period };
  const { show: resource = '', cause = '', period = '' } = chosen;
  const known = new Set(
    causes.filter((one) => resource === '' || one.resource === resource).map((one) => one.cause),
  );
  if (cause !== '') known.add(cause);
  return (
    <Form
      method="get"
      action={path(ADDRESS)}
      preventScrollReset
      role="search"
      aria-label={t('ledger.filters')}
      onChange={(event) => {
        const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
        void submit(new URLSearchParams(filled as [string, string][]), {
          action: path(ADDRESS),
          preventScrollReset: true,
          replace: true,
        });
      }}
      className="mb-3 grid gap-3 sm:grid-cols-3"
    >
      <Select
        name="show"
        label={t('ledger.show')}
        value={resource}
        options={[
          { value: '', label: t('ledger.show.all') },
          { value: 'limit', label: t('ledger.show.limit') },
          { value: 'usage', label: t('ledger.show.usage') },
        ]}
      />
      <Select
        name="cause"
        label={t('ledger.causes')}
        value={cause}
        options={[
          { value: '', label: t('ledger.causes.all') },
          ...[...known].map((one) => ({ value: one, label: causeText(t, one) })),
        ]}
      />
      <Select
        name="period"
        label={t('ledger.period')}
        value={period}
        options={[
          { value: '', label: t('ledger.period.all') },
          ...PERIODS.map((days) => ({
            value: days,
            label: t('ledger.period.days', { count: Number(days) }),
          })),
        ]}
      />
    </Form>
  );
}

function Entry({ entry }: { entry: LedgerItem }) {
  const t = useT();
  const format = useFormat();
  const { resource, amount, created_time: at, file } = entry;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2.5 md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="text-13 text-ink-2 tabular-nums max-md:order-last max-md:col-span-2">
        <DateTime at={at} />
      </span>
      <span className="min-w-0">
        <span className="text-ink-2">
          {resource === 'limit' ? t('ledger.show.limit') : t('ledger.show.usage')}
          {' · '}
        </span>
        <span className="font-medium wrap-anywhere">{entryText(t, entry)}</span>
        {file && (
          <LocaleLink
            to={
              file.kind === 'drive#folder'
                ? `/drive/all/${file.id}`
                : `/drive/all${file.parent_id && `/${file.parent_id}`}?open_file=${file.id}`
            }
            className="mt-0.5 block truncate text-13 text-blue-strong underline underline-offset-3"
          >
            {shownName(file.name)}
          </LocaleLink>
        )}
      </span>
      <span className={cx('num font-medium', Number(amount) < 0 ? 'text-ink-2' : 'text-ink')}>
        {changeText(format, amount)}
      </span>
    </li>
  );
}
