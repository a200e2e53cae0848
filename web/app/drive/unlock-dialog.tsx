import { useState, type FormEvent } from 'react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { PasswordField } from '#app/ui/form/password-field.tsx';

export interface UnlockDialogProps {
  readonly name: string;
  /** Returns an error to show beside the field, if any. */
  readonly onSubmit: (password: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Dialog that asks for the password of an archive. */
export function UnlockDialog({ name, onSubmit, onClose }: UnlockDialogProps) {
  const t = useT();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (password === '') {
      setError(t('error.unzip_password_required'));
      return;
    }
    setBusy(true);
    setError(await onSubmit(password));
    setBusy(false);
  };
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={t('wire.unlock.title', { name })}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="unlock-form" busy={busy}>
            {t('wire.extract.confirm')}
          </Button>
        </>
      }
    >
      <form id="unlock-form" onSubmit={(event) => void submit(event)}>
        <PasswordField
          label={t('wire.unlock.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error}
          autoComplete="off"
          maxLength={1024}
        />
      </form>
    </Dialog>
  );
}
