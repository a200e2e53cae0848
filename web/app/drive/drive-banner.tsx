import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { ArrowUpDown, CalendarClock, CloudOff, HardDrive, X } from 'lucide-react';
import type { ErrorId } from '@bowerbird/contract';
import { dismiss, isDismissed } from '#app/browser/dismissed.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { useStorage } from '#app/membership/index.ts';
import { useWayOut } from '#app/page/use-failure-toast.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { useDriveFrame } from './drive-frame.tsx';
import { useNotices } from './use-notices.ts';

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

/**
 * Notice on every page of the drive, one at a time: the network is offline, the storage is full, a plan has ended, or a
 * limit is near. What is not urgent can be dismissed, and stays away until it is about something else.
 */
export function DriveBanner() {
  const t = useT();
  const format = useFormat();
  const { openStorage, openTraffic } = useDriveFrame();
  const isOnline = useIsOnline();
  const storage = useStorage();
  const { endedPlan, traffic } = useNotices();
  const wayOut = useWayOut();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  if (!isOnline)
    return (
      <Banner tone="warning" icon={<CloudOff />}>
        {t('drive.offline')}
      </Banner>
    );
  const isShown = (notice: string): boolean => !hidden.has(notice) && !isDismissed(notice);
  const close = (notice: string) => (
    <IconButton
      label={t('ui.close')}
      size="s"
      icon={<X />}
      onClick={() => {
        dismiss(notice);
        setHidden(new Set([...hidden, notice]));
      }}
    />
  );
  const seePlans = (error: ErrorId) => {
    const to = wayOut(error);
    return (
      to && (
        <Button size="s" href={to}>
          {t('more.see')}
        </Button>
      )
    );
  };

  const amounts = storage && { used: format.bytes(storage.used), limit: format.bytes(storage.limit) };
  if (amounts && storage.state === 'full')
    return (
      <Banner
        tone="danger"
        icon={<HardDrive />}
        actions={
          <>
            {seePlans('file_space_not_enough')}
            <Button size="s" onClick={openStorage}>
              {t('drive.storage.manage')}
            </Button>
          </>
        }
      >
        {t('drive.storage.full', amounts)}
      </Banner>
    );

  const ended = endedPlan && `plan ${endedPlan.name} ${endedPlan.until}`;
  if (endedPlan && ended !== undefined && isShown(ended))
    return (
      <Banner
        tone="warning"
        icon={<CalendarClock />}
        actions={
          <>
            <Button size="s" href="/drive/storage">
              {t('drive.planEnded.details')}
            </Button>
            {close(ended)}
          </>
        }
      >
        {t.rich('drive.planEnded', {
          plan: endedPlan.name,
          date: <DateTime at={endedPlan.until} as="date" />,
        })}
      </Banner>
    );

  const nearly = storage?.state === 'nearly' ? `storage ${storage.limit}` : undefined;
  if (amounts && nearly !== undefined && isShown(nearly))
    return (
      <Banner
        tone="warning"
        icon={<HardDrive />}
        actions={
          <>
            {seePlans('file_space_not_enough')}
            <Button size="s" onClick={openStorage}>
              {t('drive.storage.manage')}
            </Button>
            {close(nearly)}
          </>
        }
      >
        {t('drive.storage.nearlyFull', amounts)}
      </Banner>
    );

  const near = traffic && `traffic ${traffic.kind} ${traffic.limit} ${traffic.resetTime}`;
  if (!traffic || near === undefined || !isShown(near)) return null;
  return (
    <Banner
      tone="warning"
      icon={<ArrowUpDown />}
      actions={
        <>
          {seePlans('traffic_download_limit')}
          <Button size="s" onClick={openTraffic}>
            {t('drive.planEnded.details')}
          </Button>
          {close(near)}
        </>
      }
    >
      {t('drive.traffic.nearly', {
        kind: t(`ledger.traffic.${traffic.kind}`),
        used: format.bytes(traffic.used),
        limit: format.bytes(traffic.limit),
      })}
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
