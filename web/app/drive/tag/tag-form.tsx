import { useState, type FormEvent } from 'react';
import { COLORS, LIMITS, type Tag } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { ColorChoice } from './color-choice.tsx';

/** Dialog with the name and the color of a tag. */
export function TagForm({
  title,
  initial,
  onSubmit,
  onClose,
}: {
  title: string;
  initial: Pick<Tag, 'name' | 'color'>;
  /** Returns an error to show beside the field, if any. */
  onSubmit: (tag: Pick<Tag, 'name' | 'color'>) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const t = useT();
  const [name, setName] = useState(initial.name);
  const [color, setColor] = useState(initial.color);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const problem = await onSubmit({ name, color });
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
          <Button variant="primary" type="submit" form="tag-form" busy={busy} disabled={name.trim() === ''}>
            {t('drive.tag.save')}
          </Button>
        </>
      }
    >
      <form id="tag-form" onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField
          label={t('drive.tag.name')}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setError(undefined);
          }}
          error={error}
          autoComplete="off"
          maxLength={LIMITS.tagNameMax}
        />
        <ColorChoice colors={COLORS} name="tag-color" value={color} onChange={setColor} />
      </form>
    </Dialog>
  );
}
