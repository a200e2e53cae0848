import { LIMITS } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { FormResult } from './account-form.ts';
import type { FormErrors } from './form-parts.tsx';

interface FieldProps {
  result: FormResult | undefined;
  errors: FormErrors;
}

/** `autoComplete` tells a browser whether the address names an account that it may know. */
export function EmailField({
  result,
  errors,
  autoComplete,
}: FieldProps & { autoComplete: 'email' | 'username' }) {
  const t = useT();
  return (
    <TextField
      label={t('account.email')}
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      required
      defaultValue={result?.typed?.email}
      error={errors.at('email')}
    />
  );
}

/** Who opens an account: a name, and a password of theirs. */
export function NewMemberFields({ result, errors, passwordMin }: FieldProps & { passwordMin: number }) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('account.name')}
        name="name"
        autoComplete="name"
        maxLength={LIMITS.displayNameMax}
        required
        defaultValue={result?.typed?.name}
        error={errors.at('name')}
      />
      <PasswordField
        label={t('account.password')}
        name="password"
        autoComplete="new-password"
        minLength={passwordMin}
        maxLength={LIMITS.passwordMax}
        required
        error={errors.at('password')}
        hint={t('account.passwordHint', { count: passwordMin })}
      />
    </>
  );
}
