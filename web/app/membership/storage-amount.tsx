import { useQuery } from '@tanstack/react-query';
import { driveApi, type ReplyOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Meter } from '#app/ui/meter.tsx';

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

/** Key of the query with the usage of the drive. */
export const ABOUT = ['about'] as const;

/** Storage usage of the member; `undefined` until known. */
export function useStorage(): Storage | undefined {
  const call = useCall();
  const { data } = useQuery({ queryKey: ABOUT, queryFn: () => call(driveApi.about, { query: {} }) });
  return data && storageOf(data);
}

export function storageOf({ quota }: ReplyOf<typeof driveApi.about>): Storage {
  const [used, limit, inTrash] = [quota.usage, quota.limit, quota.usage_in_trash].map(Number) as [
    number,
    number,
    number,
  ];
  const part = limit > 0 ? used / limit : 0;
  return { used, limit, inTrash, part, state: part >= 1 ? 'full' : part >= NEARLY_FULL ? 'nearly' : 'roomy' };
}

/** Amount of used storage, with a meter. */
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
