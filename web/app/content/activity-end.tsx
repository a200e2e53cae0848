import { CalendarClock, CalendarX2 } from 'lucide-react';
import { redirect } from 'react-router';
import { activityApi, splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Route } from './+types/activity-end';
import { activityNamed, runningActivities } from './activities.server.ts';

export const handle = { layout: 'activity' };

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const name = url.searchParams.get('activity');
  // Redirects to the current activity if the address names none.
  const [current] = name === null ? await runningActivities(services) : [];
  if (current) throw redirect(withPrefix(splitLocale(url.pathname).prefix, current.path));
  const activity = await activityNamed(services, name, url.searchParams.get('id'));
  if (!activity) return undefined;
  const isClaimable = activity.type === 'compensation' && Boolean(services.viewer);
  const { compensation } = isClaimable
    ? await services.call(activityApi.get, { params: { id: activity.id } })
    : { compensation: null };
  return {
    path: activity.path,
    title: activity.title,
    state: activity.state,
    begins: activity.begin_time,
    ends: activity.end_time,
    claimed: compensation?.claimed_time ?? '',
  };
}

/** Shown for an activity that is not running. */
export default function ActivityEnd({ loaderData: activity }: Route.ComponentProps) {
  const t = useT();
  const isComing = activity?.state === 'coming';
  const title = !activity
    ? t('activity.over')
    : isComing
      ? t('activity.coming', { title: activity.title })
      : activity.state === 'running'
        ? activity.title
        : t('activity.overNamed', { title: activity.title });
  const text = !activity
    ? t('activity.overText')
    : isComing
      ? t.rich('activity.begins', { time: <DateTime at={activity.begins} /> })
      : activity.state === 'running'
        ? t.rich('activity.until', { time: <DateTime at={activity.ends} /> })
        : t.rich('activity.ended', { time: <DateTime at={activity.ends} /> });
  const claimed = activity?.claimed ?? '';
  return (
    <>
      <PageTitle title={title} noIndex />
      <EmptyState
        level={1}
        className="py-28"
        mark={isComing ? <CalendarClock className="size-12" /> : <CalendarX2 className="size-12" />}
        title={title}
        text={
          claimed === '' ? (
            text
          ) : (
            <>
              {text} {t.rich('activity.compensation.claimed', { date: <DateTime at={claimed} as="date" /> })}
            </>
          )
        }
        actions={
          activity?.state === 'running' ? (
            <Button variant="primary" size="l" href={activity.path}>
              {t('activity.open')}
            </Button>
          ) : (
            <Button variant="primary" size="l" href="/">
              {t('site.notFound.home')}
            </Button>
          )
        }
      />
    </>
  );
}
