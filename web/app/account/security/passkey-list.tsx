import { useState } from 'react';
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react';
import { useRevalidator } from 'react-router';
import { isApiFailure, securityApi, type Passkey } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { Setting, Settings } from '#app/page/settings.tsx';
import { PresentPasswordField } from '../form/account-fields.tsx';
import type { FormResult } from '../form/account-form.ts';
import { EndingDialog } from '../form/ending-dialog.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { canUsePasskeys, isDismissal, makePasskey } from '../web-authn.ts';

/** Passkeys of the member's devices. */
export function PasskeyList({
  passkeys,
  thisDevice,
}: {
  passkeys: readonly Passkey[];
  /** Name of this device, as the default name of its passkey. */
  thisDevice: string;
}) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const isBrowser = useIsBrowser();
  const [isAdding, setAdding] = useState(false);
  const [naming, setNaming] = useState<Passkey>();
  const [removing, setRemoving] = useState<Passkey>();
  const canAdd = isBrowser && canUsePasskeys();

  const run = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      await revalidator.revalidate();
    } catch (error) {
      if (!isDismissal(error))
        toast.show({
          text: isApiFailure(error) ? errorText(error) : t('security.passkey.failed'),
          tone: 'danger',
        });
    }
  };

  const make = ({ question, passkeyName: name }: FormResult): Promise<void> =>
    run(async () => {
      if (!question || name === undefined) return;
      await call(securityApi.addPasskey, { body: { name, ...(await makePasskey(question)) } });
      toast.show({ text: t('security.passkey.added', { name }) });
    });

  return (
    <Settings
      title={t('security.passkey.title')}
      text={canAdd || !isBrowser ? t('security.passkey.text') : t('security.passkey.impossible')}
      action={
        canAdd && (
          <Button
            size="s"
            icon={<Plus />}
            aria-label={t('security.passkey.add')}
            onClick={() => setAdding(true)}
          >
            {t('security.passkey.addShort')}
          </Button>
        )
      }
    >
      {passkeys.map((passkey) => (
        <Setting
          key={passkey.id}
          icon={<Fingerprint aria-hidden="true" />}
          label={passkey.name}
          value={
            passkey.used_at === ''
              ? t.rich('security.passkey.addedOn', { date: <DateTime at={passkey.created_at} as="date" /> })
              : t.rich('security.passkey.usedWhen', { when: <DateTime at={passkey.used_at} as="relative" /> })
          }
        >
          <span className="flex gap-1">
            <IconButton
              label={t('security.passkey.rename', { name: passkey.name })}
              icon={<Pencil />}
              onClick={() => setNaming(passkey)}
            />
            <IconButton
              label={t('security.passkey.remove', { name: passkey.name })}
              icon={<Trash2 />}
              onClick={() => setRemoving(passkey)}
            />
          </span>
        </Setting>
      ))}
      {isAdding && (
        <FormDialog
          title={t('security.passkey.add')}
          intent="begin-passkey"
          submit={t('account.signUp.sendCode')}
          onClose={() => setAdding(false)}
          onDone={(result) => void make(result)}
        >
          {({ result, errors }) => (
            <>
              <p className="text-ink-2">{t('security.passkey.about')}</p>
              <NameField name={result?.typed?.name ?? thisDevice} />
              <PresentPasswordField errors={errors} />
            </>
          )}
        </FormDialog>
      )}
      {naming && (
        <FormDialog
          title={t('security.passkey.rename', { name: naming.name })}
          intent="rename-passkey"
          submit={t('profile.save')}
          onClose={() => setNaming(undefined)}
        >
          {() => (
            <>
              <input type="hidden" name="id" value={naming.id} />
              <NameField name={naming.name} />
            </>
          )}
        </FormDialog>
      )}
      {removing && (
        <EndingDialog
          title={t('security.passkey.remove', { name: removing.name })}
          text={t('security.passkey.removeText')}
          intent="remove-passkey"
          id={removing.id}
          submit={t('security.passkey.removeShort')}
          done={t('security.passkey.removed', { name: removing.name })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Settings>
  );
}

function NameField({ name }: { name: string }) {
  const t = useT();
  return (
    <TextField
      label={t('security.pass.name')}
      name="name"
      autoComplete="off"
      maxLength={64}
      required
      placeholder={t('security.passkey.nameExample')}
      defaultValue={name}
    />
  );
}
