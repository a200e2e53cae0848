import type { PlanLimits } from '@bowerbird/contract';
import type { Format } from '#app/i18n/format.ts';
import type { MessageKey, T } from '#app/i18n/t.ts';

interface LimitRow {
  /** Head of the row: the thing that is limited. */
  readonly label: MessageKey;
  readonly kind: 'bytes' | 'count';
}

/** All limits of a plan in the order of a comparison. A new limit needs one line here. */
const ROWS = {
  storage: { label: 'shop.limit.storage', kind: 'bytes' },
  tasks_daily: { label: 'shop.limit.tasksDaily', kind: 'count' },
  tasks_running: { label: 'shop.limit.tasksRunning', kind: 'count' },
  task_size: { label: 'shop.limit.taskSize', kind: 'bytes' },
  offline_monthly: { label: 'shop.limit.offlineMonthly', kind: 'bytes' },
  download_monthly: { label: 'shop.limit.downloadMonthly', kind: 'bytes' },
  upload_monthly: { label: 'shop.limit.uploadMonthly', kind: 'bytes' },
  download_speed: { label: 'shop.limit.downloadSpeed', kind: 'bytes' },
  shares: { label: 'shop.limit.shares', kind: 'count' },
  subscriptions: { label: 'shop.limit.subscriptions', kind: 'count' },
  versions: { label: 'shop.limit.versions', kind: 'count' },
  version_days: { label: 'shop.limit.versionDays', kind: 'count' },
  trash_days: { label: 'shop.limit.trashDays', kind: 'count' },
} as const satisfies Record<keyof PlanLimits, LimitRow>;

const isUnlimited = (value: string | number): boolean => Number(value) < 0;

export interface ComparedRow {
  readonly label: string;
  /** One for each plan, in words. */
  readonly values: readonly string[];
}

/** Compares plans limit by limit; what no plan limits is left out. */
export function compareLimits(
  plans: readonly PlanLimits[],
  { t, format }: { t: T; format: Pick<Format, 'bytes' | 'number'> },
): ComparedRow[] {
  return Object.entries(ROWS).flatMap(([name, { label, kind }]) => {
    const values = plans.map((limits) => limits[name as keyof PlanLimits]);
    if (values.every(isUnlimited)) return [];
    return {
      label: t(label),
      values: values.map((value) =>
        isUnlimited(value)
          ? t('shop.limit.none')
          : kind === 'bytes'
            ? format.bytes(value)
            : format.number(Number(value)),
      ),
    };
  });
}
