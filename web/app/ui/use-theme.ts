import { useSyncExternalStore } from 'react';
import { chooseTheme, chosenTheme, onThemeChosen } from '#app/api/preferences.ts';
import { usePageFrame, type Theme } from '#app/i18n/page-frame.tsx';

export function useTheme(): [Theme, (theme: Theme) => void] {
  const { theme } = usePageFrame();
  return [useSyncExternalStore(onThemeChosen, chosenTheme, () => theme), chooseTheme];
}
