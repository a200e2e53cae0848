import { useId, useState } from 'react';
import type { Person } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';

const GB = 2 ** 30;
/** Largest number of gigabytes whose bytes a safe integer can represent. */
const MOST_GB = Math.floor(Number.MAX_SAFE_INTEGER / GB);

/** Sets an account's storage quota, in gigabytes. */
export function StorageForm({
  person,
  isBusy,
  onClose,
  onSet,
}: {
  person: Person;
  isBusy: boolean;
  onClose: () => void;
  onSet: (bytes: number) => void;
}) {
  const t = useT();
  const format = useFormat();
  const id = useId();
  const [typed, setTyped] = useState(String(Number((Number(person.storage_limit) / GB).toFixed(2))));
  const [isWrong, setWrong] = useState(false);
  const submit = (): void => {
    const size = typed.trim() === '' ? Number.NaN : Number(typed.trim().replace(',', '.'));
    if (!Number.isFinite(size) || size < 0 || size > MOST_GB) setWrong(true);
    else onSet(Math.round(size * GB));
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('admin.storage.title', { name: person.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={isBusy}>
            {t('admin.save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={t('admin.storage.label')}
          inputMode="decimal"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(false);
          }}
          error={isWrong ? t('admin.storage.wrong') : undefined}
          hint={t('admin.storage.hint', { used: format.bytes(person.storage_used) })}
        />
      </form>
    </Dialog>
  );
}
