import { useQuery } from '@tanstack/react-query';
import { driveApi, orderName } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { kindOf } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { folderHref, LISTINGS } from './drive-data.ts';
import { StorageAmount, useStorage } from './storage-meter.tsx';

const LARGEST = 20;

/** What uses the storage: how much lies in the trash, and the largest files with the way to each. */
export function StorageDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const call = useCall();
  const text = useErrorText();
  const storage = useStorage();
  const largest = useQuery({
    queryKey: [...LISTINGS, 'largest'],
    queryFn: () =>
      call(driveApi.list, {
        query: {
          parent_id: '*',
          limit: LARGEST,
          order: orderName({ key: 'size', descending: true }),
          folders_first: 'false',
          filters: JSON.stringify({
            phase: { eq: 'PHASE_TYPE_COMPLETE' },
            trashed: { eq: false },
            kind: { eq: 'drive#file' },
          }),
          thumbnail_size: 'SIZE_SMALL',
        },
      }),
  });
  return (
    <Dialog isOpen onClose={onClose} title={t('drive.storage')} size="m">
      <div className="grid gap-2 text-13">{storage && <StorageAmount storage={storage} />}</div>
      {storage !== undefined && storage.inTrash > 0 && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-line p-3 pl-4">
          <span className="num">{t('drive.storage.inTrash', { size: format.bytes(storage.inTrash) })}</span>
          <LocaleLink to="/drive/trash" onClick={onClose} className="button button-line button-m">
            {t('drive.storage.openTrash')}
          </LocaleLink>
        </div>
      )}
      <h3 className="mt-6 mb-2 text-13 font-semibold text-ink-2">{t('drive.storage.largest')}</h3>
      {largest.isPending && [0, 1, 2].map((row) => <Skeleton key={row} className="my-2 h-10" />)}
      {largest.isError && (
        <p className="flex items-center justify-between gap-3 text-danger">
          {text(largest.error)}
          <Button onClick={() => void largest.refetch()}>{t('ui.retry')}</Button>
        </p>
      )}
      {largest.data?.files.length === 0 && <p className="py-4 text-ink-3">{t('drive.storage.nothing')}</p>}
      <ul className="-mx-2">
        {largest.data?.files.map((file) => (
          <li key={file.id}>
            <LocaleLink
              to={`${folderHref(file.parent_id)}?action=highlight_files&file_ids=${file.id}`}
              onClick={onClose}
              className="flex min-h-12 items-center gap-3 rounded-control px-2 py-1.5 hover:bg-hover"
            >
              <FileTile
                category={kindOf(file)}
                size={32}
                {...(file.thumbnail_link === '' ? {} : { thumbnail: file.thumbnail_link })}
              />
              <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
              <span className="num shrink-0 text-13 text-ink-2">{format.bytes(file.size)}</span>
            </LocaleLink>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
