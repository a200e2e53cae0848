import { useQuery } from '@tanstack/react-query';
import { Folder, FolderOpen } from 'lucide-react';
import { driveApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { folderHref, LISTINGS } from '../drive-data.ts';

/** More folders than that are found faster in the list of their parent. */
const MOST = 200;

/** Menu items of the folders in a folder, requested when the menu opens. */
export function FoldersBeside({
  parentId,
  folderId,
}: {
  parentId: string;
  /** The one of them that is open. */
  folderId: string;
}) {
  const t = useT();
  const call = useCall();
  const { data, isError } = useQuery({
    queryKey: [...LISTINGS, 'beside', parentId],
    queryFn: ({ signal }): Promise<{ files: File[]; next_page_token?: string }> =>
      call(
        driveApi.list,
        {
          query: {
            parent_id: parentId,
            limit: MOST,
            order: 'name_asc',
            filters: JSON.stringify({ kind: { eq: 'drive#folder' }, trashed: { eq: false } }),
          },
        },
        { signal },
      ),
  });
  if (!data) return <MenuItem isDisabled>{isError ? t('node.failed') : t('drive.beside.loading')}</MenuItem>;
  return (
    <>
      {data.files.map(({ id, name }) => (
        <MenuItem
          key={id}
          href={folderHref(id)}
          icon={id === folderId ? <FolderOpen aria-hidden="true" /> : <Folder aria-hidden="true" />}
          isCurrent={id === folderId}
        >
          <bdi>{shownName(name)}</bdi>
        </MenuItem>
      ))}
      {Boolean(data.next_page_token) && (
        <>
          <MenuSeparator />
          <MenuItem href={folderHref(parentId)}>{t('drive.beside.all')}</MenuItem>
        </>
      )}
    </>
  );
}
