import { useEffect, useRef, useState } from 'react';
import { playPosition, rememberPlayPosition } from './play-position.ts';
import { playPositionElsewhere, reportPositions } from './play-memory.tsx';

const RESUMED_FOR_MS = 6000;
const PATIENCE_MS = 1500;
/** Somebody who has moved further by themselves doesn't want to be moved. */
const UNTOUCHED_S = 3;

/** Playback of a video continues where it was left, on this device or another. */
export function useResume(id: string, video: HTMLVideoElement | null) {
  const [resumedAt, setResumedAt] = useState<number>();
  const elsewhere = useRef<Promise<number | undefined>>(undefined);

  useEffect(() => {
    elsewhere.current = playPositionElsewhere(id);
  }, [id]);

  useEffect(() => {
    if (!video) return undefined;
    const keep = () => rememberPlayPosition(id, video.currentTime, video.duration || 0);
    const timer = setInterval(() => !video.paused && keep(), 5000);
    video.addEventListener('pause', keep);
    const endReports = reportPositions(video, () => id);
    return () => {
      clearInterval(timer);
      video.removeEventListener('pause', keep);
      keep();
      endReports();
    };
  }, [video, id]);

  useEffect(() => {
    if (resumedAt === undefined) return undefined;
    const timer = setTimeout(() => setResumedAt(undefined), RESUMED_FOR_MS);
    return () => clearTimeout(timer);
  }, [resumedAt]);

  return {
    /** Position that playback was resumed at, for some seconds. */
    resumedAt,
    /** Moves to where it was left; called once its duration is known. */
    async resume(): Promise<void> {
      if (!video) return;
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
      const at = (await Promise.race([elsewhere.current, late])) ?? playPosition(id);
      if (at === undefined || at <= 0 || video.currentTime > UNTOUCHED_S || at >= video.duration) return;
      video.currentTime = at;
      setResumedAt(at);
    },
    restart(): void {
      if (video) video.currentTime = 0;
      setResumedAt(undefined);
    },
  };
}
