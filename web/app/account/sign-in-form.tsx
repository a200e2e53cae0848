import { useEffect } from 'react';
import { useFetcher } from 'react-router';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { EmailField } from './account-fields.tsx';
import type { FormResult } from './account-form.ts';
import { FormAlert, useFormErrors } from './form-parts.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

export interface SignInFormProps {
  /** Where to go on; a path of ours. */
  continueTo: string;
  /** Stay on the page that asked, which learns of it here. */
  onDone?: () => void;
  /** The answer to a form that was sent without JavaScript. */
  answered?: FormResult | undefined;
}

export function SignInForm({ continueTo, onDone, answered }: SignInFormProps) {
  const t = useT();
  const path = useLocalePath();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? answered;
  const errors = useFormErrors(result);
  const isDone = fetcher.data?.done === true && fetcher.state === 'idle';
  useEffect(() => {
    if (isDone) onDone?.();
    // Once for each time that it is done, whatever the page made of its callback since.
    // eslint-disable-next-line react/exhaustive-deps
  }, [isDone]);
  const ticket = result?.secondFactor?.ticket;
  const query = `?continue=${encodeURIComponent(continueTo)}`;

  if (ticket !== undefined)
    return (
      <SecondFactorForm
        fetcher={fetcher}
        action={path('/drive/login') + query}
        ticket={ticket}
        errors={errors}
        stays={onDone !== undefined}
      />
    );

  return (
    <div className="grid gap-5">
      <fetcher.Form method="post" action={path('/drive/login') + query} className="grid gap-4">
        {onDone && <input type="hidden" name="stay" value="1" />}
        {errors.whole !== undefined && <FormAlert>{errors.whole}</FormAlert>}
        <EmailField result={result} errors={errors} autoComplete="username" />
        <PasswordField
          label={t('account.password')}
          name="password"
          autoComplete="current-password"
          required
          error={errors.at('password')}
          labelEnd={
            <LocaleLink
              to="/forgot-password"
              className="text-13 font-medium text-blue-strong underline-offset-3 hover:underline"
            >
              {t('account.forgot.link')}
            </LocaleLink>
          }
        />
        <Button
          type="submit"
          variant="primary"
          size="l"
          busy={fetcher.state !== 'idle'}
          className="mt-1 w-full"
        >
          {t('account.signIn.submit')}
        </Button>
      </fetcher.Form>
      <PasskeyButton continueTo={continueTo} onDone={onDone} />
      <p className="text-center text-13 text-ink-2">
        {t.rich('account.signIn.orSignUp', {
          signUp: (
            <LocaleLink
              to={`/sign-up${query}`}
              className="font-medium text-blue-strong underline-offset-3 hover:underline"
            >
              {t('account.signUp.link')}
            </LocaleLink>
          ),
        })}
      </p>
    </div>
  );
}
