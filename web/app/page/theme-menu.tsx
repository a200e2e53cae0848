import { Monitor, Moon, Sun } from 'lucide-react';
import { THEMES } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { useTheme } from './use-theme.ts';

export const THEME_ICONS = { light: <Sun />, dark: <Moon />, system: <Monitor /> };

export function ThemeMenu() {
  const t = useT();
  const [theme] = useTheme();
  return (
    <MenuTrigger>
      <IconButton label={t('ui.theme')} icon={THEME_ICONS[theme]} />
      <Menu aria-label={t('ui.theme')}>
        <ThemeItems />
      </Menu>
    </MenuTrigger>
  );
}

/** Themes as items for any menu. */
export function ThemeItems() {
  const t = useT();
  const [theme, choose] = useTheme();
  return THEMES.map((one) => (
    <MenuItem key={one} icon={THEME_ICONS[one]} isSelected={one === theme} onAction={() => choose(one)}>
      {t(`ui.theme.${one}`)}
    </MenuItem>
  ));
}
