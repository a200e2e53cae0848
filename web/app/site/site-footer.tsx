import { useLocation } from 'react-router';
import { LOCALE_NAMES, LOCALES } from '@bowerbird/contract';
import { inLocale, LocaleLink, useLocale } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Wordmark } from '#app/ui/wordmark.tsx';

export function SiteFooter() {
  const t = useT();
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const link = 'text-ink-2 underline-offset-3 hover:text-ink hover:underline';
  return (
    <footer className="border-t border-line">
      <div className="mx-auto grid max-w-300 gap-10 px-8 py-12 text-13 max-lg:px-5 md:grid-cols-[1fr_auto_auto] md:gap-20">
        <div>
          <Wordmark size={24} />
          <p className="mt-3 max-w-70 text-ink-3">{t('site.footer.line')}</p>
        </div>
        <nav aria-label={t('site.footer.product')}>
          <h2 className="font-semibold">{t('site.footer.product')}</h2>
          <ul className="mt-3 grid gap-2">
            <li>
              <LocaleLink to="/" className={link}>
                {t('site.nav.home')}
              </LocaleLink>
            </li>
            <li>
              <LocaleLink to="/url-checker" className={link}>
                {t('site.nav.urlChecker')}
              </LocaleLink>
            </li>
            <li>
              <LocaleLink to="/sign-up" className={link}>
                {t('site.nav.signUp')}
              </LocaleLink>
            </li>
            <li>
              <LocaleLink to="/drive/login" className={link}>
                {t('site.nav.signIn')}
              </LocaleLink>
            </li>
          </ul>
        </nav>
        <nav aria-label={t('ui.language')}>
          <h2 className="font-semibold">{t('ui.language')}</h2>
          <ul className="mt-3 grid grid-cols-2 gap-x-8 gap-y-2">
            {LOCALES.map((other) => (
              <li key={other}>
                {/* A page of its own in every language, loaded anew. */}
                <a
                  href={inLocale(other, pathname, search)}
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
