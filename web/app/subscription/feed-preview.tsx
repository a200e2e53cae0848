import { useQuery } from '@tanstack/react-query';
import { Check, Minus } from 'lucide-react';
import { passes, type Filters } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { previewQuery, type Preview } from './subscription-cache.ts';

const SHOWN = 50;

/**
 * Current items of a feed, with those that match the filters: recomputed with every letter, without requesting
 * the feed again.
 */
export function FeedPreview({ url, filters }: { url: string; filters: Filters | undefined }) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const { data, error, isFetching } = useQuery(previewQuery(call, url));
  return (
    <section
      aria-label={t('subscription.preview.title')}
      className="rounded-card border border-line bg-sunken/50"
    >
      <p className="border-b border-line px-3 py-2 text-13 font-medium" aria-live="polite">
        {data && filters ? <Count feed={data} filters={filters} /> : t('subscription.preview.title')}
      </p>
      {data ? (
        <Items feed={data} filters={filters} />
      ) : (
        <p className={cx('flex items-center gap-2 p-3 text-13', error ? 'text-danger' : 'text-ink-3')}>
          {isFetching && <Spinner className="size-4" />}
          {isFetching
            ? t('subscription.preview.loading')
            : error
              ? text(error)
              : t('subscription.preview.idle')}
        </p>
      )}
    </section>
  );
}

interface Shown {
  readonly feed: Preview;
  readonly filters: Filters;
}

const isTaken = (filters: Filters, { title, size, url }: Preview['items'][number]): boolean =>
  url !== '' && passes(filters, { title, size: size === '' ? undefined : Number(size) });

function Count({ feed: { title, items }, filters }: Shown) {
  const t = useT();
  const taken = items.filter((item) => isTaken(filters, item)).length;
  return (
    <>
      {title !== '' && <b className="font-semibold [overflow-wrap:anywhere]">{title}: </b>}
      {items.length === 0
        ? t('subscription.preview.empty')
        : t('subscription.preview.count', { taken, total: items.length })}
    </>
  );
}

function Items({ feed: { items }, filters }: Omit<Shown, 'filters'> & { filters: Filters | undefined }) {
  const t = useT();
  const format = useFormat();
  if (items.length === 0) return null;
  return (
    <ul
      // Scrolls by itself, so it must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={t('subscription.preview.title')}
      className="max-h-56 overflow-y-auto rounded-card px-3 py-1"
    >
      {items.slice(0, SHOWN).map((item, at) => {
        const taken = filters !== undefined && isTaken(filters, item);
        const facts = [
          ...(item.size === '' ? [] : [format.bytes(item.size)]),
          ...(item.published_time === ''
            ? []
            : [<DateTime key="time" at={item.published_time} as="relative" />]),
        ];
        return (
          // Feeds may repeat an item, and nothing else identifies items here.
          // eslint-disable-next-line react/no-array-index-key
          <li key={at} className={cx('flex items-start gap-2 py-1 text-13', !taken && 'text-ink-3')}>
            {taken ? (
              <Check className="mt-0.5 size-3.5 shrink-0 text-success" aria-hidden="true" />
            ) : (
              <Minus className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
            )}
            <span className="sr-only">
              {taken ? t('subscription.preview.takes') : t('subscription.preview.passes')}
            </span>
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{item.title}</span>
            <span className="num shrink-0 text-ink-3 max-md:hidden">
              <Dotted facts={facts} />
            </span>
          </li>
        );
      })}
      {items.length > SHOWN && (
        <li className="py-1 text-13 text-ink-3">
          {t('subscription.preview.more', { count: items.length - SHOWN })}
        </li>
      )}
    </ul>
  );
}
