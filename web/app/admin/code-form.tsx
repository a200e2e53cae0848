import { useId, useState } from 'react';
import {
  CODE_AUDIENCES,
  type adminMembershipApi,
  type CodeAudience,
  type InputOf,
} from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { wholeNumber } from './whole-number.ts';

type NewBatch = InputOf<typeof adminMembershipApi.createBatch>['body'];

const GB = 2 ** 30;
const MOST = { count: 10_000, days: 36_500, uses: 1_000_000, size: 1_000_000 } as const;
type Field = keyof typeof MOST;
const LONGEST_NOTE = 200;
/** Stands for additional storage in the list of plans, whose ids have no slash. */
const STORAGE = '/storage';

const midnight = (day: string): string => `${day}T00:00:00Z`;

/** Form for a batch of codes. */
export function CodeForm({
  plans,
  isBusy,
  onClose,
  onCreate,
}: {
  plans: readonly { readonly id: string; readonly name: string }[];
  isBusy: boolean;
  onClose: () => void;
  onCreate: (batch: NewBatch) => void;
}) {
  const t = useT();
  const format = useFormat();
  const id = useId();
  const [gift, setGift] = useState(plans[0]!.id);
  const [typed, setTyped] = useState<Record<Field, string>>({
    count: '10',
    days: '30',
    uses: '1',
    size: '100',
  });
  const [audience, setAudience] = useState<CodeAudience>('everyone');
  const [note, setNote] = useState('');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isEndWrong, setEndWrong] = useState(false);

  const fields: readonly Field[] =
    gift === STORAGE ? ['size', 'days', 'count', 'uses'] : ['days', 'count', 'uses'];
  const numbers = Object.fromEntries(
    fields.map((field) => [field, wholeNumber(typed[field], MOST[field])]),
  ) as Partial<Record<Field, number>>;

  const submit = (): void => {
    const { count, days, uses, size } = numbers;
    const isSized = gift !== STORAGE || size !== undefined;
    const start = from === '' ? 0 : Date.parse(midnight(from));
    const isLate = until === '' || Date.parse(midnight(until)) > Math.max(Date.now(), start);
    setEndWrong(!isLate);
    if (count === undefined || days === undefined || uses === undefined || !isSized || !isLate) {
      setChecked(true);
      return;
    }
    onCreate({
      ...{ count, days, uses, audience, note: note.trim() },
      ...(gift === STORAGE ? { bytes: String(size! * GB) } : { plan: gift }),
      ...(from === '' ? {} : { starts_at: midnight(from) }),
      ...(until === '' ? {} : { ends_at: midnight(until) }),
    });
  };
  const labels = {
    count: t('admin.codes.count'),
    days: t('admin.plan.days'),
    uses: t('admin.codes.uses'),
    size: t('admin.codes.size'),
  };
  return (
    <Dialog
      isOpen
      holdsWork
      size="m"
      onClose={onClose}
      title={t('admin.codes.title')}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={isBusy}>
            {t('admin.codes.submit')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Select
          className="sm:col-span-2"
          label={t('admin.codes.grants')}
          value={gift}
          onChange={setGift}
          options={[
            ...plans.map((plan) => ({ value: plan.id, label: plan.name })),
            { value: STORAGE, label: t('admin.codes.storage') },
          ]}
        />
        {fields.map((field) => (
          <TextField
            key={field}
            label={labels[field]}
            inputMode="numeric"
            value={typed[field]}
            onChange={({ currentTarget: { value } }) => setTyped((all) => ({ ...all, [field]: value }))}
            error={
              isChecked && numbers[field] === undefined
                ? t('admin.wholeNumber', { most: format.number(MOST[field]) })
                : undefined
            }
          />
        ))}
        <Select
          className="sm:col-span-2"
          label={t('admin.codes.audience')}
          value={audience}
          onChange={setAudience}
          options={CODE_AUDIENCES.map((value) => ({ value, label: t(`admin.codes.audience.${value}`) }))}
        />
        <TextField
          label={t('admin.codes.from')}
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          hint={t('admin.codes.dateHint')}
        />
        <TextField
          label={t('admin.codes.until')}
          type="date"
          value={until}
          onChange={(event) => {
            setUntil(event.currentTarget.value);
            setEndWrong(false);
          }}
          error={isEndWrong ? t('admin.codes.wrongEnd') : undefined}
          hint={t('admin.codes.dateHint')}
        />
        <TextField
          className="sm:col-span-2"
          label={t('admin.codes.note')}
          value={note}
          maxLength={LONGEST_NOTE}
          onChange={(event) => setNote(event.currentTarget.value)}
          hint={t('admin.codes.noteHint')}
        />
      </form>
    </Dialog>
  );
}
