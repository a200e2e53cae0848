import { useState, type FormEvent } from 'react';
import { LIMITS, nameProblem } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';

export interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly confirm: string;
  readonly initial: string;
  /** Returns an error to show beside the field, if any. */
  readonly onSubmit: (name: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Dialog that asks for a name. */
export function NameDialog({ title, label, confirm, initial, onSubmit, onClose }: NameDialogProps) {
  const t = useT();
  const [name, setName] = useState(initial);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = nameProblem(name);
    if (problem) {
      setError(t(`error.${problem}` as 'error.file_name_empty'));
      return;
    }
    setBusy(true);
    setError(await onSubmit(name));
    setBusy(false);
  };
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="name-form" busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id="name-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          error={error}
          autoComplete="off"
          maxLength={LIMITS.nameBytes}
        />
      </form>
    </Dialog>
  );
}
