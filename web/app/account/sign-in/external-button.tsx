import { LogIn } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { buttonClass } from '#app/ui/button.tsx';

/** Signs in with an external account. */
export function ExternalButton({ continueTo, label }: { continueTo: string; label: string }) {
  const t = useT();
  return (
    <a
      href={`/auth/external?continue=${encodeURIComponent(continueTo)}`}
      className={buttonClass('line', 'l', 'w-full')}
    >
      <LogIn aria-hidden="true" />
      <span>{t('account.external.signIn', { label })}</span>
    </a>
  );
}
