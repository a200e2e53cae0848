import { useEffect } from 'react';
import { data, redirect } from 'react-router';
import { activityApi, ApiFailure, isApiFailure, splitLocale } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink, withPrefix } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { CompensationCard, GiftCalendarCard, SaleList } from '#app/membership/index.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import { count } from '#app/statistics/happenings.ts';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/activity';
import { activityAt, calendarNames, runningActivities, saleProducts } from './activities.server.ts';
import { ArticleBody } from './article.tsx';
import { renderMarkdown } from './render.server.ts';

export const handle = { layout: 'activity' };

/** Redirects from an activity that is not running to the page that says when it ended or starts. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ url, context }, next) => {
    const activity = await activityAt(context.get(pageServices), url);
    if (activity?.state === 'running') return next();
    const { prefix, path } = splitLocale(url.pathname);
    const asked = new URLSearchParams({ activity: path.split('/')[2] ?? '' });
    const id = url.searchParams.get('id');
    if (id !== null) asked.set('id', id);
    throw redirect(`${withPrefix(prefix, '/activity-end')}?${asked}`);
  },
];

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const found = await activityAt(services, url);
  if (!found) throw pageNotFound(url.pathname);
  const { call, locale, origin, operator } = services;
  const { activity, text, action, compensation, calendar } = await call(activityApi.get, {
    params: { id: found.id },
  });
  const others = compensation
    ? (await runningActivities(services)).filter(
        ({ id, path }) => id !== activity.id && path.startsWith('/activity/compensation'),
      )
    : [];
  return {
    activity,
    action,
    compensation,
    others,
    calendar: calendar && { ...calendar, names: calendarNames(calendar, locale) },
    sale: activity.type === 'sale' ? await saleProducts(services, url) : undefined,
    html: renderMarkdown(text, { pathname: url.pathname, origin, operator, locale }).html,
  };
}

/** Claims the compensation, or opens the gift of the day; returns the reason if it is refused. */
export async function action({ url, context }: Route.ActionArgs) {
  const services = context.get(pageServices);
  const activity = await activityAt(services, url);
  if (!services.viewer || !activity) return undefined;
  try {
    if (activity.type === 'compensation')
      await services.call(activityApi.compensate, { body: { id: activity.id } });
    if (activity.type === 'daily_gift') await services.call(activityApi.openGift, { body: {} });
    return undefined;
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const { id, facts, text, status } = error;
    return data({ id, facts, text }, { status });
  }
}

/** Activity that runs for a limited time, in the operator's words, with what it gives. */
export default function ActivityPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { locale } = usePageFrame();
  const textFor = useErrorText();
  const { activity, action, compensation, others, calendar, sale, html } = loaderData;
  const { name, path, title, lead, end_time: ends } = activity;
  useEffect(() => count('spread_page', `activity/${name}`), [name]);
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
      <div className="mx-auto grid max-w-190 gap-10 px-8 pt-10 pb-24 max-lg:px-5 max-md:gap-8 max-md:pt-6 max-md:pb-14">
        {actionData && (
          <p role="alert" className="rounded-card bg-danger-wash px-4 py-3 text-danger">
            {textFor(new ApiFailure(actionData.id, actionData.facts, actionData.text))}
          </p>
        )}
        {compensation && <CompensationCard path={path} compensation={compensation} />}
        {calendar && <GiftCalendarCard path={path} calendar={calendar} names={calendar.names} />}
        {sale && <SaleList products={sale} />}
        <ArticleBody html={html} locale={locale} className="text-16" />
        {others.length > 0 && (
          <section aria-labelledby="others">
            <h2 id="others" className="text-16 font-semibold">
              {t('activity.compensation.others')}
            </h2>
            <ul className="mt-2 grid gap-1">
              {others.map((other) => (
                <li key={other.id}>
                  <LocaleLink to={other.path} className="text-blue-strong underline underline-offset-3">
                    {other.title}
                  </LocaleLink>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </article>
  );
}
