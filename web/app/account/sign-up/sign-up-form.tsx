import { useFetcher } from 'react-router';
import { LocaleLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { AddressField, NewMemberFields } from '../form/account-fields.tsx';
import { NO_CODE, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { ResendButton } from '../form/resend-button.tsx';
import { SentCode } from '../form/sent-code.tsx';

interface SignUpFormProps {
  continueTo: string;
  /** True if email addresses must be verified with a code. */
  needsCode: boolean;
  /** True if phone numbers are accepted, which are always verified. */
  takesPhones: boolean;
  passwordMin: number;
  answered: FormResult | undefined;
}

/**
 * Sign-up form: a single step if nothing is verified; otherwise first the address or number, then its code
 * and the other fields.
 */
export function SignUpForm({ continueTo, needsCode, takesPhones, passwordMin, answered }: SignUpFormProps) {
  const t = useT();
  const path = useLocalePath();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? answered;
  const errors = useFormErrors(result);
  const query = `?continue=${encodeURIComponent(continueTo)}`;
  const verification = result?.verification;
  const asksCodeFirst = (needsCode || takesPhones) && !verification;
  const hasCode = verification !== undefined && verification.id !== NO_CODE;
  const email = result?.typed?.email;

  return (
    <div className="grid gap-5">
      <fetcher.Form
        key={asksCodeFirst ? 'address' : 'account'}
        method="post"
        action={path('/sign-up') + query}
        className="grid gap-4"
      >
        <FormAlert>{errors.whole}</FormAlert>
        {needsCode && <input type="hidden" name="proves" value="1" />}
        {verification && <FormAlert>{errors.at('email')}</FormAlert>}
        {verification && hasCode && (
          <SentCode id={verification.id} to={email} says="account.signUp.codeSent" errors={errors} />
        )}
        {verification && !hasCode && (
          <>
            <input type="hidden" name="email" value={email} />
            <input type="hidden" name="verification_id" value={verification.id} />
            <p className="font-semibold">{email}</p>
          </>
        )}
        {!verification && (
          <AddressField
            result={result}
            errors={errors}
            ways={{ mail: true, phone: takesPhones }}
            autoComplete="email"
          />
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
        {hasCode && <ResendButton verification={verification} />}
        <Agreement />
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

/** Terms that the user agrees to; the links open in a new tab, so that no input is lost. */
function Agreement() {
  const t = useT();
  const link = (to: string, text: string) => (
    <LocaleLink to={to} target="_blank" className="text-ink-2 underline underline-offset-3 hover:text-ink">
      {text}
    </LocaleLink>
  );
  return (
    <p className="text-center text-13 text-ink-3">
      {t.rich('account.signUp.agree', {
        terms: link('/policy/user-agreement', t('account.signUp.terms')),
        privacy: link('/policy/privacy-policy', t('account.signUp.privacy')),
      })}
    </p>
  );
}
