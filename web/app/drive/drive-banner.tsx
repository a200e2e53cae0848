import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { CalendarClock, CloudOff, HardDrive, X } from 'lucide-react';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { useDriveFrame } from './drive-frame.tsx';
import { useStorage } from './storage-meter.tsx';

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

/** A plan that has ended and whose storage remains for now. */
export interface EndedPlan {
  readonly name: string;
  /** End of the grace period, RFC 3339. */
  readonly until: string;
}

/** Notice on every page of the drive: the network is offline, the storage is full, or a plan has ended. */
export function DriveBanner({ endedPlan }: { endedPlan: EndedPlan | undefined }) {
  const t = useT();
  const format = useFormat();
  const { openStorage } = useDriveFrame();
  const isOnline = useIsOnline();
  const storage = useStorage();
  const [isHidden, setHidden] = useState(false);
  const [isEndHidden, setEndHidden] = useState(false);
  if (!isOnline)
    return (
      <Banner tone="warning" icon={<CloudOff />}>
        {t('drive.offline')}
      </Banner>
    );
  if (endedPlan && !isEndHidden && storage?.state !== 'full')
    return (
      <Banner
        tone="warning"
        icon={<CalendarClock />}
        actions={
          <>
            <Button size="s" href="/drive/storage">
              {t('drive.planEnded.details')}
            </Button>
            <IconButton label={t('ui.close')} size="s" icon={<X />} onClick={() => setEndHidden(true)} />
          </>
        }
      >
        {t.rich('drive.planEnded', {
          plan: endedPlan.name,
          date: <DateTime at={endedPlan.until} as="date" />,
        })}
      </Banner>
    );
  if (!storage || storage.state === 'roomy' || (storage.state === 'nearly' && isHidden)) return null;
  const amounts = { used: format.bytes(storage.used), limit: format.bytes(storage.limit) };
  return (
    <Banner
      tone={storage.state === 'full' ? 'danger' : 'warning'}
      icon={<HardDrive />}
      actions={
        <>
          <Button size="s" onClick={openStorage}>
            {t('drive.storage.manage')}
          </Button>
          {storage.state === 'nearly' && (
            <IconButton label={t('ui.close')} size="s" icon={<X />} onClick={() => setHidden(true)} />
          )}
        </>
      }
    >
      {storage.state === 'full' ? t('drive.storage.full', amounts) : t('drive.storage.nearlyFull', amounts)}
    </Banner>
  );
}

function Banner({
  tone,
  icon,
  actions,
  children,
}: {
  tone: 'warning' | 'danger';
  icon: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      role="status"
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2 pr-4 pl-6 text-13 max-md:pl-4',
        tone === 'danger' ? 'bg-danger-wash text-danger' : 'bg-warning-wash text-warning',
      )}
    >
      {icon}
      <p className="num min-w-0 flex-1 font-medium max-md:min-w-50">{children}</p>
      {actions && <span className="flex items-center gap-1">{actions}</span>}
    </div>
  );
}
