import { useState } from 'react';
import { X } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { kindOf } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { noticeBroken } from '#app/ui/broken-image.ts';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { factOf } from './recent-data.ts';
import { Section, TileRow } from './section.tsx';

/** Videos and long recordings that were begun, with their positions. */
export function ContinueWatching({
  files,
  onOpen,
  onRemove,
}: {
  files: readonly File[];
  onOpen: (file: File) => void;
  onRemove: (file: File) => void;
}) {
  const t = useT();
  if (files.length === 0) return null;
  return (
    <Section title={t('drive.recent.continue')}>
      <TileRow>
        {files.map((file) => (
          <li key={file.id} className="group/card relative w-52 shrink-0 snap-start max-md:w-44">
            <Card file={file} onOpen={() => onOpen(file)} />
            <IconButton
              label={t('drive.recent.continue.remove', { name: shownName(file.name) })}
              icon={<X />}
              onClick={() => onRemove(file)}
              className="absolute! end-1.5 top-1.5 bg-card/90! opacity-0 group-focus-within/card:opacity-100 group-hover/card:opacity-100 pointer-coarse:opacity-100"
            />
          </li>
        ))}
      </TileRow>
    </Section>
  );
}

function Card({ file, onOpen }: { file: File; onOpen: () => void }) {
  const t = useT();
  const format = useFormat();
  const [isBroken, setBroken] = useState(false);
  const play = factOf(file)?.play;
  const [seconds, duration] = [play?.seconds ?? 0, play?.duration ?? 0];
  const name = shownName(file.name);
  const left = t('drive.recent.left', { time: format.duration(Math.max(0, duration - seconds)) });
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={t('drive.recent.resume', { name, time: format.duration(seconds) })}
      className="block w-full overflow-hidden rounded-card border border-line bg-card text-start outline-offset-2 hover:border-line-strong"
    >
      <span className="relative grid aspect-video place-items-center bg-sunken">
        {file.thumbnail_link === '' || isBroken ? (
          <FileTile category={kindOf(file)} size={48} />
        ) : (
          <img
            src={file.thumbnail_link}
            alt=""
            loading="lazy"
            decoding="async"
            ref={noticeBroken(() => setBroken(true))}
            onError={() => setBroken(true)}
            className="size-full object-cover"
          />
        )}
        <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 bg-line-strong">
          <span
            className="block h-full bg-blue"
            style={{ width: `${duration > 0 ? (seconds / duration) * 100 : 0}%` }}
          />
        </span>
      </span>
      <span className="block px-3 pt-2 pb-2.5">
        <bdi className="block truncate text-13 font-medium">{name}</bdi>
        <span className="block truncate text-12 text-ink-3 tabular-nums">{left}</span>
      </span>
    </button>
  );
}
