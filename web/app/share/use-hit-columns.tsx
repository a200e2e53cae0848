import { useMemo } from 'react';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { FolderPath, hitOf, isFolder, type Column } from '#app/node/index.ts';
import type { OpenShare } from './share-data.ts';
import { hitPath } from './share-search.tsx';

/** Columns of search results: the folder, as a link, before the date and the size. */
export function useHitColumns(share: OpenShare): readonly Column[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'place',
        label: t('node.details.location'),
        width: 'minmax(100px, 220px)',
        cell: (file) => {
          const hit = hitOf(file);
          return (
            hit && (
              <LocaleLink
                to={hitPath(share, hit, false)}
                tabIndex={-1}
                draggable={false}
                onClick={(event) => event.stopPropagation()}
                className="rounded-small hover:text-blue-strong hover:underline pointer-coarse:pointer-events-none"
              >
                <FolderPath
                  root={share.opening.title}
                  path={hit.path.filter(({ id }) => id !== share.entrance)}
                />
              </LocaleLink>
            )
          );
        },
      },
      {
        id: 'modified',
        label: t('node.column.modified'),
        width: '150px',
        cell: (file) => <DateTime at={file.modified_time} />,
      },
      {
        id: 'size',
        label: t('node.column.size'),
        width: '100px',
        align: 'end',
        cell: (file) => (isFolder(file) ? undefined : format.bytes(file.size)),
      },
    ],
    [t, format, share],
  );
}
