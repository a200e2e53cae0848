import { LIMITS } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { PasswordField } from '#app/ui/form/password-field.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { isMail, type FormResult } from './account-form.ts';
import type { FormErrors } from './form-parts.tsx';

interface FieldProps {
  result: FormResult | undefined;
  errors: FormErrors;
}

/** `autoComplete` is `username` if the address belongs to an account that the browser may have saved. */
export function EmailField({
  result,
  errors,
  autoComplete,
  label,
}: FieldProps & { autoComplete: 'email' | 'username'; label?: string }) {
  const t = useT();
  return (
    <TextField
      label={label ?? t('account.email')}
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

/** Channels by which this service can reach people. */
export interface Ways {
  readonly mail: boolean;
  readonly phone: boolean;
}

/** Kind of address to ask for, by the channels on which codes are sent. */
export const addressKind = ({ mail, phone }: Ways): 'Mail' | 'Phone' | 'Either' =>
  phone ? (mail ? 'Either' : 'Phone') : 'Mail';

/** Email address, or a phone number if the service accepts those. */
export function AddressField({
  result,
  errors,
  ways,
  autoComplete,
}: FieldProps & { ways: Ways; autoComplete: 'email' | 'username' }) {
  const t = useT();
  if (!ways.phone) return <EmailField result={result} errors={errors} autoComplete={autoComplete} />;
  const both = ways.mail;
  return (
    <TextField
      label={both ? t('account.address') : t('account.phone')}
      name="email"
      type={both ? 'text' : 'tel'}
      inputMode={both ? 'email' : 'tel'}
      autoComplete={both ? autoComplete : 'tel'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={320}
      required
      hint={t('account.phone.hint')}
      defaultValue={result?.typed?.email}
      error={errors.at('email')}
    />
  );
}

/** Fields of a new account: a name and a password. */
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
      <NewPasswordField
        label={t('account.password')}
        name="password"
        error={errors.at('password')}
        passwordMin={passwordMin}
      />
    </>
  );
}

/** Six-digit code from an email or a text message. */
export function CodeField({
  errors,
  to = '',
  isAlone = false,
}: Pick<FieldProps, 'errors'> & {
  /** Address that the code was sent to. */
  to?: string | undefined;
  isAlone?: boolean | undefined;
}) {
  const t = useT();
  return (
    <TextField
      label={to === '' || isMail(to) ? t('account.code') : t('account.code.sms')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      required
      // Only if the form asks for nothing else.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isAlone}
      error={errors.at('code')}
      className="[&_input]:tracking-[0.2em] [&_input]:tabular-nums"
    />
  );
}

/** Six-digit code from an authenticator app. */
export function AppCodeField({
  error,
  autoFocus = false,
}: {
  error: string | undefined;
  autoFocus?: boolean;
}) {
  const t = useT();
  return (
    <TextField
      label={t('account.second.code')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      required
      // Only if the page asks for nothing else.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={autoFocus}
      error={error}
      className="[&_input]:tracking-[0.2em] [&_input]:tabular-nums"
    />
  );
}

/** Current password, which proves that the signed-in person is the owner. */
export function PresentPasswordField({ errors }: Pick<FieldProps, 'errors'>) {
  const t = useT();
  return (
    <PasswordField
      label={t('account.presentPassword')}
      name="password"
      autoComplete="current-password"
      required
      error={errors.at('password')}
    />
  );
}

export function NewPasswordField({
  label,
  name,
  error,
  passwordMin,
}: {
  label?: string;
  name: string;
  error: string | undefined;
  passwordMin: number;
}) {
  const t = useT();
  return (
    <PasswordField
      label={label ?? t('account.newPassword')}
      name={name}
      autoComplete="new-password"
      minLength={passwordMin}
      maxLength={LIMITS.passwordMax}
      required
      error={error}
      hint={t('account.passwordHint', { count: passwordMin })}
    />
  );
}
