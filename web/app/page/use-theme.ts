import { useSyncExternalStore } from 'react';
import { usePageFrame, type Theme } from '#app/i18n/page-frame.tsx';
import { chooseTheme, chosenTheme, onThemeChosen } from './preferences.ts';

export function useTheme(): [Theme, (theme: Theme) => void] {
  const { theme } = usePageFrame();
  return [useSyncExternalStore(onThemeChosen, chosenTheme, () => theme), chooseTheme];
}
