import type { ErrorId } from '@bowerbird/contract';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { useWayOut } from './use-failure-toast.ts';

/** Link to the plans beside the text of an error; nothing if they don't raise the limit that it is about. */
export function SeePlans({ error, className }: { error: ErrorId | undefined; className?: string }) {
  const t = useT();
  const to = useWayOut()(error);
  if (to === undefined) return null;
  return (
    <LocaleLink
      to={to}
      className={cx(
        'rounded-small font-medium whitespace-nowrap text-blue-strong underline underline-offset-3',
        className,
      )}
    >
      {t('more.see')}
    </LocaleLink>
  );
}
