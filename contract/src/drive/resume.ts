/** A video or a long recording can be resumed between these seconds and this part of its duration. */
export const RESUME = { fromSeconds: 15, untilPercent: 95, audioSeconds: 600 } as const;

/** Position in a video or a recording, in seconds; the duration is 0 if unknown. */
interface Position {
  readonly seconds: number;
  readonly duration: number;
}

/**
 * Returns how far a video or a recording was played, from 0 to 1: 0 if it was hardly begun, 1 if only its end is left.
 */
export function playedPart({ seconds, duration }: Position): number {
  if (duration <= 0 || seconds < RESUME.fromSeconds) return 0;
  return seconds * 100 < duration * RESUME.untilPercent ? seconds / duration : 1;
}
