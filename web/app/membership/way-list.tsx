import type { ReactNode } from 'react';
import { LocaleLink } from '#app/i18n/locale.tsx';

/** A page that a dialog leads to, with its icon, and a sentence about it. */
export interface Way {
  readonly to: string;
  readonly icon: ReactNode;
  readonly name: string;
  readonly text: string;
}

/** Links from a dialog to pages; `onChoose` closes the dialog. */
export function WayList({ ways, onChoose }: { ways: readonly Way[]; onChoose: () => void }) {
  return (
    <ul className="grid gap-2">
      {ways.map(({ to, icon, name, text }) => (
        <li key={to}>
          <LocaleLink
            to={to}
            onClick={onChoose}
            className="flex items-center gap-4 rounded-card border border-line px-4 py-3 hover:bg-hover"
          >
            <span className="text-ink-2">{icon}</span>
            <span className="min-w-0">
              <span className="block font-medium">{name}</span>
              <span className="num block text-13 text-ink-2">{text}</span>
            </span>
          </LocaleLink>
        </li>
      ))}
    </ul>
  );
}
