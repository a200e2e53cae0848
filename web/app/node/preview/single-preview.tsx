import { useMemo } from 'react';
import type { File } from '@bowerbird/contract';
import { cx } from '#app/ui/class-names.ts';
import { Viewer } from './viewer.tsx';
import { viewerKind } from './viewer-kind.ts';

export interface SinglePreviewProps {
  readonly file: File;
  /** Files in the same folder: subtitles. */
  readonly beside?: readonly File[];
  readonly load: (id: string) => Promise<File>;
  readonly className?: string;
}

/** Preview of one file inside the page: content of a link to a single file. */
export function SinglePreview({ file, beside, load, className }: SinglePreviewProps) {
  const others = useMemo(() => beside ?? [file], [beside, file]);
  const kind = viewerKind(file);
  return (
    <div
      className={cx(
        'relative flex overflow-hidden rounded-card border border-line bg-card',
        kind === 'none' ? 'min-h-80' : kind === 'audio' ? 'min-h-110' : 'h-[min(72dvh,720px)] min-h-80',
        className,
      )}
    >
      <Viewer file={file} beside={others} load={load} isStill />
    </div>
  );
}
