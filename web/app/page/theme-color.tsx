import { useTheme } from './use-theme.ts';

/** Paper, as tokens.css has it. */
const PAPER = { light: '#fbfaf9', dark: '#0f1116' } as const;

/** What browsers draw around the page: of the theme that was chosen, else of the system's. */
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
