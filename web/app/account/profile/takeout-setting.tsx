import { useState } from 'react';
import { FileArchive } from 'lucide-react';
import { useRevalidator } from 'react-router';
import { takeoutApi, type Takeout } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useLive } from '#app/api/live/use-live.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { ProgressRing } from '#app/ui/progress-ring.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting, Settings } from '#app/page/settings.tsx';
import { PresentPasswordField } from '../form/account-fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';

/** Exports of the data stored about the member: created here, and downloaded with the password. */
export function TakeoutSetting({
  takeouts,
  hasPassword,
}: {
  takeouts: readonly Takeout[];
  hasPassword: boolean;
}) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<string>();
  const isMaking = takeouts.some(({ state }) => state === 'making');
  useLive(['takeouts'], () => void revalidate());

  const work = async (change: () => Promise<unknown>, said?: string): Promise<void> => {
    setBusy(true);
    try {
      await change();
      await revalidate();
      if (said !== undefined) toast.show({ text: said });
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Settings
      title={t('takeout.title')}
      text={t('takeout.text')}
      action={
        <Button busy={busy} disabled={isMaking} onClick={() => void work(() => call(takeoutApi.begin, {}))}>
          {t('takeout.begin')}
        </Button>
      }
    >
      {takeouts.map((takeout) => (
        <TakeoutLine
          key={takeout.id}
          takeout={takeout}
          hasPassword={hasPassword}
          onOpen={() => setOpened(takeout.id)}
          onRemove={() =>
            void work(() => call(takeoutApi.remove, { params: { id: takeout.id } }), t('takeout.removed'))
          }
        />
      ))}
      {opened !== undefined && (
        <FormDialog
          title={t('takeout.openTitle')}
          intent="open-takeout"
          submit={t('takeout.download')}
          onClose={() => setOpened(undefined)}
          onDone={({ url }) => url !== undefined && location.assign(url)}
        >
          {({ errors }) => (
            <>
              <input type="hidden" name="id" value={opened} />
              <p className="text-ink-2">{t('takeout.openText')}</p>
              <PresentPasswordField errors={errors} />
            </>
          )}
        </FormDialog>
      )}
    </Settings>
  );
}

function TakeoutLine({
  takeout: { state, progress, size, created_at: made, expires_at: until },
  hasPassword,
  onOpen,
  onRemove,
}: {
  takeout: Takeout;
  hasPassword: boolean;
  onOpen: () => void;
  onRemove: () => void;
}) {
  const t = useT();
  const format = useFormat();
  const date = format.dateTime(made);
  const states = {
    making: () => t('takeout.making'),
    ready: () =>
      t.rich('takeout.ready', { size: format.bytes(size), date: <DateTime at={until} as="date" /> }),
    failed: () => t('takeout.failed'),
  };
  return (
    <Setting
      className="max-sm:flex-wrap"
      icon={
        state === 'making' ? (
          <ProgressRing value={progress / 100} label={t('takeout.making')} />
        ) : (
          <FileArchive aria-hidden="true" />
        )
      }
      label={t.rich('takeout.copyOf', { date: <DateTime at={made} /> })}
      value={<span role="status">{states[state]()}</span>}
    >
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:pl-9">
        {state === 'making' ? (
          <Button size="s" onClick={onRemove}>
            {t('ui.cancel')}
          </Button>
        ) : (
          <Button size="s" aria-label={t('takeout.removeLabel', { date })} onClick={onRemove}>
            {t('takeout.remove')}
          </Button>
        )}
        {state === 'ready' &&
          (hasPassword ? (
            <Button size="s" aria-label={t('takeout.downloadLabel', { date })} onClick={onOpen}>
              {t('takeout.download')}
            </Button>
          ) : (
            <Button size="s" href="/forgot-password">
              {t('oauth.external.setPassword')}
            </Button>
          ))}
      </div>
    </Setting>
  );
}
