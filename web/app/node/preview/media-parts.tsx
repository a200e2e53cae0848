import type { CSSProperties } from 'react';
import { Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { type MediaState, togglePlay } from './use-media.ts';

interface PartProps {
  readonly media: HTMLMediaElement;
  readonly state: MediaState;
}

export function PlayButton({ media, state, size = 'l' }: PartProps & { size?: 'm' | 'l' }) {
  const t = useT();
  const icon = state.isWaiting ? (
    <Spinner />
  ) : state.isPaused ? (
    <Play className="fill-current" />
  ) : (
    <Pause className="fill-current" />
  );
  return (
    <IconButton
      label={state.isPaused ? t('node.media.play') : t('node.media.pause')}
      shortcut="K"
      size={size}
      icon={icon}
      className="text-ink"
      onClick={() => togglePlay(media)}
    />
  );
}

/** Note that playback was resumed, with a button that starts over. */
export function ResumedNote({
  at,
  onRestart,
  className,
}: {
  at: number;
  onRestart: () => void;
  className: string;
}) {
  const t = useT();
  const format = useFormat();
  return (
    <div
      role="status"
      className={cx(
        'flex items-center gap-2 rounded-card bg-card py-1.5 ps-4 pe-1.5 shadow-float',
        className,
      )}
    >
      {t('node.media.resumed', { time: format.duration(at) })}
      <button
        type="button"
        onClick={onRestart}
        className="h-9 rounded-control px-3 font-semibold text-blue-strong hover:bg-blue-wash"
      >
        {t('node.media.from-start')}
      </button>
    </div>
  );
}

const SLIDER =
  'h-6 cursor-pointer appearance-none bg-transparent [&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-[image:var(--track)] [&::-webkit-slider-thumb]:-mt-1 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-blue [&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-[image:var(--track)] [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-blue';

const trackOf = (played: number, loaded: number): CSSProperties =>
  ({
    '--track': `linear-gradient(to right, var(--blue) ${played * 100}%, var(--line-strong) ${played * 100}% ${Math.max(played, loaded) * 100}%, var(--line) ${Math.max(played, loaded) * 100}%)`,
  }) as CSSProperties;

/** Seek bar: shows the current time and moves to another. */
export function SeekBar({ media, state, className }: PartProps & { className?: string }) {
  const t = useT();
  const format = useFormat();
  const { time, duration, buffered } = state;
  return (
    <input
      type="range"
      min={0}
      max={duration || 1}
      step="any"
      value={Math.min(time, duration || 1)}
      disabled={duration === 0}
      aria-label={t('node.media.seek')}
      aria-valuetext={t('node.media.position', {
        time: format.duration(time),
        total: format.duration(duration),
      })}
      onChange={(event) => {
        media.currentTime = event.currentTarget.valueAsNumber;
      }}
      style={trackOf(duration ? time / duration : 0, duration ? buffered / duration : 0)}
      className={cx(SLIDER, className)}
    />
  );
}

export function TimeText({ state }: { state: MediaState }) {
  const format = useFormat();
  return (
    <span className="shrink-0 text-12 whitespace-nowrap text-ink-2 tabular-nums">
      {format.duration(state.time)}
      {state.duration > 0 && ` / ${format.duration(state.duration)}`}
    </span>
  );
}

/** Mute and volume; phones have hardware buttons for it. */
export function Volume({ media, state }: PartProps) {
  const t = useT();
  const volume = state.isMuted ? 0 : state.volume;
  return (
    <span className="group/volume flex items-center pointer-coarse:hidden">
      <IconButton
        label={state.isMuted ? t('node.media.unmute') : t('node.media.mute')}
        shortcut="M"
        icon={state.isMuted ? <VolumeX /> : <Volume2 />}
        onClick={() => {
          media.muted = !state.isMuted;
          if (state.isMuted && media.volume === 0) media.volume = 0.5;
        }}
      />
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={volume}
        aria-label={t('node.media.volume')}
        onChange={(event) => {
          media.volume = event.currentTarget.valueAsNumber;
          media.muted = false;
        }}
        style={trackOf(volume, 0)}
        className={cx(SLIDER, 'w-20 max-lg:hidden')}
      />
    </span>
  );
}
