import { useState, type SyntheticEvent } from 'react';
import type { File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { kindOf } from '#app/node/file-facts.ts';
import { viewerKind } from '#app/node/preview/viewer-kind.ts';
import { Viewer } from '#app/node/preview/viewer.tsx';
import { cx } from '#app/ui/class-names.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { loadShareFile, type OpenShare } from './share-data.ts';

/**
 * Share of a single file: the file itself, large. Its picture is shown in the same place until the viewer has
 * loaded.
 */
export default function ShareFile({ share, file }: { share: OpenShare; file: File }) {
  const call = useCall();
  const isBrowser = useIsBrowser();
  const [isDrawn, setDrawn] = useState(false);
  const kind = viewerKind(file);
  const showsStill = !isBrowser || (kind === 'image' && file.thumbnail_link !== '' && !isDrawn);
  const onDrawn = ({ target }: SyntheticEvent): void => {
    if (target instanceof HTMLImageElement && target.alt === file.name) setDrawn(true);
  };
  return (
    <div
      // The viewer's own picture replaces the static one, which must not be visible behind it when zoomed or
      // on errors.
      onLoadCapture={onDrawn}
      onErrorCapture={onDrawn}
      className={cx(
        'relative mt-6 flex overflow-hidden rounded-card border border-line bg-card max-md:mt-5',
        kind === 'none' || kind === 'audio'
          ? 'h-110'
          : 'h-[min(72dvh,720px)] min-h-80 max-md:h-[min(62dvh,720px)]',
      )}
    >
      {showsStill && <Still file={file} />}
      {isBrowser && (
        <Viewer
          file={file}
          beside={[file]}
          load={(id) => loadShareFile(call, share.id, share.opening.pass_code_token, id)}
        />
      )}
    </div>
  );
}

/** Static content of a file before its viewer loads: its picture, or its tile and size. */
function Still({ file }: { file: File }) {
  const format = useFormat();
  const kind = viewerKind(file);
  if (file.thumbnail_link !== '' && (kind === 'image' || kind === 'video'))
    return (
      <img
        src={file.thumbnail_link}
        alt=""
        className={cx('absolute size-full object-contain', kind === 'image' && 'p-2')}
      />
    );
  return (
    <div className="m-auto flex flex-col items-center gap-4 p-6 text-ink-2">
      <FileTile category={kindOf(file)} size={96} />
      <span className="tabular-nums">{format.bytes(file.size)}</span>
    </div>
  );
}
