import { useState } from 'react';
import type { ExternalIdentity } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { NoSettings, Setting, Settings } from '#app/page/settings.tsx';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { EndingDialog } from '../form/ending-dialog.tsx';

interface ExternalListProps {
  readonly identities: readonly ExternalIdentity[];
  /** Name of the other service, or "". */
  readonly label: string;
  /** False if an external account is the only way to sign in. */
  readonly hasPassword: boolean;
}

/** External accounts with which the member can sign in. */
export function ExternalList({ identities, label, hasPassword }: ExternalListProps) {
  const t = useT();
  const nameOf = (identity: ExternalIdentity): string => identity.label || t('oauth.external.former');
  const [ending, setEnding] = useState<ExternalIdentity>();
  const close = (): void => setEnding(undefined);
  if (label === '' && identities.length === 0) return null;

  return (
    <Settings
      title={t('oauth.external.title')}
      text={t('oauth.external.text')}
      action={
        label !== '' && (
          <a href="/auth/external?continue=/drive/account/security" className={buttonClass('line', 's')}>
            {t('oauth.external.connect')}
          </a>
        )
      }
    >
      {identities.length === 0 && <NoSettings>{t('oauth.external.none')}</NoSettings>}
      {identities.map((identity) => (
        <Setting
          key={identity.id}
          label={nameOf(identity)}
          value={
            identity.used_at === ''
              ? identity.email
              : t.rich('oauth.external.used', {
                  email: identity.email,
                  when: <DateTime at={identity.used_at} as="relative" />,
                })
          }
        >
          <Button
            size="s"
            aria-label={t('oauth.external.unlinkLabel', { label: nameOf(identity) })}
            onClick={() => setEnding(identity)}
          >
            {t('oauth.external.unlink')}
          </Button>
        </Setting>
      ))}
      {ending && hasPassword && (
        <EndingDialog
          title={t('oauth.external.unlinkTitle', { label: nameOf(ending) })}
          text={t('oauth.external.unlinkText')}
          intent="unlink-external"
          id={ending.id}
          submit={t('oauth.external.unlink')}
          done={t('oauth.external.unlinked', { label: nameOf(ending) })}
          onClose={close}
        />
      )}
      {ending && !hasPassword && (
        <Dialog
          isOpen
          compact
          title={t('oauth.external.unlinkTitle', { label: nameOf(ending) })}
          onClose={close}
          footer={
            <>
              <Button onClick={close}>{t('ui.cancel')}</Button>
              <Button variant="primary" href="/forgot-password">
                {t('oauth.external.setPassword')}
              </Button>
            </>
          }
        >
          <p className="text-ink-2">{t('oauth.external.unlinkLastText')}</p>
        </Dialog>
      )}
    </Settings>
  );
}
