import { useEffect } from 'react';
import { redirect } from 'react-router';
import { activityState, splitLocale, textIn } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { withPrefix } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { count } from '#app/statistics/happenings.ts';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/activity';
import { activityAt } from './activities.server.ts';
import { ArticleBody } from './article.tsx';
import { renderMarkdown } from './render.server.ts';

export const handle = { layout: 'activity' };

/** Redirects from an activity that is not running to the page that says when it ended or starts. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ url, context }, next) => {
    const activity = await activityAt(context.get(pageServices), url.pathname);
    if (activity && activityState(activity, Date.now()) === 'running') return next();
    const name = splitLocale(url.pathname).path.split('/')[2] ?? '';
    const end = withPrefix(splitLocale(url.pathname).prefix, '/activity-end');
    throw redirect(`${end}?activity=${encodeURIComponent(name)}`);
  },
];

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const activity = await activityAt(services, url.pathname);
  if (!activity) throw pageNotFound(url.pathname);
  const { locale, origin, operator } = services;
  const { action } = activity;
  return {
    path: `/activity/${activity.name}`,
    title: textIn(activity.title, locale),
    lead: textIn(activity.lead, locale),
    ends: new Date(activity.ends).toISOString(),
    html: renderMarkdown(textIn(activity.text, locale), { pathname: url.pathname, origin, operator }).html,
    action: action && { label: textIn(action.label, locale), url: action.url },
  };
}

/** Activity that runs for a limited time, in the operator's words. */
export default function ActivityPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const { locale } = usePageFrame();
  const { path, title, lead, ends, html, action } = loaderData;
  useEffect(() => count('spread_page', path.slice(1)), [path]);
  return (
    <article>
      <PublicHead path={path} title={title} description={lead} />
      <header className="border-b border-line bg-blue-wash">
        <div className="mx-auto max-w-190 px-8 pt-14 pb-12 max-lg:px-5 max-md:pt-8 max-md:pb-8">
          <p className="text-13 font-semibold text-blue-strong tabular-nums">
            {t.rich('activity.until', { time: <DateTime at={ends} /> })}
          </p>
          <h1 className="mt-2 text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{title}</h1>
          <p className="mt-4 text-16 text-ink-2">{lead}</p>
          {action && (
            <div className="mt-7">
              <Button variant="primary" size="l" href={action.url}>
                {action.label}
              </Button>
            </div>
          )}
        </div>
      </header>
      <div className="mx-auto max-w-190 px-8 pt-10 pb-24 max-lg:px-5 max-md:pb-14">
        <ArticleBody html={html} locale={locale} className="text-16" />
      </div>
    </article>
  );
}
