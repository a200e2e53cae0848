import { Languages } from 'lucide-react';
import { useLocation } from 'react-router';
import { LOCALE_NAMES, LOCALES } from '@bowerbird/contract';
import { inLocale, useLocale } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { chooseLocale } from './preferences.ts';

/** Changes the language without leaving the page. */
export function LanguageMenu() {
  const t = useT();
  const locale = useLocale();
  const { pathname, search, hash } = useLocation();
  return (
    <MenuTrigger>
      <IconButton label={t('ui.language')} icon={<Languages />} />
      <Menu aria-label={t('ui.language')}>
        {LOCALES.map((other) => (
          <MenuItem
            key={other}
            href={inLocale(other, pathname, search) + hash}
            reloadDocument
            lang={other}
            isSelected={other === locale}
            onAction={() => chooseLocale(other)}
          >
            {LOCALE_NAMES[other]}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
