import { useMemo, useSyncExternalStore } from 'react';

export interface MediaState {
  readonly isPaused: boolean;
  readonly isWaiting: boolean;
  readonly hasFailed: boolean;
  readonly time: number;
  /** 0 while unknown. */
  readonly duration: number;
  /** Seconds up to which it can be played without waiting. */
  readonly buffered: number;
  readonly volume: number;
  readonly isMuted: boolean;
  readonly rate: number;
}

const STILL: MediaState = {
  isPaused: true,
  isWaiting: false,
  hasFailed: false,
  time: 0,
  duration: 0,
  buffered: 0,
  volume: 1,
  isMuted: false,
  rate: 1,
};

const EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'timeupdate',
  'durationchange',
  'progress',
  'volumechange',
  'ratechange',
  'seeking',
  'seeked',
  'ended',
  'error',
  'emptied',
  'loadeddata',
] as const;

function read(media: HTMLMediaElement): MediaState {
  const { buffered, currentTime } = media;
  const ranges = Array.from(
    { length: buffered.length },
    (_, at) => [buffered.start(at), buffered.end(at)] as const,
  );
  return {
    isPaused: media.paused,
    isWaiting: !media.paused && media.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !media.error,
    hasFailed: media.error !== null,
    time: currentTime,
    duration: Number.isFinite(media.duration) ? media.duration : 0,
    buffered: ranges.find(([from, to]) => from <= currentTime && currentTime <= to)?.[1] ?? 0,
    volume: media.volume,
    isMuted: media.muted || media.volume === 0,
    rate: media.playbackRate,
  };
}

/** Current state of a player. */
export function useMedia(media: HTMLMediaElement | null): MediaState {
  const store = useMemo(() => {
    let state = media ? read(media) : STILL;
    return {
      get: () => state,
      subscribe(changed: () => void) {
        if (!media) return () => undefined;
        const update = () => {
          state = read(media);
          changed();
        };
        update();
        for (const event of EVENTS) media.addEventListener(event, update);
        return () => {
          for (const event of EVENTS) media.removeEventListener(event, update);
        };
      },
    };
  }, [media]);
  return useSyncExternalStore(store.subscribe, store.get, () => STILL);
}

export function togglePlay(media: HTMLMediaElement): void {
  if (media.paused) media.play().catch(() => undefined);
  else media.pause();
}

export function seekBy(media: HTMLMediaElement, seconds: number): void {
  media.currentTime = Math.max(0, Math.min(media.duration || 0, media.currentTime + seconds));
}

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/**
 * Handles a player's keys; returns true if the key was one of them. Arrow keys belong to the preview, which moves
 * to other files.
 */
export function mediaKey(media: HTMLMediaElement, key: string): boolean {
  switch (key) {
    case ' ':
    case 'k':
      togglePlay(media);
      return true;
    case 'j':
      seekBy(media, -10);
      return true;
    case 'l':
      seekBy(media, 10);
      return true;
    case 'm':
      media.muted = !media.muted;
      return true;
    case 'ArrowUp':
    case 'ArrowDown':
      media.volume = Math.max(0, Math.min(1, media.volume + (key === 'ArrowUp' ? 0.1 : -0.1)));
      return true;
    case '<':
    case '>':
      media.playbackRate = nextSpeed(media.playbackRate, key === '>' ? 1 : -1);
      return true;
    default:
      return false;
  }
}

function nextSpeed(rate: number, step: 1 | -1): number {
  const at = SPEEDS.findIndex((speed) => speed >= rate);
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + step))]!;
}
