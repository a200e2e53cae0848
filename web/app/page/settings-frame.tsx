import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Profile } from '@bowerbird/contract';
import { LocaleLink, LocaleNavLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { showChosen } from '#app/ui/row-scroll.ts';
import { Wordmark } from '#app/ui/wordmark.tsx';
import { UserMenu } from './user-menu.tsx';

export interface SettingsPage {
  readonly to: string;
  readonly icon: ComponentType<{ 'aria-hidden': 'true'; className?: string }>;
  readonly label: string;
}

/** Frame of settings pages: their links at the side, or in a row above on phones. */
export function SettingsFrame({
  viewer,
  label,
  pages,
  children,
}: {
  viewer: Profile;
  label: string;
  pages: readonly SettingsPage[];
  children: ReactNode;
}) {
  const t = useT();
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone, the row of pages is wider than the screen.
  useEffect(() => {
    showChosen(row.current, '[aria-current=page]');
  }, [pathname]);
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <a
        href="#content"
        className="sr-only z-10 rounded-control bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('ui.skip')}
      </a>
      <header className="bare:hidden mx-auto flex h-18 w-full max-w-260 items-center gap-3 px-8 max-md:px-4">
        <LocaleLink to="/" aria-label={t('site.nav.home')} className="mr-auto rounded-control">
          <Wordmark />
        </LocaleLink>
        <Button href="/drive/all" className="max-sm:hidden">
          {t('ui.user.drive')}
        </Button>
        <UserMenu viewer={viewer} />
      </header>
      <div className="mx-auto flex w-full max-w-260 flex-1 gap-12 px-8 pt-4 pb-24 max-lg:gap-8 max-md:flex-col max-md:gap-4 max-md:px-4 max-md:pt-0">
        <nav
          ref={row}
          aria-label={label}
          className="relative flex shrink-0 gap-0.5 md:w-50 md:flex-col max-md:-mx-4 max-md:overflow-x-auto max-md:border-b max-md:border-line max-md:px-2"
        >
          {pages.map(({ to, icon: Icon, label: name }) => (
            <LocaleNavLink
              key={to}
              to={to}
              end
              className={({ isActive }) =>
                cx(
                  'relative flex h-10 items-center gap-3 rounded-control px-3 font-medium whitespace-nowrap max-md:h-12 max-md:-outline-offset-2',
                  isActive
                    ? 'text-blue-strong md:bg-blue-wash max-md:after:absolute max-md:after:inset-x-2 max-md:after:bottom-0 max-md:after:h-0.5 max-md:after:rounded-full max-md:after:bg-blue'
                    : 'text-ink-2 hover:text-ink md:hover:bg-hover',
                )
              }
            >
              <Icon aria-hidden="true" className="max-md:hidden" />
              {name}
            </LocaleNavLink>
          ))}
        </nav>
        <main id="content" className="min-w-0 flex-1">
          {children}
        </main>
      </div>
    </div>
  );
}
