import type { ReactNode } from 'react';
import { Upload } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { useDragged, useFolderDrop, type FolderDrop } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import type { Target } from '#app/upload/index.ts';

/**
 * Makes the whole area of the open folder a drop target: for files from the desktop, and for entries dragged from
 * another folder. A folder's own row or tile within it takes precedence.
 */
export function FolderArea({
  folder,
  onDrop,
  onFiles,
  className,
  children,
}: {
  folder: Target;
  className: string;
  children: ReactNode;
} & Required<Pick<FolderDrop, 'onDrop' | 'onFiles'>>) {
  const t = useT();
  const dragged = useDragged();
  const { isOver, props } = useFolderDrop({ folderId: folder.id, onDrop, onFiles });
  return (
    // Dropping is a shortcut for the pointer: the New menu and pasting do the same by keyboard.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={className} {...props}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 flex items-end justify-center rounded-dialog border-2 border-dashed border-blue bg-blue/6 p-6">
          {!dragged && (
            <p className="flex max-w-full items-center gap-3 rounded-full bg-blue px-5 py-2.5 font-semibold text-on-blue shadow-float [overflow-wrap:anywhere]">
              <Upload aria-hidden="true" className="shrink-0" />
              {t('upload.dropHere', { folder: shownName(folder.name) })}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
