import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { securityApi, type ReplyOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting } from '#app/page/settings.tsx';
import { PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';

type State = ReplyOf<typeof securityApi.secondFactor>;

/** Sets up, manages and turns off two-step verification. */
export function SecondFactorSetting({ state }: { state: State }) {
  const t = useT();
  const [dialog, setDialog] = useState<'set-up' | 'codes' | 'end'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Setting
        label={
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            {t('security.second.title')}
            {state.on && <Badge tone="success">{t('security.second.on')}</Badge>}
          </span>
        }
        value={
          state.on
            ? t.rich('security.second.since', { date: <DateTime at={state.since} as="date" /> })
            : t('security.second.text')
        }
      >
        {state.on ? (
          <Button onClick={() => setDialog('end')}>{t('security.second.end')}</Button>
        ) : (
          <Button aria-label={t('security.second.setUp')} onClick={() => setDialog('set-up')}>
            {t('security.second.setUpShort')}
          </Button>
        )}
      </Setting>
      {state.on && (
        <Setting
          label={t('security.codes.title')}
          value={t('security.codes.left', { count: state.recovery_codes_left })}
        >
          <Button onClick={() => setDialog('codes')}>{t('security.codes.renew')}</Button>
        </Setting>
      )}
      {state.on && state.trusted_devices > 0 && <TrustedDevices count={state.trusted_devices} />}
      {dialog === 'set-up' && <SecondFactorSetUp onClose={close} onCodes={setCodes} />}
      {dialog === 'codes' && (
        <FormDialog
          title={t('security.codes.renew')}
          intent="renew-codes"
          submit={t('security.codes.renew')}
          onClose={close}
          onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
        >
          {({ errors }) => (
            <>
              <p className="text-ink-2">{t('security.codes.renewText')}</p>
              <PresentPasswordField errors={errors} />
            </>
          )}
        </FormDialog>
      )}
      {dialog === 'end' && (
        <FormDialog
          title={t('security.second.endTitle')}
          intent="end-second-factor"
          submit={t('security.second.end')}
          isDanger
          onClose={close}
          onDone={() => toast.show({ text: t('security.second.ended') })}
        >
          {({ errors }) => (
            <>
              <p className="text-ink-2">{t('security.second.endText')}</p>
              <PresentPasswordField errors={errors} />
            </>
          )}
        </FormDialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}

/** Number of browsers that are not asked for the code, and a button that ends that. */
function TrustedDevices({ count }: { count: number }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [busy, setBusy] = useState(false);
  const forget = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(securityApi.forgetTrustedDevices, {});
      await revalidator.revalidate();
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Setting label={t('security.trusted.title')} value={t('security.trusted.count', { count })}>
      <Button busy={busy} onClick={() => void forget()}>
        {t('security.trusted.forget')}
      </Button>
    </Setting>
  );
}
