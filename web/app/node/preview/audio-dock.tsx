import { SkipForward, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { SmallTile } from '../entry-parts.tsx';
import { shownName } from '../name/shown-name.ts';
import { currentSong, skip, stopAudio, useAudioDock } from './audio-player.ts';
import { PlayButton, SeekBar, TimeText } from './media-parts.tsx';
import { useMedia } from './use-media.ts';

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
      <SmallTile file={song} kind="audio" size={36} />
      <div className="grid min-w-0 flex-1">
        <span className="truncate text-13 font-medium">
          <bdi>{shownName(song.name)}</bdi>
        </span>
        <div className="flex items-center gap-2">
          <SeekBar media={audio.media} state={state} className="min-w-0 flex-1" />
          <span className="max-md:hidden">
            <TimeText state={state} />
          </span>
        </div>
      </div>
      <PlayButton media={audio.media} state={state} size="m" />
      {audio.queue.length > 1 && (
        <IconButton
          label={t('node.preview.next')}
          icon={<SkipForward />}
          disabled={audio.at >= audio.queue.length - 1}
          onClick={() => skip(1)}
        />
      )}
      <IconButton label={t('node.media.stop')} icon={<X />} onClick={stopAudio} />
    </section>
  );
}
