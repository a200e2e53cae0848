import { splitLocale, readTelegramBot, siteApi } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/text-page';
import { ArticleBody } from './article.tsx';
import { articleAt } from './render.server.ts';

export const handle = { layout: 'basic' };

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const path = splitLocale(url.pathname).path.replace(/(?<=.)\/$/, '');
  const article = articleAt(services, `page${path}`, url.pathname);
  const [{ values }, { downloads }] = await Promise.all([
    services.call(siteApi.basic, { body: {} }),
    services.call(siteApi.publicDownloads, {}),
  ]);
  return {
    path,
    article,
    bot: readTelegramBot(values),
    hasApk: downloads.some(({ platform }) => platform === 'android'),
  };
}

/** Text with a page of its own, and the facts that only this installation knows. */
export default function TextPage({ loaderData: { path, article, bot, hasApk } }: Route.ComponentProps) {
  const t = useT();
  const [before, after] =
    path === '/help' && bot !== undefined ? atHeading(article.html, 'telegram-bot') : [];
  const link = 'text-blue-strong underline underline-offset-3';
  return (
    <article className="mx-auto max-w-190 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
      <PublicHead path={path} title={article.title} description={article.description} type="article" />
      <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto max-md:text-28">
        {article.title}
      </h1>
      <p className="mt-4 text-16 text-ink-2">{article.description}</p>
      {path === '/install-apk-troubleshooting' && !hasApk && (
        <p className="mt-6 rounded-card border border-line bg-card px-4 py-3 text-ink-2">
          {t.rich('apps.noApk', {
            phone: (
              <LocaleLink to="/mobile-app" className={link}>
                {t('apps.mobile.title')}
              </LocaleLink>
            ),
          })}
        </p>
      )}
      {before === undefined || after === undefined ? (
        <ArticleBody html={article.html} locale={article.locale} className="mt-8 text-16" />
      ) : (
        <>
          <ArticleBody html={before} locale={article.locale} className="mt-8 text-16" />
          <p className="my-4 rounded-card bg-blue-wash px-4 py-3">
            {t.rich('apps.bot', {
              bot: (
                <a href={bot} target="_blank" rel="noopener" className={link}>
                  {`@${bot?.split('/').at(-1)}`}
                </a>
              ),
            })}
          </p>
          <ArticleBody html={after} locale={article.locale} className="text-16" />
        </>
      )}
    </article>
  );
}

/** Splits a text after a heading; returns an empty array if the heading is missing. */
function atHeading(html: string, id: string): [string, string] | [] {
  const start = html.indexOf(` id="${id}"`);
  const end = start < 0 ? -1 : html.indexOf('\n', start);
  return end < 0 ? [] : [html.slice(0, end), html.slice(end)];
}
