import { Outlet } from 'react-router';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';

/** Layout of pages with a single purpose: the logo, and the content. */
export function SimpleLayout() {
  const t = useT();
  return (
    <div className="flex min-h-dvh flex-col md:bg-sunken">
      <header className="bare:hidden flex h-18 items-center justify-between px-6 max-md:px-4">
        <LocaleLink to="/" aria-label={t('site.nav.home')} className="rounded-control">
          <Wordmark />
        </LocaleLink>
        <LanguageMenu />
      </header>
      <main className="flex flex-1 justify-center px-4 pt-[max(24px,8vh)] pb-24">
        <Outlet />
      </main>
    </div>
  );
}
