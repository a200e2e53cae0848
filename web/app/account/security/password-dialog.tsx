import { useState } from 'react';
import { LIMITS } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { NewPasswordField, PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [keeps, setKeeps] = useState(false);
  return (
    <FormDialog
      title={t('security.password.change')}
      intent="password"
      submit={t('security.password.submit')}
      onClose={onClose}
      onDone={() => toast.show({ text: t('security.password.done') })}
    >
      {({ errors }) => (
        <>
          <p className="text-ink-2">{t('security.password.text')}</p>
          <PresentPasswordField errors={errors} />
          <NewPasswordField
            name="new_password"
            error={errors.at('newPassword')}
            passwordMin={LIMITS.passwordMin}
          />
          <Checkbox name="keep_passes" isSelected={keeps} onChange={setKeeps}>
            {t('security.password.keepPasses')}
          </Checkbox>
        </>
      )}
    </FormDialog>
  );
}
