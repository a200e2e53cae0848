import { useState } from 'react';
import { Laptop, Smartphone, SquareTerminal } from 'lucide-react';
import { useRevalidator } from 'react-router';
import { securityApi, type Session } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useLive } from '#app/api/live/use-live.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting, Settings } from '#app/page/settings.tsx';

const PHONES = /iPhone|iPad|Android/;

function iconOf({ device, browser }: Session) {
  if (PHONES.test(device)) return <Smartphone aria-hidden="true" />;
  return browser ? <Laptop aria-hidden="true" /> : <SquareTerminal aria-hidden="true" />;
}

/** All sessions of the member, each with a button to end it. */
export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  useLive(['account'], () => void revalidator.revalidate());
  const [asksAll, setAsksAll] = useState(false);
  const [busy, setBusy] = useState<string>();
  const others = sessions.filter(({ current }) => !current);

  const end = async (what: string, work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(what);
    try {
      await work();
      toast.show({ text: said });
      await revalidator.revalidate();
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(undefined);
    }
  };

  return (
    <Settings
      title={t('security.sessions.title')}
      action={
        others.length > 0 && (
          <Button size="s" onClick={() => setAsksAll(true)}>
            {t('security.sessions.endOthers')}
          </Button>
        )
      }
    >
      {sessions.map((session) => {
        const device = session.device || t('security.sessions.unknown');
        return (
          <Setting
            key={session.id}
            icon={iconOf(session)}
            label={device}
            value={
              session.current
                ? t('security.sessions.now', { address: session.address })
                : t.rich('security.sessions.seen', {
                    address: session.address,
                    when: <DateTime at={session.seen_at} as="relative" />,
                  })
            }
          >
            {session.current ? (
              <Badge tone="blue">{t('security.sessions.current')}</Badge>
            ) : (
              <Button
                size="s"
                busy={busy === session.id}
                aria-label={t('security.sessions.endLabel', { device })}
                onClick={() =>
                  void end(
                    session.id,
                    () => call(securityApi.endSession, { params: { id: session.id } }),
                    t('security.sessions.ended', { device }),
                  )
                }
              >
                {t('security.sessions.end')}
              </Button>
            )}
          </Setting>
        );
      })}
      <ConfirmDialog
        isOpen={asksAll}
        onClose={() => setAsksAll(false)}
        title={t('security.sessions.endOthers')}
        text={t('security.sessions.endOthersText', { count: others.length })}
        confirmLabel={t('security.sessions.endOthers')}
        busy={busy === ''}
        onConfirm={() =>
          // Ending a single session may finish while the dialog is open; only this closes it.
          void end('', () => call(securityApi.endOtherSessions, {}), t('security.sessions.othersEnded')).then(
            () => setAsksAll(false),
          )
        }
      />
    </Settings>
  );
}
