import type { FeedItem, Locale, Subscription, SubscriptionItem } from '@bowerbird/contract';
import { errorText, maybeTimeText, timeText } from '../foundation/index.ts';
import type { TaskRow } from '../task/index.ts';
import type { FoundItem } from './feed-item.ts';
import { nameFrom, type ItemRow, type SubscriptionRow } from './subscription.ts';

export function subscriptionView(
  row: SubscriptionRow,
  {
    folderName,
    counts,
    locale,
  }: {
    folderName: string;
    counts: Partial<Record<SubscriptionItem['state'], number>>;
    locale: Locale;
  },
): Subscription {
  const { failure } = row;
  return {
    id: row.id,
    kind: row.kind,
    url: row.url,
    name: row.name || nameFrom(row.url),
    parent_id: row.parent ?? '',
    folder_type: row.parent === undefined ? 'DOWNLOAD' : '',
    folder_name: folderName,
    every_minutes: row.everyMinutes,
    filters: row.filters,
    active: row.active,
    take_existing: row.takeExisting,
    running: row.runningSince !== undefined,
    created_time: timeText(row.createdAt),
    last_run_time: maybeTimeText(row.lastRunAt),
    next_run_time: row.active ? timeText(row.nextRunAt) : '',
    error: failure?.error ?? '',
    message: failure ? errorText(locale, failure.error, failure.facts) : '',
    taken_count: counts.taken ?? 0,
    waiting_count: counts.waiting ?? 0,
  };
}

export function itemView(row: ItemRow, task: TaskRow | undefined, locale: Locale): SubscriptionItem {
  const { failure } = row;
  return {
    id: row.key,
    title: row.title,
    url: row.url ?? '',
    size: row.size === undefined ? '' : String(row.size),
    published_time: maybeTimeText(row.publishedAt),
    found_time: timeText(row.foundAt),
    state: row.state,
    error: failure?.error ?? '',
    message: failure ? errorText(locale, failure.error, failure.facts) : '',
    task_id: task?.id ?? '',
    phase: task?.phase ?? 'PHASE_TYPE_UNKNOW',
    file_id: task?.phase === 'PHASE_TYPE_COMPLETE' ? task.fileId : '',
  };
}

export function feedItemView(item: FoundItem & { readonly taken: boolean }): FeedItem {
  return {
    title: item.title,
    url: item.url ?? '',
    size: item.size === undefined ? '' : String(item.size),
    published_time: maybeTimeText(item.publishedAt),
    taken: item.taken,
  };
}
