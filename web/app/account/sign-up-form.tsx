import { useFetcher } from 'react-router';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { CodeField, EmailField, NewMemberFields } from './account-fields.tsx';
import type { FormResult } from './account-form.ts';
import { FormAlert, useFormErrors } from './form-parts.tsx';

interface SignUpFormProps {
  continueTo: string;
  needsCode: boolean;
  passwordMin: number;
  answered: FormResult | undefined;
}

/** One step where addresses are not verified; else the address first, and with its code the rest. */
export function SignUpForm({ continueTo, needsCode, passwordMin, answered }: SignUpFormProps) {
  const t = useT();
  const path = useLocalePath();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? answered;
  const errors = useFormErrors(result);
  const query = `?continue=${encodeURIComponent(continueTo)}`;
  const verification = result?.verification;
  const asksCodeFirst = needsCode && !verification;
  const email = result?.typed?.email;

  return (
    <div className="grid gap-5">
      <fetcher.Form
        key={asksCodeFirst ? 'address' : 'account'}
        method="post"
        action={path('/sign-up') + query}
        className="grid gap-4"
      >
        {errors.whole !== undefined && <FormAlert>{errors.whole}</FormAlert>}
        {verification ? (
          <>
            <input type="hidden" name="email" value={email} />
            <input type="hidden" name="verification_id" value={verification.id} />
            <p className="text-ink-2">
              {t.rich('account.signUp.codeSent', {
                email: <b className="font-semibold text-ink">{email}</b>,
              })}
            </p>
            <CodeField errors={errors} />
          </>
        ) : (
          <EmailField result={result} errors={errors} autoComplete="email" />
        )}
        {!asksCodeFirst && <NewMemberFields result={result} errors={errors} passwordMin={passwordMin} />}
        <Button
          type="submit"
          name="step"
          value={asksCodeFirst ? 'code' : 'account'}
          variant="primary"
          size="l"
          busy={fetcher.state !== 'idle'}
          className="mt-1 w-full"
        >
          {asksCodeFirst ? t('account.signUp.sendCode') : t('account.signUp.submit')}
        </Button>
        {verification && (
          <Button type="submit" name="step" value="code" variant="plain" formNoValidate className="w-full">
            {t('account.signUp.sendAgain')}
          </Button>
        )}
      </fetcher.Form>
      <p className="text-center text-13 text-ink-2">
        {t.rich('account.signUp.orSignIn', {
          signIn: (
            <LocaleLink
              to={`/drive/login${query}`}
              className="font-medium text-blue-strong underline-offset-3 hover:underline"
            >
              {t('account.signIn.link')}
            </LocaleLink>
          ),
        })}
      </p>
    </div>
  );
}
