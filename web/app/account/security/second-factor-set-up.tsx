import { useState } from 'react';
import { useT } from '#app/i18n/t.ts';
import { QrPicture } from '#app/ui/qr-picture.tsx';
import { AppCodeField, PresentPasswordField } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { FormDialog } from '../form/form-dialog.tsx';

interface SecondFactorSetUpProps {
  onClose: () => void;
  /** Called when two-step verification is on, with the recovery codes to keep. */
  onCodes: (codes: readonly string[] | undefined) => void;
}

/**
 * Asks for the password, then shows the secret for the app to scan, then asks for a code that proves the
 * scan.
 */
export function SecondFactorSetUp({ onClose, onCodes }: SecondFactorSetUpProps) {
  const t = useT();
  const [app, setApp] = useState<FormResult['app']>();
  if (!app)
    return (
      <FormDialog
        key="password"
        title={t('security.second.setUp')}
        intent="begin-second-factor"
        submit={t('account.signUp.sendCode')}
        staysOpen
        onClose={onClose}
        onDone={(result) => setApp(result.app)}
      >
        {({ errors }) => (
          <>
            <p className="text-ink-2">{t('security.second.about')}</p>
            <PresentPasswordField errors={errors} />
          </>
        )}
      </FormDialog>
    );
  return (
    <FormDialog
      key="code"
      title={t('security.second.setUp')}
      intent="confirm-second-factor"
      submit={t('security.second.confirm')}
      onClose={onClose}
      onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
    >
      {({ errors }) => (
        <>
          <p className="text-ink-2">{t('security.second.scan')}</p>
          <QrPicture text={app.uri} label={t('security.second.picture')} />
          <details className="text-13 text-ink-2">
            <summary className="cursor-pointer font-medium text-blue-strong">
              {t('security.second.byHand')}
            </summary>
            <code className="mt-2 block rounded-control border border-line bg-sunken px-3 py-2 font-mono text-13 text-ink [overflow-wrap:anywhere] select-all">
              {app.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
            </code>
          </details>
          <AppCodeField error={errors.at('code')} />
        </>
      )}
    </FormDialog>
  );
}
