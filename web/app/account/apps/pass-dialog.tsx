import { useState } from 'react';
import { LIMITS, SCOPES, type PassKind, type Scope } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { PresentPasswordField } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormDialog } from '../form/form-dialog.tsx';

const DAYS = [LIMITS.passDaysMin, LIMITS.passDays, 180, LIMITS.passDaysMax];
/** Preselected scope: most app passwords are for WebDAV, most tokens for scripts that handle files. */
const FIRST: Readonly<Record<PassKind, Scope>> = { app_password: 'dav', access_token: 'pan' };

interface PassDialogProps {
  kind: PassKind;
  onClose: () => void;
  onDone: (result: FormResult) => void;
}

/** Asks for the name, scopes and lifetime of a new pass. */
export function PassDialog({ kind, onClose, onDone }: PassDialogProps) {
  const t = useT();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set([FIRST[kind]]));
  const toggle = (scope: Scope, isChosen: boolean): void => {
    const next = new Set(scopes);
    if (isChosen) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  const days = [
    ...DAYS.map((count) => ({ value: String(count), label: t('security.pass.days', { count }) })),
    ...(kind === 'app_password' ? [{ value: '0', label: t('security.pass.forever') }] : []),
  ];
  return (
    <FormDialog
      title={t(`security.pass.${kind}New`)}
      intent="pass"
      submit={t('security.pass.make')}
      canSubmit={scopes.size > 0}
      onClose={onClose}
      onDone={onDone}
    >
      {({ result, errors }) => (
        <>
          <input type="hidden" name="kind" value={kind} />
          <TextField
            label={t('security.pass.name')}
            name="name"
            autoComplete="off"
            maxLength={64}
            required
            placeholder={t('security.pass.nameExample')}
            defaultValue={result?.typed?.name}
          />
          <fieldset className="grid gap-2.5">
            <legend className="mb-2 text-13 font-medium">{t('security.pass.scopes')}</legend>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                name={`scope-${scope}`}
                isSelected={scopes.has(scope)}
                onChange={(isChosen) => toggle(scope, isChosen)}
              >
                <span className="block">{t(`security.scope.${scope}`)}</span>
                <span className="block text-13 text-ink-2">{t(`security.scope.${scope}Text`)}</span>
              </Checkbox>
            ))}
          </fieldset>
          <Select
            label={t('security.pass.lasts')}
            name="days"
            defaultValue={String(LIMITS.passDays)}
            options={days}
          />
          <PresentPasswordField errors={errors} />
        </>
      )}
    </FormDialog>
  );
}
