import { useEffect, useState } from 'react';
import { BellRing } from 'lucide-react';
import { useRevalidator } from 'react-router';
import type { PushDevice } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useLive } from '#app/api/live/use-live.ts';
import { endPush, pushPermission, subscribeToPush, type PushPermission } from '#app/api/push.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { NoSettings, Setting, Settings } from '#app/page/settings.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Switch } from '#app/ui/form/switch.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Notifications by Web Push: for this browser, and the others of the member that get them. */
export function PushSettings({ devices }: { devices: readonly PushDevice[] }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  useLive(['account'], () => void revalidator.revalidate());
  const [permission, setPermission] = useState<PushPermission>();
  useEffect(() => setPermission(pushPermission()), []);
  const [busy, setBusy] = useState<string>();
  const current = devices.find((device) => device.is_current);

  const act = async (what: string, work: () => Promise<string | undefined>): Promise<void> => {
    setBusy(what);
    try {
      const said = await work();
      if (said !== undefined) toast.show({ text: said });
    } catch (error) {
      // Browsers without a push service reject with an error of their own.
      const text = error instanceof DOMException ? t('push.failed') : errorText(error);
      toast.show({ text, tone: 'danger' });
    } finally {
      setPermission(pushPermission());
      await revalidator.revalidate();
      setBusy(undefined);
    }
  };
  const turnOn = (withNames: boolean): void =>
    void act('on', async () => {
      const device = await subscribeToPush(call, withNames);
      if (device) return current ? undefined : t('push.on');
      return pushPermission() === 'denied' ? undefined : t('push.failed');
    });

  return (
    <Settings
      title={t('push.title')}
      text={t('push.lead')}
      action={
        !current &&
        (permission === 'default' || permission === 'granted') && (
          <Button size="s" busy={busy === 'on'} onClick={() => turnOn(false)}>
            {t('push.turnOn')}
          </Button>
        )
      }
    >
      {permission === 'denied' && <NoSettings>{t('push.denied')}</NoSettings>}
      {permission === 'unsupported' && devices.length === 0 && (
        <NoSettings>{t('push.unsupported')}</NoSettings>
      )}
      {devices.map((device) => {
        const name = device.name || t('security.sessions.unknown');
        return (
          <Setting
            key={device.id}
            icon={<BellRing aria-hidden="true" />}
            label={name}
            value={
              device.sent_time === ''
                ? t('push.noneYet')
                : t.rich('push.last', { when: <DateTime at={device.sent_time} as="relative" /> })
            }
          >
            {device.is_current && <Badge tone="blue">{t('security.sessions.current')}</Badge>}
            <Button
              size="s"
              busy={busy === device.id}
              aria-label={t('push.removeLabel', { device: name })}
              onClick={() =>
                void act(device.id, async () => {
                  await endPush(call, device);
                  return t('push.removed', { device: name });
                })
              }
            >
              {t('push.remove')}
            </Button>
          </Setting>
        );
      })}
      {current && permission === 'granted' && (
        <div className="border-t border-line px-5 py-3.5 max-md:px-4">
          <Switch isSelected={current.with_names} onChange={turnOn} hint={t('push.namesHint')}>
            {t('push.names')}
          </Switch>
        </div>
      )}
    </Settings>
  );
}
