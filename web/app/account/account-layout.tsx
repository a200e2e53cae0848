import { useEffect, useRef } from 'react';
import { KeyRound, Mail, ShieldCheck, UserRound } from 'lucide-react';
import { Outlet, useLocation } from 'react-router';
import { membersOnly } from '#app/api/members-only.ts';
import { useViewer } from '#app/api/viewer.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { LocaleLink, LocaleNavLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { showChosen } from '#app/ui/row-scroll.ts';
import { UserMenu } from '#app/ui/user-menu.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';
import type { Route } from './+types/account-layout';

/** An account is its owner's; others sign in and come back. */
export const middleware: Route.MiddlewareFunction[] = [membersOnly];

/** Runs the middleware on the first request of every page of the account. */
export function loader() {
  return null;
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

const PAGES = [
  { to: '/drive/account', icon: UserRound, label: 'profile.title' },
  { to: '/drive/account/security', icon: ShieldCheck, label: 'security.title' },
  { to: '/drive/account/apps', icon: KeyRound, label: 'security.apps.title' },
  { to: '/drive/account/notifications', icon: Mail, label: 'profile.notices' },
] as const;

export default function AccountLayout() {
  const t = useT();
  const viewer = useViewer();
  const pages = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the pages stand in a row that is longer than the screen.
  useEffect(() => {
    showChosen(pages.current, '[aria-current=page]');
  }, [pathname]);
  // Nothing of an account stays on the screen once its session has ended.
  if (!viewer) return <main className="min-h-dvh bg-paper" />;
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
          ref={pages}
          aria-label={t('profile.pages')}
          className="relative flex shrink-0 gap-0.5 md:w-50 md:flex-col max-md:-mx-4 max-md:overflow-x-auto max-md:border-b max-md:border-line max-md:px-2"
        >
          {PAGES.map(({ to, icon: Icon, label }) => (
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
              {t(label)}
            </LocaleNavLink>
          ))}
        </nav>
        <main id="content" className="min-w-0 flex-1">
          <Outlet />
        </main>
      </div>
    </div>
  );
}
