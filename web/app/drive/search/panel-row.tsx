import type { ReactNode } from 'react';
import type { SearchHit } from '@bowerbird/contract';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { FolderPath, isFolder, kindOf, Marked, MiddleName, SmallTile } from '#app/node/index.ts';
import { cx } from '#app/ui/class-names.ts';
import { folderHref } from '../drive-data.ts';

interface RowProps {
  readonly id: string;
  readonly isActive: boolean;
  readonly onActive: (id: string) => void;
  readonly onFollow?: () => void;
}

/** Result with its path, or the part of its note that matches. */
export function HitRow({ hit, ...row }: RowProps & { hit: SearchHit }) {
  const t = useT();
  const isFile = !isFolder(hit);
  const to = isFile ? `${folderHref(hit.parent_id)}?open_file=${hit.id}` : folderHref(hit.id);
  return (
    <PanelRow {...row} to={to}>
      <SmallTile file={hit} kind={kindOf(hit)} size={32} />
      <span className="grid min-w-0 flex-1">
        <MiddleName
          name={hit.name}
          kind={isFile ? 'file' : 'folder'}
          marks={hit.matches}
          className="leading-5 font-medium text-ink"
        />
        {hit.note ? (
          <bdi className="truncate text-12 leading-4 text-ink-3">
            <Marked text={hit.note.text} marks={hit.note.matches} />
          </bdi>
        ) : (
          <FolderPath
            root={t('drive.files')}
            path={hit.path}
            className="truncate text-12 leading-4 text-ink-3"
          />
        )}
      </span>
    </PanelRow>
  );
}

/** Row that the field's keys move through, and Enter opens. */
export function PanelRow({
  id,
  isActive,
  onActive,
  onFollow,
  to,
  recent,
  after,
  children,
}: RowProps & {
  to: string;
  /** Text of a recent search. */ recent?: string;
  after?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      id={id}
      role="row"
      data-recent={recent}
      aria-selected={isActive}
      onPointerMove={() => isActive || onActive(id)}
      className={cx('flex min-h-11 items-center gap-1 rounded-control', isActive && 'bg-hover')}
    >
      <span role="gridcell" id={`${id}-cell`} className="min-w-0 flex-1">
        <LocaleLink
          to={to}
          tabIndex={-1}
          onClick={onFollow}
          className="flex items-center gap-3 px-2 py-1.5 outline-none"
        >
          {children}
        </LocaleLink>
      </span>
      {after}
    </div>
  );
}
