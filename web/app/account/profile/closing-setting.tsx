import { useState } from 'react';
import type { closingApi, ReplyOf } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Settings } from '#app/page/settings.tsx';
import { Button } from '#app/ui/button.tsx';
import { PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';

/** Deletes the account, after stating plainly what is deleted, and when. */
export function ClosingSetting({
  rules: { days, last_operator: isLastOperator },
  hasPassword,
}: {
  rules: ReplyOf<typeof closingApi.rules>;
  hasPassword: boolean;
}) {
  const t = useT();
  const [asks, setAsks] = useState(false);
  return (
    <Settings
      title={t('closing.title')}
      text={
        isLastOperator
          ? t('closing.lastOperator')
          : hasPassword
            ? t('closing.text', { count: days })
            : t('closing.noPassword')
      }
      action={
        hasPassword || isLastOperator ? (
          <Button disabled={isLastOperator} onClick={() => setAsks(true)}>
            {t('closing.button')}
          </Button>
        ) : (
          <Button href="/forgot-password">{t('oauth.external.setPassword')}</Button>
        )
      }
    >
      {asks && (
        <FormDialog
          title={t('closing.ask')}
          intent="close"
          submit={t('closing.button')}
          isDanger
          onClose={() => setAsks(false)}
        >
          {({ errors }) => (
            <>
              <ul className="grid list-disc gap-2 pl-5 text-ink-2">
                <li>{t('closing.atOnce')}</li>
                <li>{t('closing.afterwards', { count: days })}</li>
                <li>{t('closing.untilThen')}</li>
              </ul>
              <PresentPasswordField errors={errors} />
            </>
          )}
        </FormDialog>
      )}
    </Settings>
  );
}
