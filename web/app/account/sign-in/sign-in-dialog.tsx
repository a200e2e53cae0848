import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

export default function SignInDialog({
  reason,
  continueTo,
  onClose,
  onDone,
}: {
  reason: string | undefined;
  continueTo: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useT();
  return (
    <Dialog isOpen onClose={onClose} title={t('account.signIn.title')}>
      {reason !== undefined && <p className="mb-4 text-ink-2">{reason}</p>}
      <SignInForm continueTo={continueTo} onDone={onDone} />
    </Dialog>
  );
}
