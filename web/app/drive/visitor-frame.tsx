import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { ThemeMenu } from '#app/page/theme-menu.tsx';
import { Button } from '#app/ui/button.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';

/** Frame of the drive's pages that visitors may see: the logo, settings, and the ways in, which lead back here. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const t = useT();
  const isSignUpOpen = useIsSignUpOpen();
  const { pathname, search } = useLocation();
  const query = `?continue=${encodeURIComponent(pathname + search)}`;
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('ui.skip')}
      </a>
      <header className="bare:hidden mx-auto flex h-18 w-full max-w-300 items-center gap-1 px-8 max-lg:px-5">
        <LocaleLink to="/" aria-label={t('site.nav.home')} className="mr-auto rounded-control">
          <Wordmark />
        </LocaleLink>
        <LanguageMenu />
        <span className="flex max-md:hidden">
          <ThemeMenu />
        </span>
        <Button variant="plain" href={`/drive/login${query}`} className="ml-1">
          {t('site.nav.signIn')}
        </Button>
        {isSignUpOpen && (
          <Button variant="primary" href={`/sign-up${query}`} className="ml-1 max-md:hidden">
            {t('site.nav.signUp')}
          </Button>
        )}
      </header>
      <main id="content" className="flex min-h-0 flex-1 flex-col">
        {children}
      </main>
    </div>
  );
}
