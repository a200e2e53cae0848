/** Measures speed for display: reacts quickly to changes, and is steady otherwise. */
export interface SpeedMeter {
  add(bytes: number): void;
  /** Bytes per second. */
  speed(): number;
}

const WINDOW_MS = 5000;
const SLICE_MS = 250;

/** Computes the mean of the last five seconds, or of the time since the start if that is shorter. */
export function createSpeedMeter(now: () => number = () => performance.now()): SpeedMeter {
  const began = now();
  let slices: { readonly start: number; bytes: number }[] = [];

  return {
    add(bytes) {
      const time = now();
      const last = slices.at(-1);
      if (last && time - last.start < SLICE_MS) last.bytes += bytes;
      else {
        slices = slices.filter(({ start }) => time - start < WINDOW_MS);
        slices.push({ start: time, bytes });
      }
    },
    speed() {
      const time = now();
      const span = Math.min(WINDOW_MS, Math.max(SLICE_MS, time - began));
      const recent = slices.filter(({ start }) => time - start < WINDOW_MS);
      return Math.round((recent.reduce((sum, { bytes }) => sum + bytes, 0) / span) * 1000);
    },
  };
}
