import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

export default function SignInDialog({
  continueTo,
  onClose,
  onDone,
}: {
  continueTo: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useT();
  return (
    <Dialog isOpen onClose={onClose} title={t('account.signIn.title')}>
      <SignInForm continueTo={continueTo} onDone={onDone} />
    </Dialog>
  );
}
