import type { File } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { bytesOf, isFolder, useContentsText, type Column } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { placeHref } from '../search/search-address.ts';
import type { SpaceView } from './space-data.ts';

/** Path of the folder that contains a file, such as `Photos / 2027`: shows the file in it; a tap opens the file. */
function Place({ file }: { file: File }) {
  const t = useT();
  const names = (file.params['folder_path'] ?? '').split('/').filter((name) => name !== '');
  const text = names.length === 0 ? t('drive.files') : names.map((name) => shownName(name)).join(' / ');
  return (
    <LocaleLink
      to={placeHref(file)}
      tabIndex={-1}
      draggable={false}
      title={text}
      onClick={(event) => event.stopPropagation()}
      className="inline-block max-w-full truncate rounded-small pe-3 align-bottom hover:text-blue-strong hover:underline pointer-coarse:pointer-events-none @max-[600px]:pe-0"
    >
      <bdi>{text}</bdi>
    </LocaleLink>
  );
}

/** Part of the open folder as a bar, with its size. */
function Part({ bytes, whole }: { bytes: number; whole: number | undefined }) {
  const format = useFormat();
  return (
    <span className="@min-[600px]:grid @min-[600px]:gap-1">
      <span className="num">{format.bytes(bytes)}</span>
      {whole !== undefined && whole > 0 && (
        <span
          aria-hidden="true"
          className="flex h-1 overflow-hidden rounded-full bg-line @max-[600px]:hidden"
        >
          <span
            className="rounded-full bg-blue"
            style={{ width: `${Math.min(100, (bytes / whole) * 100)}%` }}
          />
        </span>
      )}
    </span>
  );
}

/** Columns of a view; `whole` is the size of the open folder. */
export function useSpaceColumns(view: SpaceView, whole: number | undefined): readonly Column[] {
  const t = useT();
  const format = useFormat();
  const contentsText = useContentsText();
  const place: Column = {
    id: 'place',
    label: t('node.details.location'),
    width: 'minmax(110px, 0.45fr)',
    cell: (file) => <Place file={file} />,
  };
  const modified: Column = {
    id: 'modified',
    label: t('node.column.modified'),
    width: '150px',
    cell: (file) => <DateTime at={file.modified_time} />,
  };
  const size: Column = {
    id: 'size',
    label: t('node.column.size'),
    width: '100px',
    align: 'end',
    cell: (file) => {
      const bytes = bytesOf(file);
      return bytes === undefined ? undefined : format.bytes(bytes);
    },
  };
  switch (view) {
    case 'folders':
      return [
        {
          id: 'contents',
          label: t('node.details.contents'),
          width: 'minmax(120px, 220px)',
          cell: (file) => (isFolder(file) ? contentsText([file]) : undefined),
        },
        {
          ...size,
          width: '140px',
          align: 'start',
          cell: (file) => {
            const bytes = bytesOf(file);
            return bytes === undefined ? undefined : <Part bytes={bytes} whole={whole} />;
          },
        },
      ];
    case 'empty_folders':
      return [place, modified];
    default:
      return [place, modified, size];
  }
}
