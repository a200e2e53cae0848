import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { Upload } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { useUploads } from './upload-provider.tsx';
import type { Target } from './upload-queue.ts';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

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
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // Dropping is the pointer's shortcut; the New menu does the same by keys.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={className}
      onDragEnter={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        leave();
        take(event.dataTransfer, target);
      }}
    >
      {children}
      {over && (
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
