import { useState } from 'react';
import type { FetcherWithComponents } from 'react-router';
import { LIMITS } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { AppCodeField } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormAlert, type FormErrors } from '../form/form-parts.tsx';

const DAY_SECONDS = 24 * 3600;

interface SecondFactorFormProps {
  fetcher: FetcherWithComponents<FormResult>;
  action: string;
  ticket: string;
  errors: FormErrors;
  /** True if the current page stays open. */
  stays: boolean;
}

/** Second step of signing in: asks for a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ fetcher, action, ticket, errors, stays }: SecondFactorFormProps) {
  const t = useT();
  const [isOnPaper, setOnPaper] = useState(false);
  const [remembers, setRemembers] = useState(false);
  return (
    <fetcher.Form method="post" action={action} className="grid gap-4">
      <input type="hidden" name="ticket" value={ticket} />
      {stays && <input type="hidden" name="stay" value="1" />}
      <FormAlert>{errors.whole}</FormAlert>
      {isOnPaper ? (
        <TextField
          key="paper"
          label={t('account.second.recoveryCode')}
          name="recovery_code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          required
          // The page asks for nothing else.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          hint={t('account.second.recoveryHint')}
          error={errors.at('recoveryCode')}
        />
      ) : (
        // The page asks for nothing else.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        <AppCodeField key="app" autoFocus error={errors.at('code')} />
      )}
      <Checkbox name="remember" isSelected={remembers} onChange={setRemembers}>
        {t('account.second.remember', { count: LIMITS.trustedDeviceSeconds / DAY_SECONDS })}
      </Checkbox>
      <Button
        type="submit"
        variant="primary"
        size="l"
        busy={fetcher.state !== 'idle'}
        className="mt-1 w-full"
      >
        {t('account.signIn.submit')}
      </Button>
      <Button variant="plain" className="w-full" onClick={() => setOnPaper(!isOnPaper)}>
        {isOnPaper ? t('account.second.useApp') : t('account.second.useRecovery')}
      </Button>
    </fetcher.Form>
  );
}
