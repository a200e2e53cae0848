import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { EmailField, PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SentCode } from '../form/sent-code.tsx';

/**
 * Changes the account's email address: first with a code sent to the new one, if the service sends email,
 * then with the password.
 */
export function EmailDialog({ needsCode, onClose }: { needsCode: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title={t('profile.email.change')}
      intent="email"
      submit={t('account.signUp.sendCode')}
      onClose={onClose}
      onDone={() => toast.show({ text: t('profile.email.done') })}
    >
      {({ result, errors }) => {
        const { verification, typed } = result ?? {};
        if (needsCode && !verification)
          return (
            <>
              <input type="hidden" name="prove" value="1" />
              <p className="text-ink-2">{t('profile.email.text')}</p>
              <EmailField
                label={t('profile.email.new')}
                result={result}
                errors={errors}
                autoComplete="email"
              />
            </>
          );
        if (!verification)
          return (
            <>
              <EmailField
                label={t('profile.email.new')}
                result={result}
                errors={errors}
                autoComplete="email"
              />
              <PresentPasswordField errors={errors} />
            </>
          );
        return (
          <>
            <SentCode id={verification.id} to={typed?.email} says="account.signUp.codeSent" errors={errors} />
            <PresentPasswordField errors={errors} />
          </>
        );
      }}
    </FormDialog>
  );
}
