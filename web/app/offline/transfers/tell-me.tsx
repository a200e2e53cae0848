import { useEffect, useState } from 'react';
import { BellRing, X } from 'lucide-react';
import { pushPermission, seenDownloads, subscribeToPush } from '#app/api/push.ts';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Remembers in this browser that its owner was asked. */
const ASKED = 'pp_tell_me';

/** Storage may be forbidden: then nobody is asked. */
function wasAsked(): boolean {
  try {
    return localStorage.getItem(ASKED) !== null;
  } catch {
    return true;
  }
}

/** Offers a notification while downloads are running, once, to browsers that haven't decided yet. */
export function TellMe({ isWaiting }: { isWaiting: boolean }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void seenDownloads().catch(() => undefined);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useEffect(() => {
    if (isWaiting && pushPermission() === 'default' && !wasAsked()) setOpen(true);
  }, [isWaiting]);

  const close = (): void => {
    localStorage.setItem(ASKED, '1');
    setOpen(false);
  };
  const agree = async (): Promise<void> => {
    setBusy(true);
    try {
      const device = await subscribeToPush(call, false);
      toast.show(
        device
          ? { text: t('push.on') }
          : { text: pushPermission() === 'denied' ? t('push.denied') : t('push.failed'), tone: 'danger' },
      );
    } catch (error) {
      toast.show({ text: pushFailure(error) ?? errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
      close();
    }
  };
  /** Browsers without a push service reject with an error of their own. */
  const pushFailure = (error: unknown): string | undefined =>
    error instanceof DOMException ? t('push.failed') : undefined;

  if (!isOpen) return null;
  return (
    <section
      aria-label={t('push.offer')}
      className="flex items-center gap-3 border-b border-line bg-card px-5 py-2.5 max-md:flex-wrap max-md:px-4"
    >
      <BellRing aria-hidden="true" className="shrink-0 text-ink-2" />
      <p className="min-w-0 flex-1 text-13">{t('push.offer')}</p>
      <Button size="s" busy={isBusy} onClick={() => void agree()}>
        {t('push.tellMe')}
      </Button>
      <IconButton label={t('push.notNow')} icon={<X />} onClick={close} />
    </section>
  );
}
