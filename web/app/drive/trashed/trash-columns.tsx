import { useQuery } from '@tanstack/react-query';
import { useCall } from '#app/api/client.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { bytesOf, type Column } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { folderHref, isNoFolder, pathQuery } from '../drive-data.ts';

/** Columns of the trash: where an item was, when it was deleted, and when it will be deleted forever. */
export function useTrashColumns(): readonly Column[] {
  const t = useT();
  const format = useFormat();
  return [
    {
      id: 'origin',
      label: t('drive.trash.origin'),
      width: 'minmax(100px, 160px)',
      cell: (file) => <Origin folderId={file.parent_id} />,
    },
    {
      id: 'deleted',
      label: t('node.details.deleted'),
      sortKey: 'modified',
      width: '170px',
      cell: (file) => {
        const deletedAt = file.params['trashed_time'];
        if (file.delete_time === '') return undefined;
        return (
          <span className="leading-4 @min-[600px]:grid">
            {deletedAt !== undefined && (
              <>
                <DateTime at={deletedAt} />
                <span className="@min-[600px]:hidden"> · </span>
              </>
            )}
            <span
              title={t('drive.trash.deletedOn', { date: format.dateTime(file.delete_time) })}
              className="truncate text-12 text-ink-3"
            >
              {t('drive.trash.daysLeft', { time: format.relative(file.delete_time) })}
            </span>
          </span>
        );
      },
    },
    {
      id: 'size',
      label: t('node.column.size'),
      sortKey: 'size',
      width: '90px',
      align: 'end',
      cell: (file) => {
        const bytes = bytesOf(file);
        return bytes === undefined ? undefined : format.bytes(bytes);
      },
    },
  ];
}

/**
 * Folder that an entry was deleted from, and is restored to; its name is requested once for all entries from it.
 */
function Origin({ folderId }: { folderId: string }) {
  const t = useT();
  const call = useCall();
  const { data, error } = useQuery(pathQuery(call, folderId));
  const folders = data?.ancestors.filter(({ id }) => id !== '').map(({ name }) => name) ?? [];
  if (!data) return isNoFolder(error) ? <span title={t('drive.trash.originGone')}>—</span> : '';
  const way = [t('drive.files'), ...folders].map(shownName).join(' / ');
  return (
    <LocaleLink
      to={folderHref(folderId)}
      title={way}
      className="rounded-small hover:text-ink hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {shownName(folders.at(-1) ?? t('drive.files'))}
    </LocaleLink>
  );
}
