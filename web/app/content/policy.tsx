import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/policy';
import { ArticleBody } from './article.tsx';
import { policies, policyNamed } from './policies.server.ts';
import { PolicyFrame } from './policy-frame.tsx';
import { articleAt } from './render.server.ts';

export const handle = { layout: 'policy' };

export function loader({ context, params, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const all = policies(services);
  const { name, version } = params;
  const policy = policyNamed(all, name, url.pathname);
  const dates = policy.versions.map(({ date }) => date);
  // Older links repeat the policy's name in place of the version; they show the current version.
  const date = version === undefined || version === name ? dates[0]! : version;
  if (!dates.includes(date)) throw pageNotFound(url.pathname);
  return {
    policy,
    date,
    all,
    article: articleAt(services, `policy/${name}/${date}`, url.pathname),
  };
}

/** One version of a policy, with links to its others. */
export default function Policy({ loaderData: { policy, date, all, article } }: Route.ComponentProps) {
  const t = useT();
  const [current] = policy.versions;
  const isCurrent = date === current!.date;
  // The canonical address of the current version is the policy's own, whichever address it is read at.
  const path = isCurrent ? `/policy/${policy.name}` : `/policy/${policy.name}/${date}`;
  const link = 'rounded-small text-blue-strong underline underline-offset-3';
  return (
    <PolicyFrame policies={all}>
      <PublicHead path={path} title={article.title} description={article.description} type="article" />
      <article>
        <h1 className="text-28 font-[680] [overflow-wrap:anywhere]">{article.title}</h1>
        <p className="mt-2 text-13 text-ink-3">
          {t.rich('policy.version', { date: <DateTime at={date} as="date" /> })}
          {policy.versions.length > 1 && (
            <span className="print:hidden">
              {' · '}
              <LocaleLink to={`/policy/${policy.name}/compare`} className={link}>
                {t('policy.compare')}
              </LocaleLink>
            </span>
          )}
        </p>
        {!isCurrent && (
          <p className="mt-5 rounded-card bg-warning-wash px-4 py-3">
            {t.rich('policy.replaced', {
              current: (
                <LocaleLink to={`/policy/${policy.name}`} className={link}>
                  {t('policy.current')}
                </LocaleLink>
              ),
            })}
          </p>
        )}
        <p className="mt-5 rounded-card border border-line bg-card px-4 py-3 text-13 text-ink-2 print:hidden">
          {t('policy.template')}
        </p>
        <ArticleBody html={article.html} locale={article.locale} className="mt-6" />
      </article>
      {policy.versions.length > 1 && (
        <section className="mt-12 border-t border-line pt-6 print:hidden">
          <h2 className="text-16 font-semibold">{t('policy.history')}</h2>
          <ul className="mt-3 grid gap-2">
            {policy.versions.map((version) => (
              <li key={version.date} className="text-ink-2">
                {version.date === date ? (
                  <span className="font-medium text-ink tabular-nums">
                    <DateTime at={version.date} as="date" />
                  </span>
                ) : (
                  <LocaleLink
                    to={`/policy/${policy.name}/${version.date}`}
                    className={`${link} tabular-nums`}
                  >
                    <DateTime at={version.date} as="date" />
                  </LocaleLink>
                )}
                {version.change !== '' && ` — ${version.change}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </PolicyFrame>
  );
}
