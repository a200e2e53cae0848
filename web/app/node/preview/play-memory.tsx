import { createContext, useContext, useEffect, type ReactNode } from 'react';

/** Playback positions that apply to all of a member's devices. Pages without one remember them in the browser only. */
export interface PlayMemory {
  /** Resolves to the second to resume at: 0 to start from the beginning, `undefined` if unknown. Never rejects. */
  positionOf(id: string): Promise<number | undefined>;
  /** Records a position, in seconds. */
  report(id: string, seconds: number, duration: number): void;
  /** Query of how far a video was played, from 0 to 1. */
  partOf(id: string): { readonly queryKey: readonly string[]; readonly queryFn: () => Promise<number> };
}

let memory: PlayMemory | undefined;
const Frame = createContext<PlayMemory | undefined>(undefined);

/** Provides the positions while the component is mounted. `provided` must stay the same object. */
export function PlayMemoryProvider({ provided, children }: { provided: PlayMemory; children: ReactNode }) {
  useEffect(() => {
    memory = provided;
    return () => {
      if (memory === provided) memory = undefined;
    };
  }, [provided]);
  return <Frame value={provided}>{children}</Frame>;
}

/** Returns the positions of the page, if it provides them. */
export const usePlayMemory = (): PlayMemory | undefined => useContext(Frame);

export function playPositionElsewhere(id: string): Promise<number | undefined> {
  return memory?.positionOf(id) ?? Promise.resolve(undefined);
}

const FIRST_AFTER_MS = 5000;
const EVERY_MS = 15_000;
/** The server ignores reports that follow another one more closely. */
const CLOSEST_MS = 1600;
const WORTH_S = 2;

/**
 * Reports the positions of a player from time to time, and whenever it stops. `idOf` returns the file that it plays.
 * Returns a function that reports the last position and ends this.
 */
export function reportPositions(media: HTMLMediaElement, idOf: () => string | undefined): () => void {
  let id: string | undefined;
  let dueAt = 0;
  let reportedAt = 0;
  let reported: number | undefined;
  let delayed: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    if (id === undefined || !Number.isFinite(media.duration)) return;
    const now = Date.now();
    const [file, seconds, duration] = [id, Math.floor(media.currentTime), Math.floor(media.duration)];
    const send = (): void => memory?.report(file, seconds, duration);
    reported = media.currentTime;
    dueAt = now + EVERY_MS;
    clearTimeout(delayed);
    delayed = undefined;
    const wait = reportedAt + CLOSEST_MS - now;
    if (wait > 0) delayed = setTimeout(send, wait);
    else send();
    reportedAt = Math.max(now, reportedAt + CLOSEST_MS);
  };
  const onTime = (): void => {
    const now = Date.now();
    if (idOf() !== id) {
      id = idOf();
      reported = undefined;
      reportedAt = 0;
      dueAt = now + FIRST_AFTER_MS;
    } else if (!media.paused && now >= dueAt) report();
  };
  /** A position is worth another report only after one, or after some time. */
  const onStop = (): void => {
    if (id !== idOf() || reported === undefined || Math.abs(media.currentTime - reported) < WORTH_S) return;
    report();
  };
  media.addEventListener('timeupdate', onTime);
  media.addEventListener('pause', onStop);
  window.addEventListener('pagehide', onStop);
  return () => {
    media.removeEventListener('timeupdate', onTime);
    media.removeEventListener('pause', onStop);
    window.removeEventListener('pagehide', onStop);
    onStop();
  };
}
