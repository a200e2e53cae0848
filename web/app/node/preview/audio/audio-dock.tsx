import { SkipBack, SkipForward, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { SmallTile } from '../../entry-parts.tsx';
import { shownName } from '../../name/shown-name.ts';
import { currentSong, maySkip, skip, stopAudio, useAudioDock } from './audio-player.ts';
import { PlayButton, SeekBar, TimeText } from '../media-parts.tsx';
import { useMedia } from '../use-media.ts';

/** Small player that keeps playing across pages; a layout renders it once. */
export function AudioDock({ className }: { className?: string }) {
  const t = useT();
  const audio = useAudioDock();
  const state = useMedia(audio.media);
  const song = currentSong(audio);
  if (!song || !audio.media) return null;
  return (
    <section
      aria-label={t('node.media.player')}
      className={cx(
        'flex items-center gap-2 rounded-card border border-line bg-card py-1.5 ps-3 pe-1.5 shadow-float animate-[rise_160ms_var(--ease)]',
        className,
      )}
    >
      {audio.tags?.cover === undefined ? (
        <SmallTile file={song} kind="audio" size={36} />
      ) : (
        <img src={audio.tags.cover} alt="" className="size-9 shrink-0 rounded-control object-cover" />
      )}
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)]">
        <span className="truncate text-13 font-medium">
          <bdi>{shownName(audio.tags?.title ?? song.name)}</bdi>
          {audio.tags?.artist !== undefined && (
            <span className="font-normal text-ink-3">
              {' · '}
              <bdi>{shownName(audio.tags.artist)}</bdi>
            </span>
          )}
        </span>
        <div className="flex items-center gap-2">
          <SeekBar media={audio.media} state={state} className="min-w-0 flex-1" />
          <span className="max-md:hidden">
            <TimeText state={state} />
          </span>
        </div>
      </div>
      {audio.queue.length > 1 && (
        <IconButton
          label={t('node.preview.previous')}
          icon={<SkipBack />}
          disabled={!maySkip(audio, -1)}
          onClick={() => skip(-1)}
          className="max-md:hidden"
        />
      )}
      <PlayButton media={audio.media} state={state} size="m" />
      {audio.queue.length > 1 && (
        <IconButton
          label={t('node.preview.next')}
          icon={<SkipForward />}
          disabled={!maySkip(audio, 1)}
          onClick={() => skip(1)}
        />
      )}
      <IconButton label={t('node.media.stop')} icon={<X />} onClick={stopAudio} />
    </section>
  );
}
