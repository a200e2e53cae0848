import { useT } from '#app/i18n/t.ts';
import { StorageAmount, useStorage } from '#app/membership/index.ts';
import { useDriveFrame } from './drive-frame.tsx';

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
