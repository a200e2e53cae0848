import { useFetcher } from 'react-router';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { AddressField, addressKind, type Ways } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { ResendButton } from '../form/resend-button.tsx';
import { SentCode } from '../form/sent-code.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useSignedIn } from './use-signed-in.ts';

interface CodeSignInProps {
  /** Path of the sign-in page, with the page to continue to. */
  action: string;
  /** Address entered so far. */
  email: string;
  onDone: (() => void) | undefined;
  answered: FormResult | undefined;
  /** Channels on which codes can be sent. */
  ways: Ways;
  onPassword: () => void;
}

/** Signs in with a code sent by email or text message: asks for the address, then for the code. */
export function CodeSignIn({ action, email, onDone, answered, ways, onPassword }: CodeSignInProps) {
  const t = useT();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? answered;
  const errors = useFormErrors(result);
  useSignedIn(fetcher, onDone);
  const { verification, typed, secondFactor } = result ?? {};
  const stays = onDone !== undefined;
  if (secondFactor)
    return (
      <SecondFactorForm
        fetcher={fetcher}
        action={action}
        ticket={secondFactor.ticket}
        errors={errors}
        stays={stays}
      />
    );

  return (
    <fetcher.Form
      key={verification ? 'code' : 'address'}
      method="post"
      action={action}
      className="grid gap-4"
    >
      {stays && <input type="hidden" name="stay" value="1" />}
      <FormAlert>{errors.whole}</FormAlert>
      {verification ? (
        <SentCode
          id={verification.id}
          to={typed?.email}
          says="account.signIn.codeSent"
          errors={errors}
          isAlone
        />
      ) : (
        <>
          <p className="text-ink-2">{t(`account.signIn.codeText${addressKind(ways)}`)}</p>
          <AddressField
            ways={ways}
            result={result ?? { typed: { email, name: '' } }}
            errors={errors}
            autoComplete="username"
          />
        </>
      )}
      <Button
        type="submit"
        name="step"
        value={verification ? 'enter' : 'code'}
        variant="primary"
        size="l"
        busy={fetcher.state !== 'idle'}
        className="mt-1 w-full"
      >
        {verification ? t('account.signIn.submit') : t('account.forgot.sendCode')}
      </Button>
      {verification && <ResendButton verification={verification} />}
      <Button variant="plain" className="w-full" onClick={onPassword}>
        {t('account.signIn.withPassword')}
      </Button>
    </fetcher.Form>
  );
}
