import type { ReactNode } from 'react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';

/** Part of the home above the recent files; `to` is the place that has all of it. */
export function Section({
  title,
  to,
  className,
  children,
}: {
  title: string;
  to?: string;
  className?: string;
  children: ReactNode;
}) {
  const t = useT();
  return (
    <section aria-label={title} className={cx('pb-4', className)}>
      <div className="flex min-h-10 items-center justify-between gap-3 px-(--inset)">
        <h2 className="truncate text-14 font-semibold">{title}</h2>
        {to !== undefined && (
          <LocaleLink
            to={to}
            aria-label={t('drive.recent.allOf', { place: title })}
            className="flex h-10 shrink-0 items-center rounded-control font-medium text-blue-strong hover:underline"
          >
            {t('drive.recent.all')}
          </LocaleLink>
        )}
      </div>
      {children}
    </section>
  );
}

/** Row of tiles that scrolls sideways. */
export function TileRow({ children }: { children: ReactNode }) {
  return (
    <ul className="flex snap-x gap-3 overflow-x-auto px-(--inset) pt-1 pb-2 [scroll-padding-inline:var(--inset)] [scrollbar-width:thin]">
      {children}
    </ul>
  );
}
