import { useEffect } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Check, CircleDashed, CircleX, Download, FolderOpen, Hourglass, ListFilter } from 'lucide-react';
import type { Subscription, SubscriptionItem } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { itemsQuery } from './subscription-cache.ts';
import type { ConfirmedSubscriptionActions } from './use-confirmed-subscription-actions.ts';

type Standing = 'existing' | 'filtered' | 'waiting' | 'failed' | 'taken' | 'arrived' | 'broken' | 'forgotten';

/** Status of an item as its member sees it: the state of its task has priority. */
function standingOf({ state, phase }: SubscriptionItem): Standing {
  if (state !== 'taken') return state;
  if (phase === 'PHASE_TYPE_COMPLETE') return 'arrived';
  if (phase === 'PHASE_TYPE_ERROR') return 'broken';
  return phase === 'PHASE_TYPE_UNKNOW' ? 'forgotten' : 'taken';
}

const MARKS = {
  existing: { icon: CircleDashed, tone: 'text-ink-3' },
  filtered: { icon: ListFilter, tone: 'text-ink-3' },
  waiting: { icon: Hourglass, tone: 'text-warning' },
  failed: { icon: CircleX, tone: 'text-danger' },
  taken: { icon: Download, tone: 'text-blue-strong' },
  arrived: { icon: Check, tone: 'text-success' },
  broken: { icon: CircleX, tone: 'text-danger' },
  forgotten: { icon: Check, tone: 'text-ink-3' },
} as const satisfies Record<Standing, unknown>;

/** Recent items of a subscription, with the status of each. */
export function SubscriptionItems({
  subscription,
  actions,
}: {
  subscription: Subscription;
  actions: ConfirmedSubscriptionActions;
}) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const { id, name, last_run_time: lastRun, running } = subscription;
  const list = useInfiniteQuery(itemsQuery(call, id));
  const { refetch } = list;
  useEffect(() => void refetch(), [refetch, lastRun, running]);
  const items = list.data?.pages.flatMap((page) => page.items);

  if (!items)
    return list.isError ? (
      <p className="py-3 text-13 text-danger">{text(list.error)}</p>
    ) : (
      <Skeleton className="my-3 h-10" />
    );
  if (items.length === 0) return <p className="py-3 text-13 text-ink-3">{t('subscription.items.none')}</p>;
  return (
    <>
      <ul aria-label={t('subscription.items.of', { name })} className="divide-y divide-line">
        {items.map((item) => (
          <Item
            key={item.id}
            item={item}
            subscription={subscription}
            onFetch={() => actions.fetchItem(subscription, item.id)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          size="s"
          className="mt-2 max-md:h-11"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('subscription.items.more')}
        </Button>
      )}
    </>
  );
}

function Item({
  item,
  subscription,
  onFetch,
}: {
  item: SubscriptionItem;
  subscription: Subscription;
  onFetch: () => void;
}) {
  const t = useT();
  const format = useFormat();
  const { title, size, published_time: published, found_time: found, message, file_id: file } = item;
  const standing = standingOf(item);
  const { icon: Icon, tone } = MARKS[standing];
  const words = [
    message || t(`subscription.items.state.${standing}` satisfies MessageKey),
    ...(size === '' ? [] : [format.bytes(size)]),
    <DateTime key="time" at={published || found} as="relative" />,
  ];
  const canFetch =
    item.url !== '' && (standing === 'existing' || standing === 'filtered' || standing === 'failed');
  const home =
    subscription.folder_type === '' && subscription.parent_id !== '' ? `/${subscription.parent_id}` : '';
  return (
    <li className="flex items-start gap-3 py-2">
      <Icon className={cx('mt-0.5 size-4 shrink-0', tone)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p
          className={cx(
            '[overflow-wrap:anywhere]',
            standing === 'existing' || standing === 'filtered' ? 'text-ink-2' : '',
          )}
        >
          {title}
        </p>
        <p
          className={cx(
            'num text-13',
            standing === 'failed' || standing === 'broken' ? 'text-danger' : 'text-ink-3',
          )}
        >
          <Dotted facts={words} />
        </p>
      </div>
      {canFetch && (
        <Button
          size="s"
          variant="plain"
          aria-label={t('subscription.items.fetchOne', { title })}
          onClick={onFetch}
          className="shrink-0 max-md:h-11"
        >
          {t('subscription.items.fetch')}
        </Button>
      )}
      {standing === 'arrived' && file !== '' && (
        <IconButton
          label={t('subscription.items.show', { title })}
          icon={<FolderOpen />}
          href={`/drive/all${home}?action=highlight_files&file_ids=${file}`}
        />
      )}
      {(standing === 'broken' || standing === 'taken') && (
        <IconButton
          label={t('subscription.items.task', { title })}
          icon={<Download />}
          href={`/drive/transfers?action=show_task&task_id=${item.task_id}`}
        />
      )}
    </li>
  );
}
