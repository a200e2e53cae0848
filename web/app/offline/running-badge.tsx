import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { useOffline } from './offline-frame.ts';

const MOST = 99;

/** Number of running transfers, beside the name of their place; a dot on the icon if the name is hidden. */
export function RunningBadge({ isSmall = false }: { isSmall?: boolean }) {
  const t = useT();
  const { running } = useOffline();
  if (running === 0) return null;
  return (
    <span
      className={cx(
        'num grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-blue px-1.5 text-12 font-semibold text-on-blue',
        isSmall && 'md:absolute md:top-0.5 md:right-0.5 md:h-4 md:min-w-4 md:px-1 md:text-[10px]',
      )}
    >
      <span aria-hidden="true">{running > MOST ? `${MOST}+` : running}</span>
      <span className="sr-only">{t('transfers.badge', { count: running })}</span>
    </span>
  );
}
