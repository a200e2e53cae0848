import { type KeyboardEvent, useEffect } from 'react';
import { Gauge, Repeat, Repeat1, Shuffle, SkipBack, SkipForward } from 'lucide-react';
import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { Dotted } from '#app/ui/dotted.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { shownName } from '../../name/shown-name.ts';
import {
  type AudioState,
  currentSong,
  enterAudio,
  maySkip,
  onSongTurned,
  playAudio,
  restartAudio,
  skip,
  toggleRepeat,
  toggleShuffle,
  useAudio,
} from './audio-player.ts';
import { PlayButton, ResumedNote, SeekBar, Volume } from '../media-parts.tsx';
import { Unavailable } from '../unavailable.tsx';
import { mediaKey, SPEEDS, useMedia } from '../use-media.ts';
import { viewerKind } from '../viewer-kind.ts';
import type { ViewerProps } from '../viewer-props.ts';

/** Player of a song, with the songs beside it as its queue. */
export default function AudioViewer({ file, beside, load, onTurn, isStill = false }: ViewerProps) {
  const t = useT();
  const format = useFormat();
  const audio = useAudio();
  const song = currentSong(audio) ?? file;
  const state = useMedia(audio.media);

  useEffect(() => {
    const songs = beside
      .filter((other) => viewerKind(other) === 'audio')
      .map((other) => (other.id === file.id ? file : other));
    playAudio(file, songs, load, !isStill);
    // The queue is built when a song is opened; songs loaded later are not needed.
    // eslint-disable-next-line react/exhaustive-deps
  }, [file.id]);
  useEffect(enterAudio, []);
  useEffect(() => (onTurn ? onSongTurned(onTurn) : undefined), [onTurn]);

  const { media, tags, repeat } = audio;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!media || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest('button, input') && event.key === ' ') return;
    if (mediaKey(media, event.key)) event.preventDefault();
  };

  if (state.hasFailed) return <Unavailable file={song} text={t('node.media.unplayable')} />;
  return (
    // Keys reach the player wherever the focus is in it.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      data-viewer-focus
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="grid size-full overflow-y-auto p-6 outline-none"
    >
      <div className="m-auto flex w-full max-w-110 flex-col items-center">
        <Cover file={song} cover={tags?.cover} />
        <h2 className="mt-6 text-center text-20 font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownName(tags?.title ?? song.name)}</bdi>
        </h2>
        {(tags?.artist !== undefined || tags?.album !== undefined) && (
          <p className="mt-1 text-center text-ink-2 [overflow-wrap:anywhere]">
            <Dotted
              facts={[tags.artist, tags.album]
                .filter((fact) => fact !== undefined)
                .map((fact) => (
                  <bdi key={fact}>{shownName(fact)}</bdi>
                ))}
            />
          </p>
        )}
        {media && (
          <>
            <div className="mt-6 grid w-full grid-cols-2 gap-x-4">
              <SeekBar media={media} state={state} className="col-span-2 w-full" />
              <span className="text-12 text-ink-2 tabular-nums">{format.duration(state.time)}</span>
              <span className="text-end text-12 text-ink-2 tabular-nums">
                {state.duration > 0 && format.duration(state.duration)}
              </span>
            </div>
            <div className="mt-2 flex items-center gap-2">
              <IconButton
                label={t('node.preview.previous')}
                size="l"
                icon={<SkipBack />}
                disabled={!maySkip(audio, -1)}
                onClick={() => skip(-1)}
              />
              <PlayButton media={media} state={state} />
              <IconButton
                label={t('node.preview.next')}
                size="l"
                icon={<SkipForward />}
                disabled={!maySkip(audio, 1)}
                onClick={() => skip(1)}
              />
              <Volume media={media} state={state} />
            </div>
            <div className="mt-1 flex items-center gap-2">
              {audio.queue.length > 1 && (
                <IconButton
                  label={t('node.media.shuffle')}
                  icon={<Shuffle />}
                  isPressed={audio.isShuffled}
                  onClick={toggleShuffle}
                />
              )}
              <IconButton
                label={t(REPEATS[repeat])}
                icon={repeat === 'one' ? <Repeat1 /> : <Repeat />}
                className={repeat === 'off' ? '' : 'text-blue-strong'}
                onClick={toggleRepeat}
              />
              <MenuTrigger>
                <IconButton
                  label={t('node.media.speed.of', { speed: `${format.number(state.rate)}×` })}
                  icon={<Gauge />}
                  className={state.rate === 1 ? '' : 'text-blue-strong'}
                />
                <Menu>
                  {SPEEDS.map((speed) => (
                    <MenuItem
                      key={speed}
                      isSelected={state.rate === speed}
                      onAction={() => {
                        media.playbackRate = speed;
                      }}
                    >
                      {`${format.number(speed)}×`}
                    </MenuItem>
                  ))}
                </Menu>
              </MenuTrigger>
            </div>
          </>
        )}
        {audio.resumedAt !== undefined && (
          <ResumedNote at={audio.resumedAt} onRestart={restartAudio} className="mt-4" />
        )}
        {audio.queue.length > 1 && (
          <Queue songs={audio.queue} current={song.id} onPick={(one) => playAudio(one, audio.queue, load)} />
        )}
      </div>
    </div>
  );
}

/** Labels of the button, which says what is repeated now. */
const REPEATS: Readonly<Record<AudioState['repeat'], MessageKey>> = {
  off: 'node.media.repeat.off',
  all: 'node.media.repeat',
  one: 'node.media.repeat.one',
};

function Cover({ file, cover }: { file: File; cover: string | undefined }) {
  const source = cover ?? file.thumbnail_link;
  return source === '' ? (
    <FileTile category="audio" size={176} />
  ) : (
    <img src={source} alt="" className="size-56 rounded-dialog object-cover shadow-float" />
  );
}

function Queue({
  songs,
  current,
  onPick,
}: {
  songs: readonly File[];
  current: string;
  onPick: (song: File) => void;
}) {
  return (
    <ol className="mt-8 w-full border-t border-line pt-3">
      {songs.map((song, at) => (
        <li key={song.id} style={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 40px' }}>
          <button
            type="button"
            aria-current={song.id === current}
            onClick={() => onPick(song)}
            className={cx(
              'flex h-10 w-full items-center gap-3 rounded-control px-3 text-start hover:bg-hover',
              song.id === current && 'bg-blue-wash font-medium text-blue-strong',
            )}
          >
            <span className="w-6 shrink-0 text-end text-13 text-ink-3 tabular-nums">{at + 1}</span>
            <bdi className="truncate">{shownName(song.name)}</bdi>
          </button>
        </li>
      ))}
    </ol>
  );
}
