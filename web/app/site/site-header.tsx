import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { useViewer } from '#app/api/viewer.ts';
import { LocaleLink, LocaleNavLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { ThemeMenu } from '#app/page/theme-menu.tsx';
import { UserMenu } from '#app/page/user-menu.tsx';
import { Button } from '#app/ui/button.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';
import { useHasPage } from './collections.ts';
import { PhoneMenu } from './phone-menu.tsx';

const PAGES = [
  ['/url-checker', 'site.nav.urlChecker'],
  ['/help-center', 'help.nav'],
  ['/blog', 'blog.title'],
] as const;

export function SiteHeader() {
  const t = useT();
  const viewer = useViewer();
  const isSignUpOpen = useIsSignUpOpen();
  const hasPage = useHasPage();
  return (
    <header className="mx-auto flex h-18 w-full max-w-300 items-center gap-1 px-8 max-lg:px-5 max-[359px]:gap-0 max-[359px]:px-3">
      <LocaleLink to="/" aria-label={t('site.nav.home')} className="mr-auto rounded-control">
        <Wordmark />
      </LocaleLink>
      <nav aria-label={t('site.nav.pages')} className="mr-2 flex max-md:hidden">
        {PAGES.filter(([to]) => hasPage(to)).map(([to, label]) => (
          <LocaleNavLink
            key={to}
            to={to}
            className="rounded-control px-3 py-2 font-medium text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:text-ink"
          >
            {t(label)}
          </LocaleNavLink>
        ))}
      </nav>
      <LanguageMenu />
      <span className="flex max-md:hidden">
        <ThemeMenu />
      </span>
      {viewer ? (
        <>
          <Button href="/drive/all" className="mx-2 max-sm:hidden">
            {t('site.nav.drive')}
          </Button>
          <UserMenu viewer={viewer} />
        </>
      ) : (
        <>
          <Button variant="plain" href="/drive/login" className="ml-1">
            {t('site.nav.signIn')}
          </Button>
          {isSignUpOpen && (
            <Button variant="primary" href="/sign-up" className="ml-1 max-md:hidden">
              {t('site.nav.signUp')}
            </Button>
          )}
        </>
      )}
      <span className="-mr-2 ml-0.5 flex md:hidden">
        <PhoneMenu />
      </span>
    </header>
  );
}
