import { useId, useState } from 'react';
import type { Person } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { wholeNumber } from './whole-number.ts';

interface Plan {
  readonly id: string;
  readonly name: string;
}

const MOST_DAYS = 36_500;

/** Form that grants a member days of a plan. */
export function PlanForm({
  person,
  plans,
  isBusy,
  onClose,
  onGive,
}: {
  person: Person;
  plans: readonly Plan[];
  isBusy: boolean;
  onClose: () => void;
  onGive: (plan: Plan, days: number) => void;
}) {
  const t = useT();
  const format = useFormat();
  const id = useId();
  const [chosen, setChosen] = useState(plans[0]!.id);
  const [typed, setTyped] = useState('30');
  const [isWrong, setWrong] = useState(false);
  const submit = (): void => {
    const days = wholeNumber(typed, MOST_DAYS);
    if (days === undefined) setWrong(true);
    else
      onGive(
        plans.find((plan) => plan.id === chosen)!,
        days,
      );
  };
  return (
    <Dialog
      isOpen
      holdsWork
      onClose={onClose}
      title={t('admin.plan.title', { name: person.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={isBusy}>
            {t('admin.plan.give')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Select
          label={t('admin.plan.plan')}
          value={chosen}
          onChange={setChosen}
          options={plans.map((plan) => ({ value: plan.id, label: plan.name }))}
        />
        <TextField
          label={t('admin.plan.days')}
          inputMode="numeric"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(false);
          }}
          error={isWrong ? t('admin.wholeNumber', { most: format.number(MOST_DAYS) }) : undefined}
          hint={t('admin.plan.hint')}
        />
      </form>
    </Dialog>
  );
}
