import { ChevronRight } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { FolderIcon, useFolderDrop } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { cx } from '#app/ui/class-names.ts';
import { useUploads } from '#app/upload/index.ts';
import { folderHref } from '../drive-data.ts';
import { useOperations } from '../use-operations.ts';
import { hasFolders, type TreeRow } from './tree-rows.ts';

/** Folder in the tree: a link that opens it, with a button for the pointer that shows its subfolders. */
export function TreeFolder({
  row,
  count,
  isHere,
  isFocusable,
  onFollow,
  onToggle,
  onSpring,
}: {
  row: Extract<TreeRow, { what: 'folder' }>;
  /** Number of loaded folders beside it, itself included. */
  count: number;
  isHere: boolean;
  isFocusable: boolean;
  onFollow: () => void;
  onToggle: () => void;
  /** Something that is dragged rests on it. */
  onSpring: () => void;
}) {
  const { folder, level, place, isOpen } = row;
  const operations = useOperations();
  const { take } = useUploads();
  const canOpen = hasFolders(folder);
  const { isOver, props } = useFolderDrop({
    folderId: folder.id,
    onDrop: (id, dragged, copy) =>
      void dragged
        .ids()
        .then((ids) => (copy ? operations.copy(ids, id) : operations.move(ids, dragged.placeOf, id))),
    onFiles: (id, data) => take(data, { id, name: folder.name }),
    onSpring,
  });
  return (
    <LocaleLink
      {...props}
      to={folderHref(folder.id)}
      role="treeitem"
      aria-level={level}
      aria-setsize={count}
      aria-posinset={place}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isHere}
      tabIndex={isFocusable ? 0 : -1}
      draggable={false}
      title={shownName(folder.name)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        if ((event.target as Element).closest('[data-toggle]')) onToggle();
        else onFollow();
      }}
      style={{ paddingInlineStart: level * 16 - 12 }}
      className={cx(
        'tree-row',
        isHere ? 'bg-blue-wash text-blue-strong' : 'text-ink-2 hover:bg-hover hover:text-ink',
        isOver && 'outline-2 -outline-offset-2 outline-blue',
      )}
    >
      <span
        data-toggle={canOpen ? '' : undefined}
        className="grid size-6 shrink-0 place-items-center pointer-coarse:h-11 pointer-coarse:w-8"
      >
        {canOpen && (
          <ChevronRight
            aria-hidden="true"
            className={cx(
              'size-4! text-ink-3 transition-transform',
              isOpen ? 'rotate-90' : 'rtl:-scale-x-100',
            )}
          />
        )}
      </span>
      <FolderIcon color={folder.folder_color ?? ''} emoji={folder.folder_emoji ?? ''} />
      <bdi className="truncate">{shownName(folder.name)}</bdi>
    </LocaleLink>
  );
}
