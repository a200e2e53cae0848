import { useQuery } from '@tanstack/react-query';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Meter } from '#app/ui/meter.tsx';
import { aboutQuery } from './drive-data.ts';

/** From here on the meter warns, and at the end it is red. */
const NEARLY_FULL = 0.9;

/** How much of the member's storage is used. */
export function StorageMeter() {
  const t = useT();
  const format = useFormat();
  const call = useCall();
  const { data } = useQuery(aboutQuery(call));
  const used = Number(data?.quota.usage ?? 0);
  const limit = Number(data?.quota.limit ?? 0);
  const part = limit > 0 ? used / limit : 0;
  return (
    <div className="grid min-h-17 gap-2 p-3 text-13">
      {data && (
        <>
          <b className="font-semibold">{t('drive.storage')}</b>
          <Meter value={part} label={t('drive.storage')} tone={part >= 1 ? 'danger' : part >= NEARLY_FULL ? 'warning' : 'blue'} />
          <span className="num text-ink-2">{t('drive.storageUsed', { used: format.bytes(used), limit: format.bytes(limit) })}</span>
        </>
      )}
    </div>
  );
}
