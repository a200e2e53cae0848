import { useLocation } from 'react-router';
import { LOCALE_NAMES, LOCALES } from '@bowerbird/contract';
import { useOffers } from '#app/api/use-offers.ts';
import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { inLocale, LocaleLink, useLocale } from '#app/i18n/locale.tsx';
import { useIsBrowser, usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { chooseLocale } from '#app/page/preferences.ts';
import { isRefusedByBrowser } from '#app/statistics/happenings.ts';
import { Wordmark } from '#app/ui/wordmark.tsx';
import { useActivities, useHasPage } from './collections.ts';
import { askAboutCookies } from './cookie-question.ts';

const columns = [
  {
    title: 'site.footer.product',
    links: [
      ['/', 'site.nav.home'],
      ['/url-checker', 'site.nav.urlChecker'],
      ['/mobile-app', 'apps.nav.phone'],
      ['/desktop-app', 'apps.nav.computer'],
      ['/favorite-links-hub', 'hub.title'],
      ['/inapp/shop', 'site.nav.plans'],
      ['/sign-up', 'site.nav.signUp'],
      ['/drive/login', 'site.nav.signIn'],
    ],
  },
  {
    title: 'help.nav',
    links: [
      ['/help-center', 'help.title'],
      ['/help', 'apps.nav.save'],
      ['/faq', 'faq.nav'],
      ['/blog', 'blog.title'],
      ['/contact-us', 'contact.title'],
    ],
  },
  {
    title: 'policy.title',
    links: [
      ['/policy/privacy-policy', 'policy.privacy'],
      ['/policy/user-agreement', 'policy.terms'],
      ['/policy/copyright-Infringement', 'policy.copyright'],
      ['/policy/update', 'policy.updates'],
    ],
  },
] as const;

export function SiteFooter() {
  const t = useT();
  const locale = useLocale();
  const { pathname, search, hash } = useLocation();
  const isBrowser = useIsBrowser();
  const { isCounting } = usePageFrame();
  const hasPage = useHasPage();
  const activities = useActivities();
  const isSignUpOpen = useIsSignUpOpen();
  const { products } = useOffers();
  const isOffered = (to: string): boolean =>
    to === '/inapp/shop' ? products.length > 0 : hasPage(to) && (to !== '/sign-up' || isSignUpOpen);
  const shown = columns
    .map(({ title, links }) => ({ title, links: links.filter(([to]) => isOffered(to)) }))
    .filter(({ links }) => links.length > 0);
  const link = 'text-ink-2 underline-offset-3 hover:text-ink hover:underline';
  return (
    <footer className="drawn-late border-t border-line">
      <div className="mx-auto grid max-w-300 gap-10 px-8 py-12 text-13 max-lg:px-5 sm:grid-cols-2 lg:grid-cols-[1fr_repeat(4,auto)] lg:gap-16">
        <div>
          <Wordmark size={24} />
          <p className="mt-3 max-w-70 text-ink-3">{t('site.footer.line')}</p>
          {activities.map(({ path, title }) => (
            <p key={path} className="mt-3 max-w-70">
              <LocaleLink to={path} className={link}>
                {title}
              </LocaleLink>
            </p>
          ))}
          {isBrowser && isCounting && !isRefusedByBrowser() && (
            <button type="button" onClick={askAboutCookies} className={`mt-3 rounded-small ${link}`}>
              {t('site.footer.cookies')}
            </button>
          )}
        </div>
        {shown.map(({ title, links }) => (
          <nav key={title} aria-label={t(title)}>
            <h2 className="font-semibold">{t(title)}</h2>
            <ul className="mt-3 grid gap-2">
              {links.map(([to, label]) => (
                <li key={to}>
                  <LocaleLink to={to} className={link}>
                    {t(label)}
                  </LocaleLink>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label={t('ui.language')}>
          <h2 className="font-semibold">{t('ui.language')}</h2>
          <ul className="mt-3 grid grid-cols-2 gap-x-8 gap-y-2">
            {LOCALES.map((other) => (
              <li key={other}>
                {/* Loads a new document, since each language has its own. */}
                <a
                  href={inLocale(other, pathname, search) + (isBrowser ? hash : '')}
                  onClick={() => chooseLocale(other)}
                  hrefLang={other}
                  lang={other}
                  aria-current={other === locale ? 'true' : undefined}
                  className={`${link} aria-[current]:text-ink aria-[current]:font-medium`}
                >
                  {LOCALE_NAMES[other]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
