import type { ReactElement, ReactNode } from 'react';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { partOf, timeLeft, type Transfer } from './transfer-facts.ts';

/** "2.1 of 6.2 GB": the unit appears once if both have the same. */
export function shortAmount(received: string, size: string): string {
  const [number, unit] = received.split(' ');
  return unit !== undefined && size.endsWith(` ${unit}`) ? number! : received;
}

/** Keeps numbers and their units on the same line. */
const together = (text: string | undefined): string | undefined => text?.replaceAll(' ', '\u00a0');

/** Returns a function that describes a transfer in one line. */
export function useTransferWords(): (transfer: Transfer) => readonly ReactNode[] {
  const t = useT();
  const format = useFormat();

  // A date must not be broken across lines either.
  const dateTime = (time: string): ReactElement => (
    <span className="whitespace-nowrap">
      <DateTime at={time} />
    </span>
  );

  const amount = ({ received, size }: Transfer): string | undefined => {
    if (size === undefined) return received > 0 ? format.bytes(received) : undefined;
    const [here, all] = [format.bytes(received), format.bytes(size)];
    return t('transfers.amount', { received: shortAmount(here, all), size: all });
  };
  const left = (transfer: Transfer): string | undefined => {
    const time = timeLeft(transfer);
    switch (time?.unit) {
      case undefined:
        return undefined;
      case 'moment':
        return t('transfers.left.moment');
      case 'minutes':
        return t('transfers.left.minutes', { count: time.count });
      case 'hours':
        return t('transfers.left.hours', { hours: time.count, minutes: time.minutes });
      case 'days':
        return t('transfers.left.days', { count: time.count });
    }
  };
  const stepText = (transfer: Transfer): string | undefined => {
    switch (transfer.step) {
      case 'resolving':
        return transfer.source === 'torrent'
          ? t('transfers.step.resolvingTorrent')
          : t('transfers.step.resolvingWeb');
      case 'storing':
        return t('transfers.step.storing');
      case 'seeding':
        return t('transfers.step.seeding');
      default:
        return transfer.received === 0 && transfer.speed === 0 ? t('transfers.state.starting') : undefined;
    }
  };
  const running = (transfer: Transfer): (string | undefined)[] => {
    const part = partOf(transfer);
    return [
      stepText(transfer),
      part === undefined || transfer.received === 0 ? undefined : together(format.percent(part)),
      transfer.received > 0 || transfer.size !== undefined ? together(amount(transfer)) : undefined,
      transfer.speed > 0 ? together(t('upload.speed', { speed: format.bytes(transfer.speed) })) : undefined,
      together(left(transfer)),
      transfer.peers === undefined ? undefined : together(t('transfers.peers', { count: transfer.peers })),
    ];
  };

  return (transfer) => {
    const { state, size, fileCount, startTime, received } = transfer;
    const files = fileCount > 1 ? t('offline.files', { count: fileCount }) : undefined;
    const said: Record<Transfer['state'], () => ReactNode[]> = {
      waiting: () => [
        transfer.retryError === '' ? t('transfers.state.waiting') : t('transfers.state.triesAgain'),
        received > 0 ? amount(transfer) : size === undefined ? undefined : format.bytes(size),
        transfer.retryError === '' ? undefined : t.find(`error.${transfer.retryError}`),
      ],
      scheduled: () => [t.rich('transfers.state.scheduled', { time: dateTime(startTime) })],
      paused: () => [t('transfers.state.paused'), amount(transfer)],
      running: () => running(transfer),
      failed: () => [received > 0 ? amount(transfer) : undefined],
      finished: () => [
        size === undefined && received === 0 ? undefined : format.bytes(size ?? received),
        files,
        t.rich('transfers.state.finished', { time: dateTime(transfer.updatedTime) }),
      ],
    };
    return said[state]().filter((one) => one !== undefined);
  };
}
