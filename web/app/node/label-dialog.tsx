import { useState, type FormEvent } from 'react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';

/** Dialog that asks for a short text, which may be empty. */
export function LabelDialog({
  title,
  label,
  hint,
  confirm,
  initial,
  most,
  onSubmit,
  onClose,
}: {
  title: string;
  label: string;
  hint: string;
  /** Label of the button that submits. */
  confirm: string;
  initial: string;
  /** Maximum length in characters. */
  most: number;
  /** Returns an error to show beside the field, if any. */
  onSubmit: (text: string) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const t = useT();
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const problem = await onSubmit(text);
    setBusy(false);
    setError(problem);
    if (problem === undefined) onClose();
  };
  return (
    <Dialog
      isOpen
      compact
      holdsWork
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="label-form" busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id="label-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={label}
          hint={hint}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          error={error}
          autoComplete="off"
          maxLength={most}
        />
      </form>
    </Dialog>
  );
}
