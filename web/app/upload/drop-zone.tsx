import type { ReactNode } from 'react';
import { Upload } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { useFileDrop } from '#app/ui/use-file-drop.ts';
import { useUploads } from './upload-provider.tsx';
import type { Target } from './upload-queue.ts';

/** The whole area takes files and folders from the desktop, and says where they will go. */
export function DropZone({
  target,
  className,
  children,
}: {
  target: Target;
  className?: string;
  children: ReactNode;
}) {
  const t = useT();
  const { take } = useUploads();
  const { isOver, area } = useFileDrop((event) => take(event.dataTransfer, target));
  return (
    // Dropping is the pointer's shortcut; the New menu does the same by keys.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={className} {...area}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-dialog border-2 border-dashed border-blue bg-blue-wash/90">
          <p className="flex items-center gap-3 px-6 text-16 font-semibold text-blue-strong [overflow-wrap:anywhere]">
            <Upload />
            {t('upload.dropHere', { folder: target.name })}
          </p>
        </div>
      )}
    </div>
  );
}
