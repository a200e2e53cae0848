import { Menu as MenuIcon } from 'lucide-react';
import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { ThemeItems } from '#app/page/theme-menu.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { useHasPage } from './collections.ts';

const PAGES = [
  ['/', 'site.nav.home'],
  ['/url-checker', 'site.nav.urlChecker'],
  ['/help-center', 'help.title'],
  ['/faq', 'faq.nav'],
  ['/blog', 'blog.title'],
  ['/mobile-app', 'apps.nav.phone'],
  ['/desktop-app', 'apps.nav.computer'],
  ['/favorite-links-hub', 'hub.title'],
  ['/contact-us', 'contact.title'],
] as const;

/** Menu with the site's pages and the theme, on screens too narrow to show them in the header. */
export function PhoneMenu() {
  const t = useT();
  const viewer = useViewer();
  const isSignUpOpen = useIsSignUpOpen();
  const hasPage = useHasPage();
  return (
    <MenuTrigger>
      <IconButton label={t('ui.menu')} icon={<MenuIcon />} size="l" />
      <Menu>
        {PAGES.filter(([to]) => hasPage(to)).map(([to, label]) => (
          <MenuItem key={to} href={to}>
            {t(label)}
          </MenuItem>
        ))}
        <MenuSeparator />
        {viewer ? (
          <MenuItem href="/drive/all">{t('site.nav.drive')}</MenuItem>
        ) : (
          <>
            <MenuItem href="/drive/login">{t('site.nav.signIn')}</MenuItem>
            {isSignUpOpen && <MenuItem href="/sign-up">{t('site.nav.signUp')}</MenuItem>}
          </>
        )}
        <MenuSeparator />
        <MenuSection title={t('ui.theme')}>
          <ThemeItems />
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}
