import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/policy-updates';
import { policies } from './policies.server.ts';
import { PolicyFrame } from './policy-frame.tsx';

export const handle = { layout: 'policy' };

export function loader({ context, url }: Route.LoaderArgs) {
  const all = policies(context.get(pageServices));
  if (all.length === 0) throw pageNotFound(url.pathname);
  return all;
}

/** Dates of all policy changes, newest first. */
export default function PolicyUpdates({ loaderData: all }: Route.ComponentProps) {
  const t = useT();
  const updates = all
    .flatMap(({ name, title, versions }) => versions.map((version) => ({ name, title, ...version })))
    .toSorted((one, other) => other.date.localeCompare(one.date));
  return (
    <PolicyFrame policies={all}>
      <PublicHead path="/policy/update" title={t('policy.updates')} description={t('policy.updatesLead')} />
      <h1 className="text-28 font-[680]">{t('policy.updates')}</h1>
      <p className="mt-3 text-16 text-ink-2">{t('policy.updatesLead')}</p>
      <ol className="mt-8">
        {updates.map(({ name, title, date, change }) => (
          <li key={`${name} ${date}`} className="border-t border-line py-4">
            <p className="text-13 text-ink-3 tabular-nums">
              <DateTime at={date} as="date" />
            </p>
            <p className="mt-0.5 font-medium">
              <LocaleLink to={`/policy/${name}/${date}`} className="rounded-small hover:text-blue-strong">
                {title}
              </LocaleLink>
            </p>
            {change !== '' && <p className="mt-0.5 text-ink-2">{change}</p>}
          </li>
        ))}
      </ol>
    </PolicyFrame>
  );
}
