import { useQuery } from '@tanstack/react-query';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Meter } from '#app/ui/meter.tsx';
import { useDriveFrame } from './drive-frame.tsx';
import { aboutQuery } from './drive-data.ts';

/** Share of the storage from which the meter warns; at the end it is red. */
const NEARLY_FULL = 0.9;

export interface Storage {
  /** Used bytes. */
  readonly used: number;
  readonly limit: number;
  readonly inTrash: number;
  readonly part: number;
  readonly state: 'roomy' | 'nearly' | 'full';
}

/** Storage usage of the member; `undefined` until known. */
export function useStorage(): Storage | undefined {
  const call = useCall();
  const { data } = useQuery(aboutQuery(call));
  if (!data) return undefined;
  const [used, limit, inTrash] = [data.quota.usage, data.quota.limit, data.quota.usage_in_trash].map(
    Number,
  ) as [number, number, number];
  const part = limit > 0 ? used / limit : 0;
  return { used, limit, inTrash, part, state: part >= 1 ? 'full' : part >= NEARLY_FULL ? 'nearly' : 'roomy' };
}

/** Storage meter of the sidebar; opens the storage dialog. */
export function StorageMeter() {
  const t = useT();
  const { openStorage } = useDriveFrame();
  const storage = useStorage();
  return (
    <button
      type="button"
      onClick={openStorage}
      className="grid min-h-17 w-full content-start gap-2 rounded-control p-3 text-start text-13 hover:bg-hover"
    >
      <b className="font-semibold">{t('drive.storage')}</b>
      {storage && <StorageAmount storage={storage} />}
    </button>
  );
}

export function StorageAmount({ storage: { used, limit, part, state } }: { storage: Storage }) {
  const t = useT();
  const format = useFormat();
  return (
    <>
      <Meter
        value={Math.min(1, part)}
        label={t('drive.storage')}
        tone={state === 'full' ? 'danger' : state === 'nearly' ? 'warning' : 'blue'}
      />
      <span className="num text-ink-2">
        {t('drive.storageUsed', { used: format.bytes(used), limit: format.bytes(limit) })}
      </span>
    </>
  );
}
