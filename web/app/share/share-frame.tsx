import { lazy, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useViewer } from '#app/api/viewer.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { HydratedLater } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { ThemeMenu } from '#app/page/theme-menu.tsx';
import { Button } from '#app/ui/button.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';

// Most visitors aren't signed in.
const UserMenu = import.meta.env.SSR
  ? (await import('#app/page/user-menu.tsx')).UserMenu
  : lazy(async () => ({ default: (await import('#app/page/user-menu.tsx')).UserMenu }));

/** Frame of all pages of a share. */
export function ShareFrame({ children }: { children: ReactNode }) {
  const t = useT();
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="bare:hidden flex h-16 shrink-0 print:hidden items-center gap-1 border-b border-line bg-card px-6 max-md:h-14 max-md:px-4">
        <LocaleLink to="/" aria-label={t('site.nav.home')} className="mr-auto rounded-control">
          <Wordmark />
        </LocaleLink>
        <span className="flex gap-1 noscript:hidden">
          <LanguageMenu />
          <ThemeMenu />
        </span>
        {viewer ? (
          <>
            <Button href="/drive/all" className="mx-2 max-sm:hidden">
              {t('site.nav.drive')}
            </Button>
            <HydratedLater>
              <UserMenu viewer={viewer} />
            </HydratedLater>
          </>
        ) : (
          <Button href={`/drive/login?continue=${encodeURIComponent(pathname + search)}`} className="ml-1">
            {t('site.nav.signIn')}
          </Button>
        )}
      </header>
      <main id="content" className="flex flex-1 flex-col">
        {children}
      </main>
    </div>
  );
}
