import { ArrowUpRight } from 'lucide-react';
import { useRevalidator } from 'react-router';
import { categoryOf, driveApi, taskApi, type Task } from '@bowerbird/contract';
import { useLive } from '#app/api/live/use-live.ts';
import { membersOnly } from '#app/api/members-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';
import type { Route } from './+types/widget';
import { loadProducts } from './offering.ts';
import { PlanNames } from './shop-status.tsx';
import { WidgetPlans } from './widget-plans.tsx';

/** A drive belongs to its member; others sign in and return. */
export const middleware: Route.MiddlewareFunction[] = [membersOnly];

const LAST = 5;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { call } = services;
  const [about, { tasks }, { products, held }] = await Promise.all([
    call(driveApi.about, { query: {} }),
    call(taskApi.list, { query: { type: 'offline', limit: LAST } }),
    loadProducts(services, url),
  ]);
  return {
    used: Number(about.quota.usage),
    limit: Number(about.quota.limit),
    tasks,
    plans: products.filter(({ kind }) => kind === 'plan'),
    held,
    isSelling: products.length > 0,
  };
}

/** Many programs may show the widget all day. */
const LEAST_PAUSE_MS = 3_000;

const isRunning = ({ phase }: Task): boolean =>
  phase === 'PHASE_TYPE_RUNNING' || phase === 'PHASE_TYPE_PENDING';

/** Overview of the drive, small enough for a corner of another program. */
export default function Widget({
  loaderData: { used, limit, tasks, plans, held, isSelling },
}: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const path = useLocalePath();
  const { revalidate } = useRevalidator();
  useLive(['tasks', 'storage', 'plan'], () => void revalidate(), LEAST_PAUSE_MS);
  return (
    <main className="mx-auto flex min-h-dvh max-w-120 flex-col gap-5 bg-paper p-4">
      <PageTitle title={t('apps.widget.title')} noIndex />
      <h1 className="barred:hidden sr-only">{t('apps.widget.title')}</h1>
      <header className="bare:hidden flex items-center justify-between">
        <h1 className="flex">
          <Wordmark size={24} />
        </h1>
        <a
          href={path('/drive/all')}
          target="_blank"
          rel="noopener"
          className="flex items-center gap-1 rounded-small text-13 font-medium text-blue-strong"
        >
          {t('site.nav.drive')}
          <ArrowUpRight aria-hidden="true" className="size-4" />
        </a>
      </header>
      <section aria-label={t('drive.storage')}>
        <Meter value={limit > 0 ? used / limit : 0} label={t('drive.storage')} />
        <p className="mt-1.5 text-13 text-ink-2 tabular-nums">
          {t('drive.storageUsed', { used: format.bytes(used), limit: format.bytes(limit) })}
        </p>
      </section>
      {(isSelling || held.length > 0) && (
        <section aria-labelledby="plan">
          <h2 id="plan" className="mb-1 text-13 font-semibold">
            {t('apps.shop.plan')}
          </h2>
          <PlanNames held={held} className="grid gap-1" />
          {plans.length > 0 && (
            <details className="mt-2">
              <summary className="cursor-pointer rounded-small py-1 text-13 font-medium text-blue-strong">
                {t('more.see')}
              </summary>
              <WidgetPlans plans={plans} />
            </details>
          )}
        </section>
      )}
      <section aria-labelledby="last">
        <h2 id="last" className="text-13 font-semibold">
          {t('apps.widget.last')}
        </h2>
        {tasks.length === 0 && <p className="mt-2 text-13 text-ink-2">{t('apps.widget.none')}</p>}
        <ul className="mt-1">
          {tasks.map((task) => (
            <li key={task.id} className="border-b border-line last:border-b-0">
              <a
                href={path(`/drive/transfers?action=show_task&task_id=${task.id}`)}
                target="_blank"
                rel="noopener"
                className="flex items-center gap-3 rounded-small py-2.5"
              >
                <FileTile category={categoryOf(task.name)} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-13 font-medium">
                    <bdi>{shownName(task.name)}</bdi>
                  </span>
                  <span className="block text-12 text-ink-3 tabular-nums">
                    {isRunning(task)
                      ? format.percent(task.progress / 100)
                      : t.rich(
                          task.phase === 'PHASE_TYPE_ERROR' ? 'apps.widget.failed' : 'apps.widget.done',
                          {
                            time: <DateTime at={task.updated_time} as="relative" />,
                          },
                        )}
                  </span>
                  {isRunning(task) && (
                    <Meter
                      value={task.progress / 100}
                      label={shownName(task.name)}
                      progress
                      className="mt-1.5"
                    />
                  )}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}
