import { useRef, useState } from 'react';
import { Mail, MessageSquareText } from 'lucide-react';
import { useFetcher } from 'react-router';
import { useIsSignUpOpen } from '#app/api/sign-up.ts';
import { textOf } from '#app/browser/form-text.ts';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/form/password-field.tsx';
import { AddressField } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { CodeSignIn } from './code-sign-in.tsx';
import { ExternalButton } from './external-button.tsx';
import { KeepForm } from './keep-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useDoors, type Doors } from './use-doors.ts';
import { useSignedIn } from './use-signed-in.ts';

export interface SignInFormProps {
  /** Path of this site to continue to. */
  continueTo: string;
  /** Called after signing in if the current page stays open. */
  onDone?: () => void;
  /** Result of a form that was submitted without JavaScript. */
  answered?: FormResult | undefined;
  /** Sign-in methods besides the password; looked up if absent. */
  doors?: Doors | undefined;
}

export function SignInForm({ continueTo, onDone, answered, doors: known }: SignInFormProps) {
  const t = useT();
  const path = useLocalePath();
  const form = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<FormResult>();
  const [kept, setKept] = useState<FormResult['keep']>();
  const result = fetcher.data ?? (kept ? { keep: kept } : answered);
  const errors = useFormErrors(result);
  useSignedIn(fetcher, onDone);
  const doors = useDoors(known);
  const isSignUpOpen = useIsSignUpOpen();
  const [byCode, setByCode] = useState(answered?.verification !== undefined);
  const [email, setEmail] = useState('');
  const ticket = result?.secondFactor?.ticket;
  const query = `?continue=${encodeURIComponent(continueTo)}`;
  const action = path('/drive/login') + query;

  if (result?.keep)
    return (
      <KeepForm
        fetcher={fetcher}
        action={path('/drive/login') + query}
        kept={result.keep}
        errors={errors}
        stays={onDone !== undefined}
      />
    );
  if (ticket !== undefined)
    return (
      <SecondFactorForm
        fetcher={fetcher}
        action={action}
        ticket={ticket}
        errors={errors}
        stays={onDone !== undefined}
      />
    );
  if (byCode)
    return (
      <CodeSignIn
        action={action}
        email={email}
        onDone={onDone}
        answered={answered}
        ways={{ mail: doors.mailCode, phone: doors.phoneCode }}
        onPassword={() => setByCode(false)}
      />
    );

  const askForCode = (): void => {
    if (form.current) setEmail(textOf(new FormData(form.current), 'email'));
    setByCode(true);
  };
  return (
    <div className="grid gap-5">
      <fetcher.Form ref={form} method="post" action={action} className="grid gap-4">
        {onDone && <input type="hidden" name="stay" value="1" />}
        <FormAlert>{errors.whole}</FormAlert>
        <AddressField
          ways={{ mail: true, phone: doors.phoneCode }}
          result={result ?? { typed: { email, name: '' } }}
          errors={errors}
          autoComplete="username"
        />
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
      <div className="grid gap-3">
        {(doors.mailCode || doors.phoneCode) && (
          <Button
            size="l"
            icon={doors.phoneCode ? <MessageSquareText /> : <Mail />}
            className="w-full"
            onClick={askForCode}
          >
            {doors.phoneCode ? t('account.signIn.withAnyCode') : t('account.signIn.withCode')}
          </Button>
        )}
        <PasskeyButton continueTo={continueTo} onDone={onDone} onKeep={setKept} />
        {doors.external !== '' && <ExternalButton continueTo={continueTo} label={doors.external} />}
      </div>
      {isSignUpOpen && (
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
      )}
    </div>
  );
}
