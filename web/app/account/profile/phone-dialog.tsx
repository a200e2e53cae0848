import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { AddressField, PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SentCode } from '../form/sent-code.tsx';

/** Adds or changes the account's phone number: first with a code sent to it, then with the password. */
export function PhoneDialog({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title={isFirst ? t('profile.phone.add') : t('profile.phone.change')}
      intent="phone"
      submit={t('account.signUp.sendCode')}
      onClose={onClose}
      onDone={() => toast.show({ text: t('profile.phone.done') })}
    >
      {({ result, errors }) => {
        const { verification, typed } = result ?? {};
        if (!verification)
          return (
            <>
              <p className="text-ink-2">{t('profile.phone.text')}</p>
              <AddressField
                result={result}
                errors={errors}
                ways={{ mail: false, phone: true }}
                autoComplete="email"
              />
              <p className="text-13 text-ink-2">{t('profile.phone.risk')}</p>
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

/** Removes the phone number. */
export function PhoneRemovalDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title={t('profile.phone.remove')}
      intent="remove-phone"
      submit={t('profile.phone.remove')}
      isDanger
      onClose={onClose}
      onDone={() => toast.show({ text: t('profile.phone.removed') })}
    >
      {({ errors }) => (
        <>
          <p className="text-ink-2">{t('profile.phone.removeText')}</p>
          <PresentPasswordField errors={errors} />
        </>
      )}
    </FormDialog>
  );
}
