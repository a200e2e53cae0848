import { useTheme } from './use-theme.ts';

/** Page background colors, as in tokens.css. */
const PAPER = { light: '#fbfaf9', dark: '#0f1116' } as const;

/** Color of the browser's own controls around the page, for the selected theme or the system's. */
export function ThemeColor() {
  const [theme] = useTheme();
  return (['light', 'dark'] as const).map((system) => (
    <meta
      key={system}
      name="theme-color"
      media={`(prefers-color-scheme: ${system})`}
      content={PAPER[theme === 'system' ? system : theme]}
    />
  ));
}
