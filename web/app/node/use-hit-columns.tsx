import { useMemo, type ReactNode } from 'react';
import type { File, SearchHit } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Column } from './columns/column.ts';
import { bytesOf } from './file-facts.ts';
import { FolderPath } from './folder-path.tsx';
import { hitOf } from './search-hit.ts';

/** Folder of a search result. */
export interface HitPlace {
  /** Address of the folder, without a locale. */
  readonly href: string;
  readonly path: SearchHit['path'];
}

/**
 * Columns of search results: the folder, as a link, before the date and the size; `place` is the link alone. A tap on it
 * opens the result instead. `root` is the name of what contains the top folder, `placeOf` should stay the same function.
 */
export function useHitColumns(
  root: string,
  placeOf: (hit: SearchHit) => HitPlace,
): { readonly columns: readonly Column[]; readonly place: (file: File) => ReactNode } {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const place = (file: File): ReactNode => {
      const hit = hitOf(file);
      if (!hit) return undefined;
      const { href, path } = placeOf(hit);
      return (
        <LocaleLink
          to={href}
          tabIndex={-1}
          draggable={false}
          onClick={(event) => event.stopPropagation()}
          className="rounded-small hover:text-blue-strong hover:underline pointer-coarse:pointer-events-none"
        >
          <FolderPath root={root} path={path} />
        </LocaleLink>
      );
    };
    const columns: readonly Column[] = [
      {
        id: 'place',
        label: t('node.details.location'),
        width: 'minmax(100px, 240px)',
        cell: place,
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
        cell: (file) => {
          const bytes = bytesOf(file);
          return bytes === undefined ? undefined : format.bytes(bytes);
        },
      },
    ];
    return { columns, place };
  }, [t, format, root, placeOf]);
}
