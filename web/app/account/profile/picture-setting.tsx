import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { accountApi, type Profile } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting } from '#app/page/settings.tsx';

/** Member's picture, with buttons to change and remove it. */
export function PictureSetting({ viewer, onChoose }: { viewer: Profile; onChoose: () => void }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(accountApi.removePicture, {});
      await revalidator.revalidate();
      toast.show({ text: t('profile.picture.removed') });
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Setting
      icon={<Avatar key={viewer.picture} name={viewer.name} picture={viewer.picture} size={48} />}
      label={t('profile.picture')}
      value={viewer.picture === '' ? t('profile.picture.none') : undefined}
    >
      <div className="flex shrink-0 gap-2 max-sm:flex-col-reverse max-sm:gap-0.5">
        {viewer.picture !== '' && (
          <Button
            variant="plain"
            busy={isBusy}
            aria-label={t('profile.picture.remove')}
            onClick={() => void remove()}
          >
            {t('profile.remove')}
          </Button>
        )}
        <Button
          aria-label={viewer.picture === '' ? t('profile.picture.add') : t('profile.picture.change')}
          onClick={onChoose}
        >
          {viewer.picture === '' ? t('profile.add') : t('profile.change')}
        </Button>
      </div>
    </Setting>
  );
}
